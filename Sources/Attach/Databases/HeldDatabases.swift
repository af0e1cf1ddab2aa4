import Collector

/// The databases that are held for the tests that run.
final class HeldDatabases: Sendable {
  /// How many databases are held at most: each takes two descriptors or its bytes.
  private static let limit = 128

  private let held = Locked<[Holding]>([])

  private struct Holding {
    /// The serial of the test that may still fail.
    var test: Int
    var database: HeldDatabase
  }

  /// Holds a database for tests, given by their serials.
  func hold(_ database: HeldDatabase, for serials: [Int]) {
    held.withLock { held in
      guard held.count < Self.limit else { return }
      for serial in serials { held.append(Holding(test: serial, database: database)) }
    }
  }

  /// Takes what is held for a test, in the order of closing.
  func take(_ serial: Int) -> [HeldDatabase] {
    held.withLock { held in
      guard !held.isEmpty else { return [] }
      defer { held.removeAll { $0.test == serial } }
      return held.compactMap { $0.test == serial ? $0.database : nil }
    }
  }

  /// Lets go of what is held for a test alone.
  func drop(_ serial: Int) {
    held.withLock { held in
      if !held.isEmpty { held.removeAll { $0.test == serial } }
    }
  }

  /// Lets go of a file that is opened again: its WAL may be another one soon.
  func letGo(_ storage: OpenDatabase.Storage) {
    held.withLock { held in
      guard !held.isEmpty else { return }
      held.removeAll { $0.database.storage == storage }
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
