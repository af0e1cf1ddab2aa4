import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ReportInspection
import ReportModel

/// How values stand in the files of rows: exact, and of long ones the beginning and the length.
///
/// NULL, texts, whole numbers that a script's numbers hold and real ones stand as they are. All else is an array that
/// begins with its kind: see docs/rows-data.md.
enum RowText {
  /// Bytes of a text that is whole.
  static let longestText = 16 * 1024
  /// Bytes of a blob that is whole.
  static let longestBlob = 64 * 1024
  /// Bytes that are kept of a longer one.
  static let blobBeginning = 1024
  /// Bytes that are told of a text that is no UTF-8.
  static let undecodedBytes = 64

  /// Whole numbers up to here are told apart by a script's numbers.
  private static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Appends the value of the current row.
  ///
  /// - Parameter isReal: Whether the column holds no whole numbers but real ones.
  static func append(
    _ statement: InspectionStatement, _ column: Int32, isReal: Bool, to text: inout JSONText
  ) {
    switch statement.type(at: column) {
    case SQLITE_INTEGER: append(Int64(statement.integer(at: column)), to: &text)
    case SQLITE_FLOAT: append(statement.real(at: column), isReal: isReal, to: &text)
    case SQLITE_TEXT: appendText(statement, column, to: &text)
    case SQLITE_BLOB: appendBlob(statement, column, to: &text)
    default: text.plain("null")
    }
  }

  /// Appends a value that was cut as a story or a comparison cuts it; `nil` for one that was not told.
  static func append(_ value: DatabaseValue?, to text: inout JSONText) {
    switch value {
    case nil: append(marked: "?", nil, to: &text)
    case .null: text.plain("null")
    case .integer(let value): append(value, to: &text)
    case .real(let value): append(value, isReal: false, to: &text)
    case .text(let value, nil): text.element(value)
    case .text(let value, let whole?): append(marked: "t", value, bytes: whole.bytes, to: &text)
        case .blob(let bytes, let whole):
      append(marked: "b", base64(bytes), bytes: whole?.bytes ?? bytes.count, to: &text)
    }
  }

  static func append(_ value: Int64, to text: inout JSONText) {
    if exactIntegers.contains(value) {
      text.plain(String(value))
    } else {
      append(marked: "i", String(value), to: &text)
    }
  }

  private static func append(_ value: Double, isReal: Bool, to text: inout JSONText) {
    let isWhole = value.rounded() == value
    if value.isFinite, !(value == 0 && value.sign == .minus), isReal || !isWhole {
      text.plain(value.description)
    } else {
      append(marked: "r", value.description, to: &text)
    }
  }

  private static func appendText(
    _ statement: InspectionStatement, _ column: Int32, to text: inout JSONText
  ) {
    guard let utf8 = statement.utf8(at: column) else { return text.element("") }
    let shown = String(decoding: utf8, limit: longestText)
    if hasReplacements(shown, of: utf8) {
      let beginning = base64(Array(utf8.prefix(undecodedBytes)))
      append(marked: "u", shown, bytes: utf8.count, beginning, to: &text)
    } else if utf8.count > longestText {
      append(marked: "t", shown, bytes: utf8.count, to: &text)
    } else {
      text.element(shown)
    }
  }

  private static func appendBlob(
    _ statement: InspectionStatement, _ column: Int32, to text: inout JSONText
  ) {
    let value = statement.cell(at: column, limit: longestBlob, blobLimit: longestBlob)
    guard case .blob(let bytes, let whole) = value else { return text.plain("null") }
    let kept = whole == nil ? bytes : Array(bytes.prefix(blobBeginning))
    append(marked: "b", base64(kept), bytes: value.byteCount, to: &text)
  }

  /// - Parameters:
  ///   - beginning: Of the value, or its digits.
  ///   - bytes: How many the whole has, where that is told.
  ///   - rest: The bytes of a text that is no UTF-8.
  private static func append(
    marked kind: String, _ beginning: String?, bytes: Int? = nil, _ rest: String? = nil,
    to text: inout JSONText
  ) {
    text.array { text in
      text.element(kind)
      if let beginning { text.element(beginning) }
      if let bytes { text.element(bytes) }
      if let rest { text.element(rest) }
    }
  }
}
