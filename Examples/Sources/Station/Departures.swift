import Foundation
import GRDB

/// The board of a railway station: departures in a database, platform plans as files beside it.
package struct Departures: Sendable {
  package let database: any DatabaseWriter
  /// Where plans lie: a hidden folder, as Core Data has it for large values.
  private let plans: URL

  /// Works on an open database whose file is at `url`.
  package init(_ database: any DatabaseWriter, at url: URL) {
    self.database = database
    let folder = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT/_EXTERNAL_DATA"
    plans = url.deletingLastPathComponent().appendingPathComponent(folder, isDirectory: true)
  }

  /// Makes the schema of an empty database.
  package static func createSchema(_ db: Database) throws {
    try db.create(table: "departure") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("destination", .text).notNull()
      table.column("minute", .integer).notNull()
      table.column("track", .integer)
      table.column("plan", .text)
    }
  }

  /// Takes a departure down, at a minute of the day.
  package func add(_ destination: String, at minute: Int, track: Int?, plan: Data? = nil) throws {
    let name = try plan.map { try store($0, for: destination) }
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO departure(destination, minute, track, plan) VALUES (?, ?, ?, ?)",
        arguments: [destination, minute, track, name])
    }
  }

  private func store(_ plan: Data, for destination: String) throws -> String {
    try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
    let name = destination + ".plan"
    try plan.write(to: plans.appendingPathComponent(name))
    return name
  }

  /// Moves everything that leaves in an hour by so many minutes.
  package func delay(hour: Int, by minutes: Int) throws {
    try database.write { db in
      try db.execute(
        sql: "UPDATE departure SET minute = minute + ? WHERE minute / 60 = ?", arguments: [minutes, hour])
    }
  }

  /// Takes what has left off the board, with its plans.
  package func removeDepartures(before minute: Int) throws {
    _ = try database.write { db in
      try db.execute(sql: "DELETE FROM departure WHERE minute < ?", arguments: [minute])
    }
  }

  /// What leaves from a track, in order.
  package func destinations(track: Int) throws -> [String] {
    try database.read { db in
      let sql = "SELECT destination FROM departure WHERE track = ? ORDER BY minute"
      return try String.fetchAll(db, sql: sql, arguments: [track])
    }
  }

  /// When a train leaves, as a minute of the day.
  package func minute(of destination: String) throws -> Int? {
    try database.read { db in
      try Int.fetchOne(
        db, sql: "SELECT minute FROM departure WHERE destination = ?", arguments: [destination])
    }
  }

  package func count() throws -> Int {
    try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM departure") ?? 0 }
  }

  /// The names of plan files that no departure has.
  package func orphans() throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: plans.path)
    let used = try database.read { db in
      try String.fetchSet(db, sql: "SELECT plan FROM departure WHERE plan IS NOT NULL")
    }
    return files.filter { !used.contains($0) }.sorted()
  }
}
