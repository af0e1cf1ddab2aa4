import ExhibitSystem
import Foundation

/// A history on a PostgreSQL server.
///
/// All its work has one time limit, after which a report is written without it.
package struct HistoryServer: HistoryStore {
  /// Seconds, unless the address sets a timeout.
  private static let patience = 10.0
  /// The advisory lock that separates migrations from writes.
  private static let lock = "\(HistorySchema.applicationID), 1"

  private let address: Result<ServerAddress, ServerAddress.Refusal>
  package var mostRunsAtOnce = 50
  private let patience: Double
  private let time: Locked<Double>

  package init(_ address: String) {
    self.init(Result { () throws(ServerAddress.Refusal) in try ServerAddress(address) })
  }

  private init(_ address: Result<ServerAddress, ServerAddress.Refusal>) {
    self.address = address
    // A refusal is reported at first use.
    patience = (try? address.get())?.patience ?? Self.patience
    time = Locked(patience)
  }

  package var name: String { (try? address.get())?.name ?? "on the server" }

  /// Unknown before asking the server.
  package var exists: Bool { true }

  package var renewed: HistoryServer {
    var renewed = HistoryServer(address)
    renewed.mostRunsAtOnce = mostRunsAtOnce
    return renewed
  }

  /// The server does it itself.
  package func shrink() {}

  // MARK: - Transactions

  package func read<Answer>(_ body: (any HistoryConnection) throws -> Answer) throws(HistoryError) -> Answer {
    try working(isWriting: false) { connection in
      try begin("REPEATABLE READ READ ONLY", on: connection)
      guard try state(on: connection).isWhole else { throw HistoryError(name, .missing) }
      return try body(connection)
    }
  }

  package func write<Answer>(isMaking: Bool, _ body: (any HistoryConnection) throws -> Answer?)
    throws(HistoryError) -> Answer?
  {
    try working(isWriting: true) { connection -> Answer? in
      try beginWriting(on: connection, isMaking: isMaking)
      guard let answer = try body(connection) else {
        try connection.run(["ROLLBACK"])
        return nil
      }
      do {
        try connection.run(["COMMIT"])
      } catch let error as PostgreSQLError where error.kind == .lost || error.kind == .late {
        throw HistoryError(name, .uncertain(error.message))
      }
      return answer
    }
  }

  /// Begins a transaction in which tables stay what they are, and makes them before.
  private func beginWriting(on connection: PostgreSQLConnection, isMaking: Bool) throws {
    try begin("READ COMMITTED", on: connection)
    // Writers share the lock; migrations and pruning exclude them.
    let locking = isMaking ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock"
    try connection.execute("SELECT \(locking)(\(Self.lock))")
    if try state(on: connection).isWhole { return }
    guard isMaking else { throw HistoryError(name, .missing) }
    try connection.run(["ROLLBACK"])
    try begin("READ COMMITTED", on: connection)
    try connection.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
    // Another process may have done it meanwhile.
    let found = try state(on: connection)
    if !found.isWhole { try connection.run(ServerSchema.making(isMade: found.isMade)) }
  }

  private func begin(_ isolation: String, on connection: PostgreSQLConnection) throws {
    let milliseconds = max(1, connection.millisecondsLeft)
    try connection.run(
      ["BEGIN TRANSACTION ISOLATION LEVEL \(isolation)"]
        + [
          "statement_timeout = \(milliseconds)",
          "idle_in_transaction_session_timeout = \(milliseconds + 1000)",
          "search_path = \(ServerSchema.path)", "bytea_output = hex", "extra_float_digits = 1", "jit = off",
        ].map { "SET LOCAL " + $0 })
  }

  /// True for a history with its tables, and for its schema; what is no history of this version is refused.
  private func state(on connection: PostgreSQLConnection) throws -> (isWhole: Bool, isMade: Bool) {
    let lines = Set(try connection.all(ServerSchema.question) { $0.shortText(at: 0) ?? "" })
    if lines.isEmpty { return (false, false) }
    if lines == ["schema"] { return (false, true) }
    guard lines.contains("history_version r 0") else { throw HistoryError(name, .foreign) }
    let versions = try connection.integers("SELECT version FROM history_version LIMIT 2")
    guard versions.count == 1, let version = versions.first, version > 0 else {
      throw HistoryError(name, .altered)
    }
    guard version == HistorySchema.version else { throw HistoryError(name, version: Int(version)) }
    guard lines == ServerSchema.lines else { throw HistoryError(name, .altered) }
    return (true, true)
  }

  // MARK: - Time and errors

  /// Retries conflicts with other processes until the time limit.
  private func working<Answer>(
    isWriting: Bool, _ body: (PostgreSQLConnection) throws -> Answer
  ) throws(HistoryError) -> Answer {
    let address: ServerAddress
    do { address = try self.address.get() } catch { throw HistoryError(name, .badAddress("\(error)")) }
    let start = ContinuousClock.now
    let deadline = start + .seconds(time.withLock { $0 })
    defer { time.withLock { $0 -= (.now - start) / .seconds(1) } }
    while true {
      do {
        guard .now < deadline else { throw PostgreSQLError(.late) }
        return try body(try PostgreSQLConnection.opened(address, by: deadline))
      } catch let error as HistoryError {
        throw error
      } catch let error as PostgreSQLError {
        if !error.isConflict { throw HistoryError(name, problem(of: error, isWriting)) }
      } catch is HistoryConflict {
        // Try again.
      } catch {
        throw HistoryError(name, isWriting ? .unwritable("\(error)") : .unreadable("\(error)"))
      }
      usleep(.random(in: 1000...50_000))
    }
  }

  private func problem(of error: PostgreSQLError, _ isWriting: Bool) -> HistoryError.Problem {
    switch error.kind {
    case .noLibrary: return .noLibrary(error.message)
    case .unreachable: return .unreachable(error.message)
    case .late: return .late(seconds: patience)
    case .old: return .oldServer(version: error.message)
    case .server(state: "57014"): return .late(seconds: patience)
    case .lost, .tooLarge, .server:
      let state = if case .server(let state) = error.kind { " (\(state))" } else { "" }
      let reason = error.kind == .tooLarge ? "the answer is too large" : error.message + state
      return isWriting ? .unwritable(reason) : .unreadable(reason)
    }
  }
}

extension PostgreSQLError {
  /// Deadlock, serialization failure, unique or exclusion violation.
  fileprivate var isConflict: Bool {
    [.server(state: "40P01"), .server(state: "40001"), .server(state: "23505"), .server(state: "23P01")]
      .contains(kind)
  }
}
