import ExhibitCSystem
import ExhibitSystem
import Foundation

/// A server connection with one deadline for all work.
///
/// `@unchecked`: it is used by one thread at a time, the opening one and then the waiting one.
final class PostgreSQLConnection: @unchecked Sendable {
  private static let oldest: Int32 = 120_000

  private let pointer: OpaquePointer
  private let functions: exhibit_postgresql_functions
  private let deadline: ContinuousClock.Instant

  // MARK: - Opening

  /// Connects on a separate thread.
  ///
  /// libpq's name lookups, `.pgpass` and Kerberos have no timeout. After the deadline the thread is abandoned and
  /// closes what it opens.
  static func opened(_ address: ServerAddress, by deadline: ContinuousClock.Instant) throws(PostgreSQLError)
    -> PostgreSQLConnection
  {
    let opened = Locked<Result<PostgreSQLConnection, PostgreSQLError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let result = Result { () throws(PostgreSQLError) in
        let connection = try PostgreSQLConnection(address, deadline)
        try connection.connect()
        return connection
      }
      opened.withLock { $0 = result }
      done.signal()
    }
    let left = max(0, (deadline - .now) / .seconds(1))
    guard done.wait(timeout: .now() + left) == .success, let result = opened.withLock({ $0.take() }) else {
      throw PostgreSQLError(.late)
    }
    return try result.get()
  }

  private init(_ address: ServerAddress, _ deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    functions = try PostgreSQLLibrary.functions.get()
    self.deadline = deadline
    // Later settings override; `dbname` holds the whole address.
    let settings = [
      ("fallback_application_name", "Exhibit reporter"), ("dbname", address.text),
      ("client_encoding", "UTF8"),
    ]
    let keywords = settings.map { strdup($0.0) } + [nil]
    let values = settings.map { strdup($0.1) } + [nil]
    defer { for copy in keywords + values { free(copy) } }
    let pointer = functions.PQconnectStartParams(
      keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
    guard let pointer else { throw PostgreSQLError(.unreachable, "no memory") }
    self.pointer = pointer
  }

  deinit { functions.PQfinish(pointer) }

  private func connect() throws(PostgreSQLError) {
    // By default notices are printed.
    _ = functions.PQsetNoticeProcessor(pointer, exhibit_postgresql_ignore, nil)
    guard Int32(functions.PQstatus(pointer)) != EXHIBIT_PQ_CONNECTION_BAD else { throw error(.unreachable) }
    var isReading = false
    while true {
      try wait(isReading ? POLLIN : POLLOUT)
      switch Int32(functions.PQconnectPoll(pointer)) {
      case EXHIBIT_PQ_POLLING_OK:
        guard functions.PQserverVersion(pointer) >= Self.oldest else {
          throw PostgreSQLError(.old, "\(functions.PQserverVersion(pointer) / 10_000)")
        }
        guard functions.PQsetnonblocking(pointer, 1) == 0 else { throw error(.unreachable) }
        return
      case EXHIBIT_PQ_POLLING_FAILED: throw error(.unreachable)
      case let state: isReading = state == EXHIBIT_PQ_POLLING_READING
      }
    }
  }

  var millisecondsLeft: Int { Int(max(0, (deadline - .now) / .seconds(1)) * 1000) }

  private func wait(_ events: Int32) throws(PostgreSQLError) {
    var descriptor = pollfd(fd: functions.PQsocket(pointer), events: Int16(events), revents: 0)
    guard descriptor.fd >= 0 else { throw error(.lost) }
    while true {
      let left = millisecondsLeft
      guard left > 0 else { throw PostgreSQLError(.late) }
      let count = poll(&descriptor, 1, Int32(clamping: left))
      if count > 0 { return }
      if count < 0, errno != EINTR {
        throw PostgreSQLError(.lost, SystemError.message(for: errno))
      }
    }
  }

  private func error(_ kind: PostgreSQLError.Kind) -> PostgreSQLError {
    PostgreSQLError(kind, functions.PQerrorMessage(pointer).map { String(cString: $0) } ?? "")
  }

  // MARK: - Statements

  func run(_ statements: [String]) throws(PostgreSQLError) {
    guard functions.PQsendQuery(pointer, statements.joined(separator: "; ")) == 1 else { throw error(.lost) }
    _ = try results()
  }

  private func results() throws(PostgreSQLError) -> PostgreSQLRows {
    while true {
      switch functions.PQflush(pointer) {
      case 0: return try readResults()
      case 1:
        try wait(POLLIN | POLLOUT)
        guard functions.PQconsumeInput(pointer) == 1 else { throw error(.lost) }
      default: throw error(.lost)
      }
    }
  }

  private func readResults() throws(PostgreSQLError) -> PostgreSQLRows {
    let rows = PostgreSQLRows()
    while true {
      while functions.PQisBusy(pointer) == 1 {
        try wait(POLLIN)
        guard functions.PQconsumeInput(pointer) == 1 else { throw error(.lost) }
      }
      guard let result = functions.PQgetResult(pointer) else { return rows }
      defer { functions.PQclear(result) }
      switch Int32(functions.PQresultStatus(result)) {
      case EXHIBIT_PQ_SINGLE_TUPLE, EXHIBIT_PQ_TUPLES_OK, EXHIBIT_PQ_COMMAND_OK:
        try rows.append(result, functions)
      default:
        guard let state = field(EXHIBIT_PQ_FIELD_STATE, of: result) else { throw error(.lost) }
        throw PostgreSQLError(.server(state: state), field(EXHIBIT_PQ_FIELD_MESSAGE, of: result) ?? "")
      }
    }
  }

  private func field(_ field: Int32, of result: OpaquePointer) -> String? {
    functions.PQresultErrorField(result, field).map { String(cString: $0) }
  }
}

extension PostgreSQLConnection: HistoryConnection {
  func keepPassesFromOthers() throws {
    try execute("SELECT pg_advisory_xact_lock(\(HistorySchema.applicationID), 2)")
  }

  /// - Throws: `PostgreSQLError`.
  func rows(_ sql: String, _ values: [HistoryValue]) throws -> any HistoryRows {
    let parameters = Parameters(values)
    let isSent = parameters.bytes.withUnsafeBytes { bytes in
      let pointers = parameters.starts.map { start in
        start.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return functions.PQsendQueryParams(
        pointer, Self.numbered(sql), Int32(pointers.count), parameters.types, pointers, parameters.lengths,
        parameters.formats, 0)
    }
    guard isSent == 1 else { throw error(.lost) }
    // Limits a large result while it arrives.
    guard functions.PQsetSingleRowMode(pointer) == 1 else { throw error(.lost) }
    return try results()
  }

  /// Replaces question marks by `$1`, `$2`; our SQL has no others.
  private static func numbered(_ sql: String) -> String {
    var number = 0
    var numbered = ""
    for part in sql.split(separator: "?", omittingEmptySubsequences: false) {
      if number > 0 { numbered += "$\(number)" }
      numbered += part
      number += 1
    }
    return numbered
  }

  /// Parameters for libpq, with one buffer.
  private struct Parameters {
    var bytes: [UInt8] = []
    /// `nil` for NULL.
    var starts: [Int?] = []
    var types: [UInt32] = []
    var lengths: [Int32] = []
    /// 1 for binary.
    var formats: [Int32] = []

    init(_ values: [HistoryValue]) {
      for value in values {
        switch value {
        case .null: add(nil, 0)
        case .integer(let integer): add("\(integer)".utf8, EXHIBIT_PQ_INT8)
        case .real(let real): add("\(real)".utf8, EXHIBIT_PQ_FLOAT8)
        case .text(let text): add(text.withoutZeros.utf8, EXHIBIT_PQ_TEXT)
        case .blob(let blob): add(blob, EXHIBIT_PQ_BYTEA, isBinary: true)
        }
      }
    }

    private mutating func add(_ value: (any Collection<UInt8>)?, _ type: Int32, isBinary: Bool = false) {
      starts.append(value == nil ? nil : bytes.count)
      types.append(UInt32(type))
      lengths.append(Int32(clamping: value?.count ?? 0))
      formats.append(isBinary ? 1 : 0)
      if let value { bytes += Array(value) + [0] }
    }
  }
}
