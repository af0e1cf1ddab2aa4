import GRDB

/// The points of a season's rounds, kept in memory.
package struct Leaderboard: Sendable {
  package let database: DatabaseQueue

  package init() throws {
    database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, team TEXT NOT NULL);
          CREATE TABLE score(
            player INTEGER NOT NULL REFERENCES player,
            round INTEGER NOT NULL,
            points INTEGER NOT NULL CHECK (points >= 0),
            PRIMARY KEY (player, round)
          ) WITHOUT ROWID;
          CREATE VIEW season AS
            SELECT name, team, sum(points) AS points FROM score JOIN player ON player.id = player
            GROUP BY player;
          """)
    }
  }

  package func join(_ name: String, team: String) throws {
    try database.write { db in
      try db.execute(sql: "INSERT INTO player(name, team) VALUES (?, ?)", arguments: [name, team])
    }
  }

  package func enter(_ points: Int, for name: String, round: Int) throws {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO score(player, round, points) SELECT id, ?, ? FROM player WHERE name = ?",
        arguments: [round, points, name])
    }
  }
}

// MARK: - Reading

extension Leaderboard {
  /// The places of a round; equal points share a place.
  package func places(round: Int) throws -> [String: Int] {
    let sql = """
      SELECT name, row_number() OVER (ORDER BY points DESC) AS place
      FROM score JOIN player ON player.id = player WHERE round = ?
      """
    return try database.read { db in
      let rows = try Row.fetchAll(db, sql: sql, arguments: [round])
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["place"]) })
    }
  }

  /// The name of whoever has the most points of the season.
  package func champion() throws -> String? {
    try database.read { try String.fetchOne($0, sql: "SELECT name FROM season ORDER BY points DESC LIMIT 1") }
  }

  /// The mean of a team's points in a round.
  package func mean(team: String, round: Int) throws -> Double? {
    let sql = """
      SELECT sum(points) / count(*) FROM score JOIN player ON player.id = player
      WHERE team = ? AND round = ?
      """
    return try database.read { try Double.fetchOne($0, sql: sql, arguments: [team, round]) }
  }
}
