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

  func write(to text: inout JSONText) {
    text.member("method", method.rawValue)
    text.member("view", view?.rawValue)
    // What readers of 1.0 know of the view.
    text.member("uncommitted", uncommitted)
    text.member("wal", wal.rawValue)
    if !walSigns.isEmpty { text.array("walSigns", walSigns) { $0.element($1) } }
    if let walFrames { text.object("walFrames") { walFrames.write(to: &$0) } }
    text.member("databaseBytes", databaseBytes)
    text.member("walBytes", walBytes)
    text.member("history", history)
    text.member("baseline", baseline)
    text.member("note", note)
  }
}
