import ExhibitSQLite
import ReportModel

extension String {
  /// Columns (in lower case) and values of a WHERE like `a = 1 AND b = 'x'`; `nil` for others.
  var equalities: [(column: String, value: DatabaseValue)]? {
    let tokens = SQLToken.all(in: self)
    guard (tokens.count { $0.folded == "SELECT" }) == 1,
      let place = tokens.firstIndex(where: { $0.folded == "WHERE" })
    else { return nil }
    var (found, index): ([(column: String, value: DatabaseValue)], Int) = ([], place + 1)
    while true {
      if tokens[safe: index + 1]?.text == "." { index += 2 }
      guard let name = tokens[safe: index]?.name, let sign = tokens[safe: index + 1], sign.text == "=" else {
        return nil
      }
      let stop = tokens[(index + 2)...].firstIndex {
        ["AND", "ORDER", "LIMIT"].contains($0.folded) || $0.text == ";"
      }
      let end = stop.map { tokens[$0].text.startIndex } ?? endIndex
      guard let value = String(self[sign.text.endIndex..<end]).trimmed.literal else { return nil }
      found.append((name.lowercased(), value))
      guard let stop, tokens[stop].folded == "AND" else { return found }
      index = stop + 1
    }
  }

  private var literal: DatabaseValue? {
    if uppercased() == "NULL" { return .null }
    if let number = Int64(self) { return .integer(number) }
    if let number = Double(self) { return .real(number) }
    guard first == "'", let token = SQLToken.all(in: self).first, token.text.endIndex == endIndex else {
      return nil
    }
    return token.name.map { .text($0) }
  }
}
