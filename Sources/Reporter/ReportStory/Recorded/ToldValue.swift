import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Compares what a story tells of rows with what a file has.
enum ToldValue {
  /// True when a told row can be the captured one, as far as both are kept.
  ///
  /// - Parameter key: The column that may be the rowid.
  static func isSame(_ told: [DatabaseValue?], _ captured: [DatabaseValue?], key: Int?) -> Bool {
    guard told.count == captured.count else { return false }
    var column = 0
    // Without closures, which take longer than the comparison in a debug build.
    while column < told.count {
      if let value = captured[column], !isSame(told[column], value, isKey: key == column) { return false }
      column += 1
    }
    return true
  }

  /// True when a told value can be the captured one, as far as both are kept.
  static func isSame(_ told: DatabaseValue?, _ captured: DatabaseValue, isKey: Bool) -> Bool {
    guard let told else { return true }
    // The column that is the rowid may be told as NULL.
    if isKey, told == .null { return true }
    switch (told, captured) {
    case (.text(let one, _), .text(let other, _)):
      // Text that was no UTF-8 has other bytes by now; where it was cut, the bytes are not known.
      if hasReplacement(one) || hasReplacement(other) { return true }
      let length = min(one.utf8.count, other.utf8.count)
      return told.byteCount == captured.byteCount && one.begins(as: other, for: length)
    case (.blob(let one, _), .blob(let other, _)):
      let length = min(one.count, other.count)
      return told.byteCount == captured.byteCount && one.prefix(length) == other.prefix(length)
    default:
      if let one = told.number, let other = captured.number { return one == other }
      return told == captured
    }
  }
}

/// True when a text contains U+FFFD; most have not even its first byte.
private func hasReplacement(_ text: String) -> Bool {
  text.holds(beginningOfReplacement) && text.contains("\u{FFFD}")
}

private let beginningOfReplacement = ByteSet { $0 == 0xEF }
