import ExhibitSQLite
public import Foundation

/// A SQLite value, for seeds to write and tests to read.
public enum SQLiteValue: Sendable, Hashable {
  /// NULL.
  case null
  /// An integer of up to 64 bits.
  case integer(Int64)
  /// A floating-point number; SQLite stores NaN as NULL.
  case real(Double)
  /// A text; when read, invalid UTF-8 is repaired and the text ends at its first zero byte.
  case text(String)
  /// Bytes.
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
    case .text(let text): SQLText.text(text)
    case .blob(let data): "x'" + data.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() + "'"
    }
  }
}
