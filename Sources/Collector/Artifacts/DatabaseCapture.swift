/// How a database was captured, and in which state.
package struct DatabaseCapture: Sendable, Equatable, Codable {
  package enum Method: String, Sendable, Codable, CaseIterable {
    /// Read through a connection of ours, in a read transaction.
    case readTransaction
    /// Read through the file handles of the connection with the lock.
    case ownHandles
    /// Copied by SQLite from the connection: `sqlite3_backup`, or `sqlite3_serialize` inside a transaction.
    case serialize
    /// Read with `immutable=1`: the file was open nowhere and had no WAL.
    case immutable
    /// Read by a helper process: the file is open in another copy of SQLite.
    case helper
    /// Held when its last connection closed while its test could still fail.
    case held
    /// Recovered after its process died.
    case postMortem
    case raw
  }

  /// What the WAL had when it was captured.
  package enum WALState: String, Sendable, Codable, CaseIterable {
    case absent
    /// No frame since its last reset.
    case empty
    /// Committed transactions, now part of the captured file.
    case committed
    /// Committed transactions that a checkpoint had copied already.
    case backfilled
    /// Only uncommitted frames.
    case uncommitted
    /// An incomplete header or first frame.
    case torn
    /// Reset while it was read, so the database file alone counts.
    case reset
    case foreign
  }

  /// Which of several captured states of one database it is.
  package enum View: String, Sendable, Codable, CaseIterable {
    /// Without the foreign WAL.
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
  /// The signs of a foreign WAL, each as the end of "it is not its own:"; `nil` for any other WAL.
  package var walSigns: [String]?
  /// The frames in the WAL, if there was one.
  package var walFrames: WALFrames?
  package var databaseBytes: Int
  package var walBytes: Int
  /// The raw files' folder, relative to the run folder.
  package var history: String?
  /// The database at the test's start, relative to the run folder.
  package var baseline: String?
  /// A sentence about anything unusual.
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
