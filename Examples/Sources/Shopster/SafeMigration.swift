import Foundation
import GRDB
import StoreMigration

/// The same migration with the product StoreMigration.
package enum SafeMigration {
  @discardableResult
  package static func run(at path: String) throws -> StoreMigration.Outcome {
    try StoreMigration(of: URL(fileURLWithPath: path)).run { store in
      let queue = try DatabaseQueue(path: store.path)
      let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      try queue.close()
      return version < ShopStore.version
    } _: { copy in
      let queue = try DatabaseQueue(path: copy.path)
      try queue.write(ShopStore.addCurrencies)
      try queue.close()
    }
  }
}
