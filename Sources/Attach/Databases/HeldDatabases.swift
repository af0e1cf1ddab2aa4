import Collector

/// The databases that are held for the tests that run.
final class HeldDatabases: Sendable {
  /// How many databases are held at most: each takes two descriptors or its bytes.
  private static let limit = 128

  private let held = Locked<[Int: [HeldDatabase]]>([:])

  /// Holds a database for tests, given by their serials.
  func hold(_ database: HeldDatabase, for serials: [Int]) {
    held.withLock { held in
      guard held.values.reduce(0, { $0 + $1.count }) < Self.limit else { return }
      for serial in serials { held[serial, default: []].append(database) }
    }
  }

  /// Takes what is held for a test, in the order of closing.
  func take(_ serial: Int) -> [HeldDatabase] {
    held.withLock { $0.removeValue(forKey: serial) } ?? []
  }

  /// Lets go of a file that is opened again: its WAL may be another one soon.
  func letGo(_ storage: OpenDatabase.Storage) {
    held.withLock { held in
      guard !held.isEmpty else { return }
      for (serial, databases) in held {
        held[serial] = databases.filter { $0.storage != storage }
      }
    }
  }
}

extension HeldDatabase {
  /// The file that is held; `nil` in memory.
  var storage: OpenDatabase.Storage? {
    if case .file(_, let database, _) = content { database.storage } else { nil }
  }

  /// The path it had; `nil` in memory.
  var path: String? {
    if case .file(let path, _, _) = content { path } else { nil }
  }
}
