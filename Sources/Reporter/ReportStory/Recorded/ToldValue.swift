import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Compares what a story tells of rows with what a file has; where either was cut, they may be the same.
enum ToldValue {
  /// - Parameter key: The column that may be the rowid.
  static func isSame(_ told: [DatabaseValue?], _ captured: [DatabaseValue?], key: Int?) -> Bool {
    guard told.count == captured.count else { return false }
    var column = 0
    // Closures take longer than the comparison in a debug build.
    while column < told.count {
      if let value = captured[column], !isSame(told[column], value, isKey: key == column) { return false }
      column += 1
    }
    return true
  }

  static func isSame(_ told: DatabaseValue?, _ captured: DatabaseValue, isKey: Bool) -> Bool {
    guard let told else { return true }
    // SQLite tells NULL in the rowid's place.
    if isKey, told == .null { return true }
    switch (told, captured) {
    case (.text(let one, _), .text(let other, _)):
      // Text that was no UTF-8 has other bytes by now.
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

/// Most texts have not even the first byte of U+FFFD.
private func hasReplacement(_ text: String) -> Bool {
  text.holds(beginningOfReplacement) && text.contains("\u{FFFD}")
}

private let beginningOfReplacement = ByteSet { $0 == 0xEF }
