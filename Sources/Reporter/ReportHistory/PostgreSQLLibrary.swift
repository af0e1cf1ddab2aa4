import ExhibitCSystem

/// libpq, loaded on first use.
enum PostgreSQLLibrary {
  static let functions: Result<exhibit_postgresql_functions, PostgreSQLError> = {
    let functions = UnsafeMutablePointer<exhibit_postgresql_functions>.allocate(capacity: 1)
    defer { functions.deallocate() }
    if let problem = exhibit_postgresql_load(functions) {
      return .failure(PostgreSQLError(.noLibrary, String(cString: problem)))
    }
    return .success(functions.pointee)
  }()
}

/// An error of the server, the connection or libpq.
struct PostgreSQLError: Error, Equatable {
  enum Kind: Sendable, Equatable {
    case noLibrary
    case unreachable
    case late
    case lost
    /// The result exceeds the limit.
    case tooLarge
    case server(state: String)
    /// The server version is unsupported.
    case old
  }

  var kind: Kind
  /// On one line, possibly empty.
  var message: String

  private static let most = 400

  init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    let lines = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let text = String(decoding: lines.utf8.prefix(Self.most), as: UTF8.self)
    self.message = text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

final class PostgreSQLRows: HistoryRows {
  /// A limit for hostile servers.
  private static let mostBytes = 512 << 20

  private var bytes: [UInt8] = []
  private var cells: [Range<Int>?] = []
  private var columns = 0
  private var start: Int?

  /// Appends the rows of a partial or whole result.
  func append(
    _ result: OpaquePointer, _ functions: exhibit_postgresql_functions
  ) throws(PostgreSQLError) {
    columns = Int(functions.PQnfields(result))
    for row in 0..<functions.PQntuples(result) {
      for column in 0..<functions.PQnfields(result) {
        guard functions.PQgetisnull(result, row, column) == 0 else {
          cells.append(nil)
          continue
        }
        let value = UnsafeRawBufferPointer(
          start: functions.PQgetvalue(result, row, column),
          count: max(0, Int(functions.PQgetlength(result, row, column))))
        guard bytes.count + value.count <= Self.mostBytes else { throw PostgreSQLError(.tooLarge) }
        cells.append(bytes.count..<bytes.count + value.count)
        bytes += value
      }
    }
  }

  func step() -> Bool {
    let next = start.map { $0 + columns } ?? 0
    start = next
    return columns > 0 && next + columns <= cells.count
  }

  private func cell(_ column: Int32) -> ArraySlice<UInt8>? {
    let index = (start ?? 0) + Int(column)
    guard Int(column) < columns, cells.indices.contains(index), let range = cells[index] else { return nil }
    return bytes[range]
  }

  private func word(_ column: Int32) -> String {
    cell(column).map { String(decoding: $0.prefix(64), as: UTF8.self) } ?? ""
  }

  func isNull(at column: Int32) -> Bool { cell(column) == nil }
  func integer(at column: Int32) -> Int64 { Int64(word(column)) ?? 0 }
  func real(at column: Int32) -> Double { Double(word(column)) ?? 0 }

  func text(at column: Int32, limit: Int) -> String? {
    cell(column).map { String(decoding: $0.prefix(limit), as: UTF8.self) }
  }

  /// Decodes `bytea` in hex format; empty for NULL or other formats.
  func blob(at column: Int32) -> [UInt8] {
    guard let text = cell(column), text.starts(with: Array("\\x".utf8)) else { return [] }
    let digits = text.dropFirst(2)
    return stride(from: digits.startIndex, to: digits.endIndex - 1, by: 2).map { index in
      Self.digit(digits[index]) << 4 | Self.digit(digits[index + 1])
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8 {
    byte <= UInt8(ascii: "9") ? byte & 0xF : (byte & 0xF) &+ 9
  }
}
