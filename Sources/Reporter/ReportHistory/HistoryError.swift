import ExhibitSQLite
import ReportModel

/// A history that cannot be read or written, with what can be done about it.
package struct HistoryError: Error, Equatable, CustomStringConvertible {
  package enum Problem: Sendable, Equatable {
    /// There is no such file.
    case missing
    /// The file cannot be opened, in the system's words.
    case unreadable(String)
    /// The file is no database, or another application's.
    case foreign
    /// Its tables, views and triggers are not those of its version.
    case altered
    /// An earlier reporter wrote it, or a later one.
    case older(version: Int)
    case newer(version: Int)
    /// It is in WAL mode, which an application has switched on.
    case walMode
    /// It has more bytes than a history may have.
    case tooLarge
    /// A process that wrote it has died, and its journal is to be rolled back.
    case interrupted
    /// Another process has it.
    case locked
    case damaged(String)
    /// It cannot be written: a full disk, a read-only folder.
    case unwritable(String)
    /// The room of removed rows cannot be given back.
    case unshrunk(String)
    /// A run is not added to it, since the clock of its machine was ahead.
    case ahead(began: Double)
    /// It does not answer in time.
    case slow
    /// The address of a server is none, in a sentence.
    case badAddress(String)
    /// libpq cannot be loaded.
    case noLibrary(String)
    /// There is no way to the server, or it lets nobody in.
    case unreachable(String)
    /// It runs a version of PostgreSQL whose SQL is not spoken.
    case oldServer(version: String)
    /// The server did not answer in time.
    case late(seconds: Double)
    /// The connection was lost when the server was to keep what was written.
    case uncertain(String)
  }

  package var path: String
  package var problem: Problem

  init(_ path: String, _ problem: Problem) {
    (self.path, self.problem) = (path, problem)
  }

  /// - Parameter version: That of a history, which is another than is read.
  init(_ path: String, version: Int) {
    self.init(path, version < HistorySchema.version ? .older(version: version) : .newer(version: version))
  }

  /// - Parameter isWriting: True when the file was to be changed.
  init(_ path: String, _ error: SQLiteError, isWriting: Bool) {
    self.init(path, Self.problem(of: error, isWriting))
  }

  private static func problem(of error: SQLiteError, _ isWriting: Bool) -> Problem {
    if error.isBusy { return .locked }
    if error.isHotJournal { return .interrupted }
    if error.isDamage { return .damaged(error.message) }
    if error.isInterruption { return .slow }
    return isWriting ? .unwritable(error.message) : .unreadable(error.message)
  }

  /// The word for another place.
  private var another: String { ServerAddress.isAddress(path) ? "database" : "file" }

  /// True when there is no history yet, which is nothing wrong.
  package var isAbsence: Bool { problem == .missing }

  /// Sentences for who was to add a run.
  package var whenAdding: String {
    switch problem {
    case .locked, .late, .unreachable, .uncertain:
      "\(self) `reporter report --history-access add` adds the run later."
    default: "\(self)"
    }
  }

  /// True when another attempt would wait for the same.
  package var isWait: Bool {
    if case .late = problem { return true }
    return problem == .locked
  }

  /// Sentences: what is the matter, and what to do.
  package var description: String {
    switch problem {
    case .missing: "There is no history at \(path)."
    case .unreadable(let reason): "The history \(path) cannot be read: \(reason)."
    case .foreign:
      "\(path) is no history of tests, and was left as it is. Name another \(another) with --history."
    case .altered:
      "The tables or views of the history \(path) are not those that reporter made; it was left as it is. Move it away, "
        + "or name another \(another) with --history."
    case .older(let version):
      "The history \(path) is of the earlier version \(version), not \(HistorySchema.version), and was left as it is. Move it away, or "
        + "name another \(another) with --history: the next run that is added begins a new one."
    case .newer(let version):
      "The history \(path) is of the later version \(version), and was left as it is. Use that reporter, or name another "
        + "\(another) with --history."
    case .walMode:
      "The history \(path) is in WAL mode, and was left as it is. `sqlite3 \(shellQuoted(path)) 'PRAGMA journal_mode = "
        + "DELETE'` ends that."
    case .tooLarge:
      "The history \(path) is larger than \(HistoryFile.mostBytes >> 20) MiB, and was left as it is. Move it away; "
        + "`reporter history prune --keep-days 90` keeps one small."
    case .interrupted:
      "A process died while it wrote the history \(path). `sqlite3 \(shellQuoted(path)) 'PRAGMA user_version'` takes back "
        + "what it had begun, and so does the next `reporter test`."
    case .locked:
      "The history \(path) is in use by another process."
    case .damaged(let reason):
      "The history \(path) is damaged, and was left as it is: \(reason). Move it away, or `sqlite3 \(shellQuoted(path)) "
        + ".recover` may save it."
    case .unwritable(let reason):
      "The history \(path) cannot be written: \(reason). What was begun is taken back."
    case .unshrunk(let reason):
      "The room of removed runs in the history \(path) could not be given back: \(reason). The same command tries once more."
    case .ahead(let began):
      "It began at \(timeText(began) ?? "a time"), more than a day ahead of the clock here, and would stay the newest run. Set "
        + "the clock of its machine."
    case .slow:
      "The history \(path) did not answer in time. `reporter history prune --keep-days 90` makes it smaller."
    case .badAddress(let sentence): sentence
    case .noLibrary(let reason):
      "The history \(path) needs libpq, which cannot be loaded: \(reason). `apt-get install libpq5` installs it."
    case .unreachable(let reason):
      "The history \(path) cannot be reached: \(reason)."
    case .oldServer(let version):
      "The history \(path) is on PostgreSQL \(version); 12 is the first that is spoken. Name another with --history."
    case .late(let seconds):
      "The history \(path) did not answer within \(counted(Int(seconds), "second")). `connect_timeout` in the address gives more "
        + "time."
    case .uncertain(let reason):
      "Whether the history \(path) has what was written is not known: \(reason.isEmpty ? "it did not answer" : reason). "
        + "The same once more is safe."
    }
  }
}
