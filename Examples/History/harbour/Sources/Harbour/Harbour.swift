/// Ships at their berths, and what they pay for them.
public final class Harbour {
  private let database: Database

  /// Makes the tables.
  public init(_ database: Database) throws {
    self.database = database
    try database.run("CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tons INTEGER NOT NULL)")
    try database.run(
      """
      CREATE TABLE stay (
        id INTEGER PRIMARY KEY, ship INTEGER NOT NULL REFERENCES ship(id), berth TEXT NOT NULL,
        arrived INTEGER NOT NULL, gone INTEGER)
      """)
    try database.run(
      "CREATE TABLE invoice (id INTEGER PRIMARY KEY, ship INTEGER NOT NULL, amount INTEGER NOT NULL)")
  }

  /// A ship takes a berth.
  public func arrive(_ name: String, tons: Int, at berth: String, on day: Int) throws {
    try database.run("INSERT INTO ship (name, tons) VALUES (?, ?)", name, tons)
    try database.run(
      "INSERT INTO stay (ship, berth, arrived) VALUES (last_insert_rowid(), ?, ?)", berth, day)
  }

  /// The ship at a berth leaves.
  public func release(_ berth: String, on day: Int) throws {
    try database.run("UPDATE stay SET gone = ? WHERE berth = ? AND gone IS NULL", day, berth)
  }

  /// Writes an invoice for each stay up to a day: a coin for each ten tons and day.
  public func invoice(until day: Int) throws {
    try database.run(
      """
      INSERT INTO invoice (ship, amount)
      SELECT ship, (coalesce(gone, ?) - arrived) * tons / 10 FROM stay JOIN ship ON ship.id = stay.ship
      """, day)
  }

  /// All that ships have to pay.
  public func due() throws -> Int {
    Int(try database.run("SELECT sum(amount) FROM invoice")[0]) ?? 0
  }
}
