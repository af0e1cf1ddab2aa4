package struct DatabaseCapture: Sendable, Equatable, Codable {
  package enum Method: String, Sendable, Codable, CaseIterable {
    /// Through a connection of ours, in a read transaction.
    case readTransaction
    /// Through the file handles of the connection with the lock.
    case ownHandles
    /// By `sqlite3_backup` from the connection, or by `sqlite3_serialize` inside a transaction.
    case serialize
    /// With `immutable=1`: the file was open nowhere and had no WAL.
    case immutable
    /// By a helper process: the file is open in another copy of SQLite.
    case helper
    /// Held when its last connection closed while its test could still fail.
    case held
    case postMortem
    case raw
  }

  package enum WALState: String, Sendable, Codable, CaseIterable {
    case absent
    /// No frame since its last reset.
    case empty
    case committed
    /// Committed transactions that a checkpoint had copied already.
    case backfilled
    case uncommitted
    /// An incomplete header or first frame.
    case torn
    /// Reset while it was read, so the database file alone counts.
    case reset
    case foreign
  }

  package enum View: String, Sendable, Codable, CaseIterable {
    case alone
    /// With the foreign WAL, as SQLite reads it.
    case withForeignWAL
    /// With rows of an open transaction.
    case uncommitted
  }

  package var method: Method
  /// `nil` for the usual, committed state.
  package var view: View?
  package var wal: WALState
  /// A foreign WAL's signs, each as the end of "it is not its own:".
  package var walSigns: [String]?
  package var walFrames: WALFrames?
  package var databaseBytes: Int
  package var walBytes: Int
  /// The raw files' folder, relative to the run folder.
  package var history: String?
  package var baseline: String?
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
