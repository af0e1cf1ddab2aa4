/// What a plan depends on: a database file's state and its use in this process.
package struct DatabaseSituation: Equatable, Sendable {
  package enum FileKind: Sendable, CaseIterable {
    case nothing, noRegularFile, file
  }

  package enum Mode: Sendable, CaseIterable {
    case rollback, wal
  }

  package enum Journal: Sendable, CaseIterable {
    case none
    /// Empty or with a zeroed header.
    case spent
    case hot
  }

  package var file: FileKind = .nothing
  /// True when any code of this process has it open.
  package var isOpenHere = false
  package var hasConnections = false
  package var hasConnectionsOfFailedTest = false
  package var bytes = 0
  package var walBytes = 0
  package var isWALOpenHere = false
  package var hasSharedMemory = false
  /// `nil` when the file does not begin like a database.
  package var mode: Mode?
  package var journal: Journal = .none

  package init() {}

  /// True when our connection would make no file: a WAL database's first reader makes -shm and -wal.
  package var mayBeOpened: Bool {
    // SQLite deletes the WAL beside an empty file.
    if bytes == 0 { return walBytes == 0 }
    return hasSharedMemory || isWALOpenHere || walBytes == 0 && mode != .wal
  }
}

package enum SituationChange: Sendable, Equatable, CaseIterable {
  case busy
  case hotJournal
  /// They were written, or the WAL reset, while they were copied.
  case filesChanged
  case fileGone
}

package enum CapturePlan: String, Sendable, CaseIterable, CustomStringConvertible {
  case live, readTransaction, files, journal, serialized, helper, left, raw, refused

  package init(for situation: DatabaseSituation, after change: SituationChange? = nil) {
    switch situation.file {
    case .nothing: self = situation.hasConnectionsOfFailedTest ? .serialized : .left
    case .noRegularFile: self = .refused
    case .file:
      // Closing the file would drop the locks of a SQLite that is not ours.
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

  /// No file may be created, and this process has no WAL open.
  private static func ofClosed(_ situation: DatabaseSituation) -> CapturePlan {
    if situation.walBytes > 0 { return .files }
    // A database's first transaction writes the header last.
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
