public import Foundation

/// A value of SQLite, as a seed writes it and a test reads it.
public enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// An identifier as text, in capitals as `uuid()` and Foundation write it.
  public static func uuid(_ uuid: UUID) -> SQLiteValue { .text(uuid.uuidString) }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// NULL.
  public init(nilLiteral: ()) { self = .null }
}

extension SQLiteValue: CustomStringConvertible {
  /// The value as SQL writes it.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'" + text.replacing("'", with: "''") + "'"
    case .blob(let data): "x'" + data.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() + "'"
    }
  }
}
