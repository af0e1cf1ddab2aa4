import Foundation
import GRDB

/// A store of version 1 as an app leaves it that was killed: 40 products in the database, and only in its WAL 20 more
/// and an index.
struct OldShop {
  static let count = 60

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("OldShop-\(UUID().uuidString)")
    let workshop = folder.appendingPathComponent("workshop")
    try FileManager.default.createDirectory(at: workshop, withIntermediateDirectories: true)
    let running = try DatabasePool(path: workshop.appendingPathComponent("Shop.sqlite").path)
    try Self.fill(running)
    // What a killed process leaves: the files as they are, with the WAL.
    for name in ["Shop.sqlite", "Shop.sqlite-wal"] {
      try FileManager.default.copyItem(
        at: workshop.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    try running.close()
  }

  /// - Returns: the path of the copied store.
  func copy(into other: URL) throws -> String {
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    for name in ["Shop.sqlite", "Shop.sqlite-wal"] {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: other.appendingPathComponent(name))
    }
    return other.appendingPathComponent("Shop.sqlite").path
  }

  private static func fill(_ running: DatabasePool) throws {
    try running.write { db in
      try db.execute(
        sql: """
          CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);
          PRAGMA user_version = 1;
          """)
      for number in 1...40 { try add(number, db) }
    }
    try running.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try running.write { db in
      try db.execute(sql: "CREATE INDEX product_price ON product(price)")
      for number in 41...count { try add(number, db) }
    }
  }

  private static func add(_ number: Int, _ db: Database) throws {
    let kinds = ["Teapot", "Kettle", "Cup", "Saucer", "Tray", "Spoon"]
    try db.execute(
      sql: "INSERT INTO product(name, price) VALUES (?, ?)",
      arguments: ["\(kinds[number % kinds.count]) No. \(number)", 450 + number * 35])
  }
}
