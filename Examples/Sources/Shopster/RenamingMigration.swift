import Foundation
import GRDB

/// Migrates as many apps did before WAL mode: a new file, renamed over the old one.
///
/// That loses data. What the old `-wal` holds is not in the new file, and SQLite takes the `-wal` for the new file's.
package enum RenamingMigration {
  package static func run(at path: String) throws {
    let new = path + "-new"
    try FileManager.default.copyItem(atPath: path, toPath: new)
    let queue = try DatabaseQueue(path: new)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try ShopStore.addCurrencies(db)
    }
    try queue.close()
    guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
