import ExhibitSQLite
import ReportInspection
import ReportModel

extension ChangeSummary {
  private static let mostClauses = 8

  /// `−2 voucher, +1 orders, 903 rows of orders changed in placed_at only`: what is gone first, the few before the
  /// many.
  func sentence(naming databases: [StoryDatabase]) -> String {
    var clauses: [(rank: Int, count: Int, text: String)] = []
    var (created, dropped): ([String], [String]) = ([], [])
    let names = Dictionary(tables.map { ($0.table.name, 1) }, uniquingKeysWith: +)
    for table in tables {
      let isAlone = names[table.table.name] == 1
      let name = isAlone ? table.table.name : Self.name(of: table.table, databases)
      switch table.fate {
      case .created: created.append(name)
      case .dropped: dropped.append(name)
      case .kept, .redefined: break
      }
      let rank = table.table.isOfLibrary ? 2 : 0
      for group in table.groups {
        let isGone = group.change.operation == .delete
        clauses.append((rank + (isGone ? 0 : 1), group.count, group.clause(of: name, table.columns)))
      }
      if table.unkept > 0 {
        clauses.append((rank + 1, table.unkept, "\(counted(table.unkept, "more change")) of \(name)"))
      }
    }
    var sorted = clauses.sorted { ($0.rank, $0.count) < ($1.rank, $1.count) }.map(\.text)
    // Rows say more than that their tables are new.
    let fates = [(dropped, "dropped"), (created, "created")].filter { !$0.0.isEmpty }.map { names, fate in
      names.count == 1 ? "\(names[0]) \(fate)" : "\(counted(names.count, "table")) \(fate)"
    }
    sorted.insert(contentsOf: fates, at: min(sorted.count, Self.mostClauses - fates.count))
    guard sorted.count > Self.mostClauses else { return sorted.joined(separator: ", ") }
    return sorted.prefix(Self.mostClauses).joined(separator: ", ")
      + " and \(counted(sorted.count - Self.mostClauses, "more kind")) of changes"
  }

  private static func name(of table: StoryTable, _ databases: [StoryDatabase]) -> String {
    guard databases.indices.contains(table.database) else { return table.name }
    return "\(table.name) of \(databases[table.database].name)"
  }
}

extension LikeChanges {
  fileprivate func clause(of table: String, _ columns: [String]) -> String {
    switch change.operation {
    case .insert: "+\(grouped(count)) \(table)"
    case .delete: "−\(grouped(count)) \(table)"
    case .update: "\(counted(count, "row")) of \(table) changed\(Self.place(change.columns, columns))"
    }
  }

  private static func place(_ changed: [Int], _ columns: [String]) -> String {
    let names = changed.map(columns.columnName)
    switch names.count {
    case 0: return ""
    case 1: return " in \(names[0]) only"
    case 2, 3: return " in \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    default: return names.count == columns.count ? " in all columns" : " in \(counted(names.count, "column"))"
    }
  }
}

// MARK: - Columns

/// What changed in each column, in words.
func columnNotes(of rows: [ChangedRow], columns: [String]) -> [String] {
  columns.indices.flatMap { column -> [String] in
    let notes = [changeNote(of: rows, column), mixtureNote(of: rows, column)]
    return notes.compactMap { $0 }.map { "\(columns[column]): \($0)" }
  }
}

private func changeNote(of rows: [ChangedRow], _ column: Int) -> String? {
  let pairs = rows.compactMap { row -> (old: DatabaseValue, new: DatabaseValue)? in
    guard let old = row.old, let new = row.new, column < old.count, column < new.count,
      let before = old[column], let after = new[column], before != after
    else { return nil }
    return (before, after)
  }
  guard let first = pairs.first else { return nil }
  let count = pairs.count == 1 ? "" : ", \(counted(pairs.count, "row"))"
  if pairs.allSatisfy({ $0.old == first.old && $0.new == first.new }) {
    return "\(first.old.shortText) → \(first.new.shortText)\(count)"
  }
  let kinds = Set(pairs.map { [$0.old.kindWord, $0.new.kindWord] })
  if kinds.count == 1, first.old.kindWord != first.new.kindWord {
    return "\(first.old.kindWord) → \(first.new.kindWord)\(count)"
  }
  if let sum = difference(of: pairs) { return "\(sum)\(count)" }
  if pairs.allSatisfy({ $0.new == first.new }) { return "→ \(first.new.shortText)\(count)" }
  return String(count.dropFirst(2))
}

private func difference(of pairs: [(old: DatabaseValue, new: DatabaseValue)]) -> String? {
  let differences = pairs.compactMap { pair -> Int64? in
    guard case (.integer(let old), .integer(let new)) = pair else { return nil }
    let (difference, isOver) = new.subtractingReportingOverflow(old)
    return isOver ? nil : difference
  }
  guard differences.count == pairs.count, let first = differences.first, let sum = differences.sum else {
    return nil
  }
  func signed(_ number: Int64) -> String { (number > 0 ? "+" : "") + grouped(Int(number)) }
  return Set(differences).count == 1 ? "\(signed(first)) each" : "\(signed(sum)) in all"
}

/// `5 texts among integers`.
private func mixtureNote(of rows: [ChangedRow], _ column: Int) -> String? {
  var counts: [String: Int] = [:]
  for row in rows {
    guard let new = row.new, column < new.count, let value = new[column], let type = value.typeWord else {
      continue
    }
    counts[type, default: 0] += 1
  }
  guard counts.count == 2, let most = counts.max(by: { $0.value < $1.value }),
    let few = counts.min(by: { $0.value < $1.value }), few.value < most.value
  else { return nil }
  return "\(counted(few.value, few.key)) among \(most.key)s"
}

extension DatabaseValue {
  /// All numbers are of one; NULL is of none.
  fileprivate var typeWord: String? {
    switch self {
    case .null: nil
    case .integer: "integer"
    case .real(let number): number == number.rounded() ? "integer" : "number"
    case .text: "text"
    case .blob: "blob"
    }
  }

  fileprivate var kindWord: String {
    switch self {
    case .null: "NULL"
    case .integer: "integer"
    case .real: "real"
    case .text("", nil): "empty text"
    case .text(let text, _): Self.isDate(text) ? "date" : Double(text) != nil ? "number as text" : "text"
    case .blob: "blob"
    }
  }

  /// `2024-05-01`, alone or before a time.
  private static func isDate(_ text: String) -> Bool {
    let head = Array(text.utf8.prefix(11))
    guard head.count >= 10, head.count == 10 || head[10] == UInt8(ascii: " ") || head[10] == UInt8(ascii: "T")
    else { return false }
    return zip(head, "dddd-dd-dd".utf8).allSatisfy { byte, pattern in
      pattern == UInt8(ascii: "d") ? byte.isDigit : byte == pattern
    }
  }

  /// On one line, cut after 40 characters.
  package var shortText: String {
    switch self {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .real(let number): return number.description
    case .text(let text, let whole):
      let cut = text.prefix(40)
      return "'\(cut)\(cut.count < text.count || whole != nil ? "…" : "")'"
    case .blob: return "blob of \(counted(byteCount, "byte"))"
    }
  }
}
