/// What lies on the shelves of a warehouse.
package final class Inventory {
  private let database: Database

  package init(at path: String) throws {
    database = try Database(at: path)
    try database.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE IF NOT EXISTS article(id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL);
      CREATE TABLE IF NOT EXISTS shelf(id INTEGER PRIMARY KEY, aisle TEXT NOT NULL, level INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS stock(
        shelf INTEGER NOT NULL REFERENCES shelf,
        article INTEGER NOT NULL REFERENCES article,
        units INTEGER NOT NULL,
        PRIMARY KEY (shelf, article)
      );
      CREATE TABLE IF NOT EXISTS movement(
        id INTEGER PRIMARY KEY, article INTEGER NOT NULL, source INTEGER, target INTEGER, units INTEGER NOT NULL
      );
      """)
  }

  /// Runs the statements of a file, such as a delivery note.
  package func load(_ sql: String) throws {
    try database.transaction { try database.execute(sql) }
  }

  package func units(of article: Int64, on shelf: Int64) throws -> Int64 {
    let sql = "SELECT units FROM stock WHERE article = ? AND shelf = ?"
    return try database.integers(sql, [article, shelf]).first ?? 0
  }

  package func units(of article: Int64) throws -> Int64 {
    try database.integers("SELECT total(units) FROM stock WHERE article = ?", [article]).first ?? 0
  }

  package func movements(of article: Int64) throws -> [Int64] {
    try database.integers("SELECT units FROM movement WHERE article = ? ORDER BY id", [article])
  }

  /// Moves units from one shelf to another.
  package func move(_ units: Int64, of article: Int64, from source: Int64, to target: Int64) throws {
    try database.transaction {
      try database.integers(
        "UPDATE stock SET units = max(0, units - ?) WHERE article = ? AND shelf = ?",
        [units, article, source])
      try database.integers(
        """
        INSERT INTO stock(units, article, shelf) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET units = units + excluded.units
        """, [units, article, target])
      try database.integers(
        "INSERT INTO movement(units, article, source, target) VALUES (?, ?, ?, ?)",
        [units, article, source, target])
    }
  }
}
