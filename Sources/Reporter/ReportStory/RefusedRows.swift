import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Queries for the rows that a UNIQUE or PRIMARY KEY constraint met in a statement's way.
struct RefusedRows {
  /// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID.
  private static let codes: Set = [2067, 1555, 2579]
  private static let most = 20

  let table: String
  let columns: [String]
  /// Asks for the values that were to be written.
  let keys: String
  /// Asks for the rows that have them.
  let inTheWay: String

  /// - Returns: `nil` for a step that did not fail so.
  init?(_ step: StoryStep, _ schema: CapturedSchema) {
    guard let error = step.error, Self.codes.contains(error.code) else { return nil }
    let (sql, text) = (step.statement, StatementText(step.statement))
    guard let target = text.target, let table = schema.declared[target],
      let columns = Self.columns(in: error.message, of: target)
    else { return nil }
    let made: (query: String, condition: String)?
    switch text.kind {
    case .insert: made = Self.inserted(sql, columns, table).map { ($0, "") }
    case .update: made = Self.updated(sql, columns, table)
    default: made = nil
    }
    guard let made else { return nil }
    let names = columns.map(SQLText.name)
    let new =
      "WITH refused(\((names + (made.condition.isEmpty ? [] : ["itself"])).joined(separator: ", "))) AS"
    let join = names.map { "old.\($0) = refused.\($0)" }.joined(separator: " AND ")
    (self.table, self.columns) = (table.name, columns)
    keys =
      "\(new) (\(made.query)) SELECT \(names.joined(separator: ", ")) FROM refused LIMIT \(Self.most)"
    inTheWay =
      "\(new) (\(made.query)) SELECT DISTINCT old.* FROM \(SQLText.name(table.name)) AS old JOIN refused ON \(join)\(made.condition) LIMIT \(Self.most)"
  }

  func text(of values: [DatabaseValue]) -> String {
    zip(columns, values).map { "\($0) \($1.shortText)" }.joined(separator: ", ")
  }

  /// From SQLite's message: `UNIQUE constraint failed: stock.item, stock.bin`.
  private static func columns(in message: String, of table: String) -> [String]? {
    guard let start = message.firstRange(of: "constraint failed: ") else { return nil }
    let names = message[start.upperBound...].split(separator: ", ").map { name -> String? in
      let parts = name.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == table.lowercased() else { return nil }
      return String(parts[1])
    }
    return names.contains(nil) ? nil : names.compactMap { $0 }
  }

  // MARK: - INSERT

  private static func inserted(
    _ sql: String, _ columns: [String], _ table: CapturedSchema.Table
  ) -> String? {
    let tokens = SQLToken.all(in: sql)
    guard let into = tokens.firstIndex(where: { $0.folded == "INTO" }) else { return nil }
    var place = into + (tokens[safe: into + 2]?.text == "." ? 4 : 2)
    if tokens[safe: place]?.folded == "AS" { place += 2 }
    var names = table.columns.filter { !$0.isGenerated }.map(\.name)
    if tokens[safe: place]?.text == "(" {
      guard let end = tokens[place...].firstIndex(where: { $0.text == ")" }) else { return nil }
      names = tokens[place..<end].compactMap(\.name)
      place = end + 1
    }
    guard let first = tokens[safe: place], ["VALUES", "SELECT", "WITH"].contains(first.folded) else {
      return nil
    }
    let end = end(of: tokens, from: place) { index in
      tokens[index].folded == "RETURNING"
        || tokens[index].folded == "ON" && tokens[safe: index + 1]?.folded == "CONFLICT"
    }
    let source = sql[first.text.startIndex..<(end.map { tokens[$0].text.startIndex } ?? sql.endIndex)]
    let known = Set(names.map { $0.lowercased() })
    guard columns.allSatisfy({ known.contains($0.lowercased()) }) else { return nil }
    let all = names.map(SQLText.name).joined(separator: ", ")
    let own = columns.map(SQLText.name).joined(separator: ", ")
    return "WITH written(\(all)) AS (\(source.trimmedOfSemicolon)) SELECT \(own) FROM written"
  }

  // MARK: - UPDATE

  /// With the row's own number behind the columns, as it is not in its own way.
  private static func updated(
    _ sql: String, _ columns: [String], _ table: CapturedSchema.Table
  ) -> (String, String)? {
    let tokens = SQLToken.all(in: sql)
    guard let rowid = table.rowid, let set = tokens.firstIndex(where: { $0.folded == "SET" }),
      !tokens[..<set].contains(where: { $0.folded == "AS" })
    else { return nil }
    let end = end(of: tokens, from: set) {
      ["WHERE", "RETURNING", "FROM", "ORDER", "LIMIT"].contains(tokens[$0].folded)
    }
    let isFiltered = end.map { tokens[$0].folded == "WHERE" } ?? true
    guard isFiltered else { return nil }
    var (written, start): ([String: Substring], Int) = ([:], set + 1)
    let last = end ?? tokens.count
    while start < last {
      let next = self.end(of: tokens, from: start) { tokens[$0].text == "," }.map { min($0, last) } ?? last
      guard let name = tokens[safe: start]?.name, tokens[safe: start + 1]?.text == "=" else { return nil }
      let stop = next < tokens.count ? tokens[next].text.startIndex : sql.endIndex
      written[name.lowercased()] = sql[tokens[start + 1].text.endIndex..<stop]
      start = next + 1
    }
    let filter = end.map { place in
      let stop = self.end(of: tokens, from: place) {
        ["RETURNING", "ORDER", "LIMIT"].contains(tokens[$0].folded)
      }
      return String(
        sql[tokens[place].text.startIndex..<(stop.map { tokens[$0].text.startIndex } ?? sql.endIndex)])
    }
    let values = columns.map {
      written[$0.lowercased()].map { "(\($0.trimmedOfSemicolon))" } ?? SQLText.name($0)
    }
    let query =
      "SELECT \((values + [rowid]).joined(separator: ", ")) FROM \(SQLText.name(table.name)) \((filter ?? "")[...].trimmedOfSemicolon)"
    return (query, " AND old.\(rowid) <> refused.itself")
  }

  private static func end(of tokens: [SQLToken], from start: Int, _ isEnd: (Int) -> Bool) -> Int? {
    var depth = 0
    for index in tokens.indices[start...] {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      if depth == 0, !tokens[index].isQuoted, isEnd(index) { return index }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmedOfSemicolon: String {
    let text = String(self).trimmed
    return text.hasSuffix(";") ? String(text.dropLast()) : text
  }
}

extension StoryBuilder {
  /// The row that had these values before a step; `nil` where no step tells one.
  func lastWrite(
    of table: StoryTable, _ columns: [String], _ values: [DatabaseValue], before number: Int
  ) -> (step: Int, columns: [String], row: [DatabaseValue])? {
    let group = steps.firstIndex { $0.number == number }.flatMap { transactions.groupOfStep[$0] }
    for place in steps.indices.reversed() where steps[place].number < number {
      switch transactions.undone[place] {
      case .failed, .rolledBackTo: continue
      // A change that was taken back counts in its own transaction alone.
      case .rolledBack: if group == nil || transactions.groupOfStep[place] != group { continue }
      case nil: break
      }
      for change in steps[place].changes.reversed() where change.table == table.name {
        guard databases[steps[place].connection, change.schema, at: steps[place].number] == table.database
        else {
          continue
        }
        let names = layouts.columns(of: table, count: max(change.old.count, change.new.count))
        func has(_ row: [DatabaseValue?]) -> Bool {
          zip(columns, values).allSatisfy { column, value in
            names.firstIndex { $0.lowercased() == column.lowercased() }.map {
              row.indices.contains($0) && row[$0] == value
            } ?? false
          }
        }
        if has(change.new) {
          return (steps[place].number, names, change.new.map { $0 ?? .null })
        }
        if has(change.old) { return nil }
      }
    }
    return nil
  }
}
