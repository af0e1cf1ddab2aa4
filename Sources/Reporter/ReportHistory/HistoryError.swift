import ExhibitSQLite
import ReportModel

/// Why a history cannot be used, and what to do.
package struct HistoryError: Error, Equatable, CustomStringConvertible {
  package enum Problem: Sendable, Equatable {
    case missing
    case unreadable(String)
    /// No database, or another application's.
    case foreign
    /// Its schema is not that of its version.
    case altered
    /// An earlier reporter wrote it, or a later one.
    case older(version: Int)
    case newer(version: Int)
    /// An application switched it to WAL mode.
    case walMode
    case tooLarge
    /// A writer died and left a hot journal.
    case interrupted
    case locked
    case damaged(String)
    /// Such as a full disk or read-only folder.
    case unwritable(String)
    case unshrunk(String)
    /// A run's clock was ahead.
    case ahead(began: Double)
    case slow
    case badAddress(String)
    /// libpq cannot be loaded.
    case noLibrary(String)
    /// The server cannot be reached or refuses access.
    case unreachable(String)
    case oldServer(version: String)
    case late(seconds: Double)
    /// The connection was lost during the commit.
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

  private var another: String { ServerAddress.isAddress(path) ? "database" : "file" }

  /// True when there is no history yet, which is nothing wrong.
  package var isAbsence: Bool { problem == .missing }

  package var whenAdding: String {
    switch problem {
    case .locked, .late, .unreachable, .uncertain:
      "\(self) `reporter report --history-access add` adds the run later."
    default: "\(self)"
    }
  }

  /// True when another attempt would wait as long.
  package var isWait: Bool {
    if case .late = problem { return true }
    return problem == .locked
  }

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
