/// Details of a captured database.
package struct DatabaseCapture: Sendable, Equatable, Codable {
  package enum Method: String, Sendable, Codable, CaseIterable {
    /// Bytes of database and WAL read through a connection of ours inside a read transaction.
    case readTransaction
    /// Bytes read through the file handles of the connection that holds the lock.
    case ownHandles
    /// Bytes that the connection itself returned: `sqlite3_backup`, or `sqlite3_serialize` inside a transaction.
    case serialize
    /// Bytes read with `immutable=1`; the process had the file open nowhere, and it had no WAL.
    case immutable
    /// Bytes that a helper process read, because the test process has the file open in another copy of SQLite.
    case helper
    /// A database that was kept readable when its last connection closed, because its test could still fail.
    case held
    /// A copy, recovered after the process that had the database open had died.
    case postMortem
    /// The files as they lie on disk, byte for byte, not opened.
    case raw
  }

  /// The state of the WAL at the moment of capture.
  package enum WALState: String, Sendable, Codable, CaseIterable {
    /// There is none: rollback mode, in memory, or no -wal file.
    case absent
    /// The file is empty, or has nothing since its last reset.
    case empty
    /// It has committed transactions, which are folded into the captured file.
    case committed
    /// It has committed transactions, and the database file had all of them already.
    case backfilled
    /// It has only the beginning of a transaction that was not committed.
    case uncommitted
    /// It has bytes, but its header or first frame is incomplete.
    case torn
    /// It was reset while it was read, so the database file alone is the consistent state.
    case reset
    /// It belongs to another database.
    case foreign
  }

  /// Tells apart several captured states of one database.
  package enum View: String, Sendable, Codable, CaseIterable {
    /// The database file without the foreign WAL beside it.
    case alone
    /// The database as SQLite reads it with that WAL.
    case withForeignWAL
    /// The database as its own connection saw it, with the rows of an open transaction.
    case uncommitted
  }

  package var method: Method
  /// `nil` for the usual state: the committed one, or the bytes of a file that is no database.
  package var view: View?
  package var wal: WALState
  /// The signs of a foreign WAL, each as the end of "it is not its own:"; `nil` for any other WAL.
  package var walSigns: [String]?
  /// The frames in the WAL, if there was one.
  package var walFrames: WALFrames?
  /// Sizes of the original files.
  package var databaseBytes: Int
  package var walBytes: Int
  /// The folder with the raw database and WAL, relative to the run folder, when it was kept.
  package var history: String?
  /// The database at the test's start, relative to the run folder, when the test marked it.
  package var baseline: String?
  /// One sentence for the reader about anything unusual.
  package var note: String?

  package init(
    method: Method, view: View? = nil, wal: WALState = .absent, walSigns: [String]? = nil,
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

  /// True when it includes rows of a transaction that was open.
  package var uncommitted: Bool {
    get { view == .uncommitted }
    set { view = newValue ? .uncommitted : view == .uncommitted ? nil : view }
  }

  func write(to text: inout JSONText) {
    text.member("method", method.rawValue)
    text.member("view", view?.rawValue)
    text.member("wal", wal.rawValue)
    if let walSigns { text.array("walSigns", walSigns) { $0.element($1) } }
    if let walFrames { text.object("walFrames") { walFrames.write(to: &$0) } }
    text.member("databaseBytes", databaseBytes)
    text.member("walBytes", walBytes)
    text.member("history", history)
    text.member("baseline", baseline)
    text.member("note", note)
  }
}
