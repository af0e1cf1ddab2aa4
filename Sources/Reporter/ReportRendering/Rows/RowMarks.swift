import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// The rows of a captured database that its test changed, as far as they are known: from the recorded steps, or from
/// two states.
struct RowMarks {
  struct Table {
    var name: String
    /// The numbers of rows added, changed and removed; `nil` for what was not counted.
    var counts: [Int?]
    /// The names of the values' columns.
    var columns: [String]
    var rows: [MarkedRow]
  }

  /// Against what, for the end of a sentence.
  var since: String
  var tables: [Table]

  /// - Returns: `nil` where nothing is known, or nothing changed.
  init?(_ evidence: TestEvidence, of test: TestResult, in contents: ReportContents) {
    guard let path = evidence.path, evidence.kind == .database else { return nil }
    let story = contents.stories[test.id]
    if let told = story.flatMap({ Self.told($0, evidence, of: test) }) {
      (since, tables) = told
    } else if let changes = contents.changes[path] {
      (since, tables) = ("since its baseline", changes.tables.compactMap(Table.init))
    } else if let states = story?.states.first(where: { $0.path == path }) {
      let words =
        states.source == .uncommittedCopy
        ? "against what was committed" : "against the fixture that it opened"
      (since, tables) = (words, states.changes.tables.compactMap(Table.init))
    } else {
      return nil
    }
    if tables.isEmpty { return nil }
  }

  /// The rows that the recorded steps changed in the captured database: where the test made all rows itself, those it
  /// wrote last, as marks at all rows tell nothing.
  private static func told(
    _ story: Story, _ evidence: TestEvidence, of test: TestResult
  ) -> (since: String, tables: [Table])? {
    guard story.source == .trace,
      evidence.run == test.evidence.last(where: { $0.kind == .story && $0.path != nil })?.run
    else { return nil }
    let found = story.databases.indices.filter { story.databases[$0].path == evidence.source }
    // With several in memory nobody can say which one it is.
    guard found.count == 1, let database = found.first else { return nil }
    func tables(_ changes: ChangeSummary) -> [Table] {
      changes.tables.filter { $0.table.database == database && $0.fate != .dropped }.map(Table.init)
    }
    if let last = story.lastChanges.map(tables), last.contains(where: { !$0.rows.isEmpty }) {
      let isOpen = story.highlights.last { $0.kind == .wrote }?.state == .open
      let isHere = !isOpen || evidence.details.database?.uncommitted == true
      return (isHere ? "last; all rows are its own" : "in an open transaction, not in this copy", last)
    }
    let all = tables(story.changes)
    return all.isEmpty ? nil : ("by its steps until it failed", all)
  }
}

extension RowMarks.Table {
  fileprivate init(_ table: ChangeSummary.Table) {
    self.init(
      name: table.table.name, counts: [table.added, table.changed, table.removed], columns: table.columns,
      rows: table.marked)
  }

  /// - Returns: `nil` of a table whose rows are as they were, or that is gone.
  fileprivate init?(_ table: DatabaseChanges.Table) {
    guard table.fate != .dropped, !table.hasSameRows else { return nil }
    self.init(
      name: table.name, counts: [table.added, table.changed, table.removed], columns: table.columns,
      rows: table.rows.map(MarkedRow.init))
  }
}

/// Bytes of the marks of one table; rows behind them are counted and not marked.
private let mostBytesOfTable = 256 * 1024

/// The marks of a test's databases for `report.js`: `exhibit.marks(page, {evidence: marks})`; `nil` where there are none.
///
/// Marks are `[since, tables]`, of each table `[name, added, changed, removed, columns, rows]`, of each row
/// `[sign, rowid or null, values or 0, column, former value, …]`.
func rowMarksFile(of test: TestResult, in context: PageContext) -> ReportFile? {
  guard !context.contents.rowIDs.isEmpty, let page = context.names.stem(of: test) else { return nil }
  var text = JSONText(.script)
  text.append("exhibit.marks(\"\(page)\",{")
  var isEmpty = true
  for (index, evidence) in test.evidence.enumerated() {
    guard let path = evidence.path, context.contents.rowIDs[path] != nil,
      let marks = RowMarks(evidence, of: test, in: context.contents)
    else { continue }
    text.open(member: String(index + 1), UInt8(ascii: "["))
    text.element(marks.since)
    text.array(nil, marks.tables) { append($1, to: &$0) }
    text.close(UInt8(ascii: "]"))
    isEmpty = false
  }
  guard !isEmpty else { return nil }
  text.append("});\n")
  return ReportFile(path: rowMarksPath(page), contents: text.withBytes { Array($0) })
}

func rowMarksPath(_ page: String) -> String { "data/marks/\(page).js" }

private func append(_ table: RowMarks.Table, to text: inout JSONText) {
  text.array { text in
    text.element(table.name)
    for count in table.counts {
      text.plain(count.map(String.init) ?? "null")
    }
    text.array(nil, table.columns) { $0.element($1) }
    text.array { text in
      let start = text.count
      for row in table.rows {
        let before = text.count
        append(row, to: &text)
        if text.count - start > mostBytesOfTable { return text.remove(behind: before) }
      }
    }
  }
}

private func append(_ row: MarkedRow, to text: inout JSONText) {
  text.array { text in
    text.element(row.operation.sign)
    if let key = row.key { RowText.append(key, to: &text) } else { text.plain("null") }
    // A row that is there is found by its key.
    if row.key == nil || row.operation == .delete {
      text.array(nil, row.values) { RowText.append($1, to: &$0) }
    } else {
      text.plain("0")
    }
    for former in row.before {
      text.plain(String(former.column))
      RowText.append(former.value, to: &text)
    }
  }
}
