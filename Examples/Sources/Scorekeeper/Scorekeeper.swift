import Foundation
import GRDB

/// A game that is played, on a list of the user's.
package struct Game: Codable, Equatable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  package var id: UUID
  package var title: String

  package init(id: UUID, title: String) {
    self.id = id
    self.title = title
  }

  /// Identifiers are texts, as `uuid()` makes them.
  package static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .uppercaseString
  }
}

/// Someone who plays it.
package struct Player: Codable, Equatable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  package var id: UUID
  package var game: UUID
  package var name: String
  package var score: Int

  package init(id: UUID, game: UUID, name: String, score: Int = 0) {
    self.id = id
    self.game = game
    self.name = name
    self.score = score
  }

  package static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .uppercaseString
  }
}

/// Keeps the scores of games.
package struct Scorekeeper: Sendable {
  /// In which order players are listed.
  package enum Order: Sendable {
    case ascending, descending
  }

  private let database: any DatabaseWriter

  package init(_ database: any DatabaseWriter) {
    self.database = database
  }

  /// Makes the schema of an empty database; new rows get their identifiers from `uuid()`.
  package static func createSchema(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE game(id TEXT PRIMARY KEY DEFAULT (uuid()), title TEXT NOT NULL);
        CREATE TABLE player(
          id TEXT PRIMARY KEY DEFAULT (uuid()), game TEXT NOT NULL REFERENCES game ON DELETE CASCADE,
          name TEXT NOT NULL, score INTEGER NOT NULL DEFAULT 0);
        """)
  }

  package func addPlayer(_ name: String, to game: UUID) throws {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO player(game, name) VALUES (?, ?)", arguments: [game.uuidString, name])
    }
  }

  package func addPoints(_ points: Int, to player: UUID) throws {
    try database.write { db in
      try db.execute(
        sql: "UPDATE player SET score = score + ? WHERE id = ?", arguments: [points, player.uuidString])
    }
  }

  package func games() throws -> [Game] {
    try database.read { try Game.order(Column("title")).fetchAll($0) }
  }

  /// The players of a game by their scores; who has as many points comes by name.
  package func players(of game: UUID, _ order: Order) throws -> [Player] {
    try database.read { db in
      let score = Column("score")
      return try Player.filter(Column("game") == game.uuidString)
        .order(order == .ascending ? score : score.desc, Column("name").desc).fetchAll(db)
    }
  }
}
