/// The state of a database file and its use in this process; a plan depends on nothing else.
package struct DatabaseSituation: Equatable, Sendable {
  /// The kind of thing at the path of the file.
  package enum FileKind: Sendable, CaseIterable {
    case nothing, noRegularFile, file
  }

  /// The journal mode in a database's header.
  package enum Mode: Sendable, CaseIterable {
    case rollback, wal
  }

  /// The rollback journal beside a database.
  package enum Journal: Sendable, CaseIterable {
    case none
    /// It has nothing to roll back: it is empty or has a zeroed header.
    case spent
    /// It must be rolled back, unless its transaction is still open.
    case hot
  }

  package var file: FileKind = .nothing
  /// True when any code of this process has the file open.
  package var isOpenHere = false
  /// True when connections of this process to the file are known.
  package var hasConnections = false
  /// True when one of them belongs to the failed test.
  package var hasConnectionsOfFailedTest = false
  package var bytes = 0
  package var walBytes = 0
  /// True when any code of this process has the WAL open.
  package var isWALOpenHere = false
  package var hasSharedMemory = false
  /// `nil` when the file does not begin like a database.
  package var mode: Mode?
  package var journal: Journal = .none

  package init() {}

  /// True when a connection of ours would create no file; the first reader of a WAL database makes -shm and -wal.
  package var mayBeOpened: Bool {
    // SQLite deletes the WAL beside an empty file.
    if bytes == 0 { return walBytes == 0 }
    return hasSharedMemory || isWALOpenHere || walBytes == 0 && mode != .wal
  }
}

/// A change since the strategy was chosen.
package enum SituationChange: Sendable, Equatable, CaseIterable {
  /// Another connection keeps readers out.
  case busy
  /// A read transaction found a journal that must be rolled back first.
  case hotJournal
  /// Somebody wrote the files, or reset the WAL, while they were copied.
  case filesChanged
  /// A file that existed is gone.
  case fileGone
}

/// The strategy for the committed state of a database file, chosen before anything is copied.
package enum CapturePlan: String, Sendable, CaseIterable, CustomStringConvertible {
  case live, readTransaction, files, journal, serialized, helper, left, raw, refused

  /// - Parameter change: The reason why the previous plan failed.
  package init(for situation: DatabaseSituation, after change: SituationChange? = nil) {
    switch situation.file {
    case .nothing: self = situation.hasConnectionsOfFailedTest ? .serialized : .left
    case .noRegularFile: self = .refused
    case .file:
      // An opened file must be closed, which drops the locks of a SQLite that is not ours.
      if situation.isOpenHere, !situation.hasConnections {
        self = .helper
      } else if !situation.isOpenHere, situation.hasConnectionsOfFailedTest {
        self = .serialized
      } else if change == .hotJournal, situation.journal != .none {
        self = .journal
      } else if situation.isOpenHere, situation.mayBeOpened {
        self = .live
      } else {
        self = Self.ofClosed(situation)
      }
    }
  }

  /// The plan when nobody in this process uses the WAL and no file may be created beside the database.
  private static func ofClosed(_ situation: DatabaseSituation) -> CapturePlan {
    if situation.walBytes > 0 { return .files }
    // The first transaction of a database writes the header last, so until then nothing in the file counts.
    if situation.bytes == 0 { return .readTransaction }
    let isHot = situation.journal == .hot
    switch situation.mode {
    case .rollback: return .readTransaction
    case .wal: return isHot ? .journal : .files
    case nil: return isHot ? .readTransaction : .raw
    }
  }

  package var description: String {
    switch self {
    case .live:
      "a read transaction while the connections of this process wait, or the handles of who holds the lock"
    case .readTransaction: "a read transaction: nobody in this process uses it"
    case .files: "its files, again until nobody changes them meanwhile"
    case .journal: "its file and its journal, to be rolled back in the copy"
    case .serialized: "from the memory of the failed test's connection: the path leads to it no more"
    case .helper: "by another process: code that is not known has it open in this one"
    case .left: "what is left beside it: there is no file"
    case .raw: "byte for byte: it is no database"
    case .refused: "not at all: it is no regular file"
    }
  }
}
