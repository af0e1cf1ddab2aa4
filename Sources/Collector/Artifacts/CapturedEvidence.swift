package import ExhibitSQLite

/// What a piece of evidence is.
package enum EvidenceKind: String, Sendable, Codable, CaseIterable {
  case database, directory, file, text, data
}

/// When evidence stays after its test ended.
package enum EvidenceKeep: String, Sendable, Codable, CaseIterable {
  /// Dropped when the test passes.
  case onFailure
  case always
}

/// Something was captured and lies in the run folder.
package struct CapturedEvidence: LogPayload {
  package static let kind = "evidence"

  package var kind: EvidenceKind
  /// What readers call it; as given by the user or taken from the original's file name.
  package var name: String
  /// Where it lies, relative to the run folder.
  package var path: String
  /// The size of the file at `path`.
  package var bytes: Int
  /// The absolute path of the original; `nil` for what never was a file.
  package var source: String?
  package var keep: EvidenceKeep
  /// Seconds the capture took.
  package var duration: Double
  /// For a database: how it was captured and what is in it.
  package var database: DatabaseCapture?
  /// For a directory: what its archive holds and lacks.
  package var archive: DirectoryArchive?

  package init(
    kind: EvidenceKind, name: String, path: String, bytes: Int, source: String? = nil,
    keep: EvidenceKeep = .onFailure, duration: Double = 0, database: DatabaseCapture? = nil,
    archive: DirectoryArchive? = nil
  ) {
    self.kind = kind
    self.name = name
    self.path = path
    self.bytes = bytes
    self.source = source
    self.keep = keep
    self.duration = duration
    self.database = database
    self.archive = archive
  }

  private enum CodingKeys: String, CodingKey {
    case kind, name, path, bytes, source, keep, duration, database, archive
  }

  /// Reads every version 1.x of the format.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(EvidenceKind.self, forKey: .kind)
    name = try container.decode(String.self, forKey: .name)
    path = try container.decode(String.self, forKey: .path)
    bytes = try container.decode(Int.self, forKey: .bytes)
    source = try container.decodeIfPresent(String.self, forKey: .source)
    keep = try container.decode(EvidenceKeep.self, forKey: .keep)
    duration = try container.decode(Double.self, forKey: .duration)
    database = try container.decodeIfPresent(DatabaseCapture.self, forKey: .database)
      .map { EvidenceOfFormat1_0.completed($0, at: path) }
    archive = try container.decodeIfPresent(DirectoryArchive.self, forKey: .archive)
  }
}

/// How a database was captured.
package struct DatabaseCapture: Sendable, Equatable, Codable {
  package enum Method: String, Sendable, Codable, CaseIterable {
    /// Bytes of database and WAL read through a connection of ours inside a read transaction.
    case readTransaction
    /// Bytes read through the file handles of the connection that holds the lock.
    case ownHandles
    /// Through the connection itself: `sqlite3_backup`, or `sqlite3_serialize` inside a transaction.
    case serialize
    /// The file was open nowhere in the process and had no WAL: read with `immutable=1`.
    case immutable
    /// By a helper process, because a copy of SQLite that is not ours has the file open in the test process.
    case helper
    /// Kept readable when its last connection was closed, because its test could still fail.
    case held
    /// Copied, and recovered in the copy, after the process that had it open had died.
    case postMortem
    /// The files as they lie on disk, byte for byte, not opened.
    case raw
  }

  /// The state of the WAL at the moment of capture.
  package enum WALState: String, Sendable, Codable, CaseIterable {
    /// There is none: rollback mode, in memory, or no -wal file.
    case absent
    /// The file is empty or holds nothing since it was last reset.
    case empty
    /// It holds committed transactions; they are folded into the captured file.
    case committed
    /// It holds committed transactions, and all of them were in the database file already.
    case backfilled
    /// It holds only the beginning of a transaction that was not committed.
    case uncommitted
    /// It holds bytes, but its first frame or its own header is not whole.
    case torn
    /// It was reset while it was read, so the database file alone is the consistent state.
    case reset
    /// It is another database's.
    case foreign
  }

  /// Which state of its database a captured file is, where there is more than one.
  package enum View: String, Sendable, Codable, CaseIterable {
    /// The database file without the WAL beside it, which is not its own.
    case alone
    /// What SQLite reads of the database together with that WAL.
    case withForeignWAL
    /// As its own connection saw it, with the rows of a transaction that was still open.
    case uncommitted
  }

  package var method: Method
  /// `nil` for the usual one: what was committed, or the bytes of a file that is no database.
  package var view: View?
  package var wal: WALState
  /// Why the WAL is another database's, each reason as the end of "it is not its own:"; empty unless it is.
  package var walSigns: [String]
  /// What the WAL held, when it was one.
  package var walFrames: WALFrames?
  /// Sizes of the original files.
  package var databaseBytes: Int
  package var walBytes: Int
  /// The folder with the raw database and WAL, relative to the run folder, when it was kept.
  package var history: String?
  /// The database as it was when the test started from it, relative to the run folder, when the test said so.
  package var baseline: String?
  /// One sentence for the reader about what was unusual.
  package var note: String?

  package init(
    method: Method, view: View? = nil, wal: WALState = .absent, walSigns: [String] = [],
    walFrames: WALFrames? = nil, databaseBytes: Int, walBytes: Int = 0, history: String? = nil,
    baseline: String? = nil, note: String? = nil
  ) {
    self.method = method
    self.view = view
    self.wal = wal
    self.walSigns = walSigns
    self.walFrames = walFrames
    self.databaseBytes = databaseBytes
    self.walBytes = walBytes
    self.history = history
    self.baseline = baseline
    self.note = note
  }

  /// Whether rows of a transaction that was still open are in it.
  package var uncommitted: Bool {
    get { view == .uncommitted }
    set { view = newValue ? .uncommitted : view == .uncommitted ? nil : view }
  }
}

/// The frames of a WAL, each of which holds one page of the database.
package struct WALFrames: Sendable, Equatable, Codable {
  package var committed: Int
  /// How many transactions the committed frames belong to.
  package var transactions: Int
  /// Valid frames after the last commit: of a transaction that was open, or ended with its process.
  package var uncommitted: Int
  /// Whether a frame follows that is not whole: cut off, damaged, or left over from a transaction rolled back.
  package var isBroken: Bool

  package init(committed: Int = 0, transactions: Int = 0, uncommitted: Int = 0, isBroken: Bool = false) {
    self.committed = committed
    self.transactions = transactions
    self.uncommitted = uncommitted
    self.isBroken = isBroken
  }

  /// As they were counted when the WAL was read.
  package init(_ frames: WALIndex.Frames) {
    self.init(
      committed: frames.committed, transactions: frames.transactions, uncommitted: frames.uncommitted,
      isBroken: frames.isBroken)
  }

  private enum CodingKeys: String, CodingKey {
    case committed, transactions, uncommitted
    case isBroken = "broken"
  }
}

/// What an archive of a directory holds and lacks.
package struct DirectoryArchive: Sendable, Equatable, Codable {
  /// Something in the directory that is not in the archive.
  package struct Skipped: Sendable, Equatable, Codable {
    /// Relative to the directory.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// `zip` or `tar.zst`; later formats get names of their own.
  package var format: String
  package var entries: Int
  package var skipped: [Skipped]

  package init(format: String = "zip", entries: Int, skipped: [Skipped] = []) {
    self.format = format
    self.entries = entries
    self.skipped = skipped
  }
}

/// Something that should have been captured was not.
package struct CaptureFailure: LogPayload {
  package static let kind = "captureFailed"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case closed, busy, notADatabase, foreignHandle, foreignWAL, hotJournal, overBudget, outsideTest
    case notAllowed, missing, io, unsupported
  }

  package var kind: EvidenceKind
  package var name: String
  package var source: String?
  package var reason: Reason
  /// One sentence for the reader: what is missing, why, and what can be done.
  package var message: String
  /// The size of what was left out, when known.
  package var bytes: Int?

  package init(
    kind: EvidenceKind, name: String, source: String? = nil, reason: Reason, message: String,
    bytes: Int? = nil
  ) {
    self.kind = kind
    self.name = name
    self.source = source
    self.reason = reason
    self.message = message
    self.bytes = bytes
  }
}
