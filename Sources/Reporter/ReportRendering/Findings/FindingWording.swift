import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

extension Finding {
  /// The origin in words, if known.
  var originText: String? {
    switch origin {
    case .lastStep: "from the last step"
    case .test: "from the test"
    case .unknown: nil
    case .baseline: "was there before"
    }
  }

  /// The finding without values and final period.
  var bareText: String {
    let place = ([table].compactMap { $0 } + (columns.count == 1 ? columns : [])).joined(separator: ".")
    let rows = gathers == nil ? count.map { ", in \(counted($0, "row"))" } : nil
    return visibleOnOneLine((place.isEmpty ? "The database" : place) + " " + kind.predicate + (rows ?? ""))
  }

  /// The rows that add to the sentence.
  var shownRows: [Row] {
    if rows.count == 1, rows[0].values.isEmpty, rows[0].writing == nil { return [] }
    return rows.filter { $0.key != nil || !$0.values.isEmpty }
  }

  var shownColumns: [String] {
    var columns: [String] = []
    for name in shownRows.flatMap({ $0.values.map(\.column) }) where !columns.contains(name) {
      columns.append(name)
    }
    return columns
  }

  /// How many rows are omitted, if any.
  var omittedText: String? {
    let omitted = max(0, (count ?? 0) - shownRows.count)
    guard !shownRows.isEmpty, omitted > 0 || hasMore else { return nil }
    if omitted == 0 { return "more rows" }
    return hasMore ? "at least \(counted(omitted, "more row"))" : counted(omitted, "more row")
  }
}

extension Finding.Kind {
  /// Continues a sentence about a table or column.
  fileprivate var predicate: String {
    switch self {
    case .damage: "is damaged"
    case .brokenForeignKey: "refers to rows that are not there"
    case .unknownEntity: "has rows of no entity"
    case .spentKey: "has keys that Core Data gives out again"
    case .foreignWAL: "has the WAL of another database beside it"
    case .hotJournal: "has a journal that has to be rolled back first"
    case .numberAsText: "holds a number as text"
    case .impossibleDate: "holds dates or times that cannot be"
    case .mixedTypes: "holds values of several types"
    case .nullBesideEmpty: "holds NULL and the empty text"
    case .mixedDates: "holds dates in several forms"
    case .equalKeys: "has keys that hardly differ"
    case .equalRows: "has rows that differ in their key alone"
    case .outlier: "holds a value far from all others"
    case .newDuplicate: "has a second row of one value"
    case .conflictingTriggers: "has triggers of one event that write the same"
    }
  }
}

extension WrittenRows.Writing {
  var text: String { step.map { "step \($0)" } ?? "the test" }
}

extension RowKey {
  var values: [DatabaseValue] {
    switch self {
    case .rowid(let rowid): [.integer(rowid)]
    case .values(let values): values
    }
  }
}

func foldedText(_ findings: [Finding]) -> String {
  let isBefore = findings.contains { $0.origin == .baseline }
  let isOneOfMany = findings.contains(where: \.isOneOfMany)
  let isMinor = findings.contains { $0.origin != .baseline && !$0.isOneOfMany }
  let words = [
    isMinor ? "minor" : nil, isOneOfMany ? "of a kind of which there are many" : nil,
    isBefore ? "there before the test" : nil,
  ].compactMap { $0 }
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + ", or " + last
}

/// A finding as text for terminal and Markdown.
struct PrintedFinding {
  let finding: Finding
  var databases: String?
  /// Lines of `quick_check`.
  var details: [String] = []

  var lines: [TerminalLine] {
    let told = joined([databases, finding.originText], by: ", ").map { " (\($0))" } ?? ""
    let style: TerminalStyle = finding.isFolded ? .soft : finding.kind == .damage ? .failed : .odd
    var lines = [TerminalLine("! \(finding.sentence)\(told)", style)]
    lines += details.map { TerminalLine("    \($0)") }
    lines += finding.shownRows.map { TerminalLine("    \(Self.text(of: $0))") }
    if let omitted = finding.omittedText { lines.append(TerminalLine("    … \(omitted)", .soft)) }
    return lines + [TerminalLine("    \(finding.remedy)", .soft)]
  }

  /// `row 7: total '12,50' (step 3)`.
  private static func text(of row: Finding.Row) -> String {
    let values = row.values.map { "\(shownName($0.column)) \(printedValue($0.cell))" }
    let told = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
    return (row.key?.shown ?? "a row") + told + (row.writing.map { " (\($0.text))" } ?? "")
  }
}

extension TestFindings {
  /// The leading findings and the number of others.
  var lines: [TerminalLine] {
    var lines = leading.flatMap { PrintedFinding(finding: $0.finding, databases: databases(of: $0)).lines }
    if !folded.isEmpty {
      let more = leading.isEmpty ? "finding" : "more finding"
      lines.append(
        TerminalLine("\(counted(folded.count, more)), \(foldedText(folded.map(\.finding)))", .soft))
    }
    return lines + unexamined.map { TerminalLine($0, .soft) }
  }
}

extension JSONText {
  /// - Parameter databases: Their paths; `nil` in a document on one database.
  mutating func write(_ finding: Finding, databases: [String]?) {
    array("columns", finding.columns) { $0.element($1) }
    member("count", finding.count)
    if let databases { array("databases", databases) { $0.element($1) } }
    member("folded", finding.isFolded)
    member("gathers", finding.gathers)
    member("hasMore", finding.hasMore)
    member("kind", finding.kind.rawValue)
    member("omitted", finding.omitted)
    member("origin", finding.origin.rawValue)
    member("remedy", finding.remedy)
    objects("rows", finding.rows) { json, row in
      json.array("key", row.key?.values ?? []) { $0.write(nil, $1) }
      json.member("step", row.writing?.step)
      json.objects("values", row.values) { json, value in
        json.member("column", value.column)
        json.write("value", value.cell)
      }
      json.member("written", row.writing != nil)
    }
    member("sentence", finding.sentence)
    member("table", finding.table)
    array("triggers", finding.triggers) { $0.element($1) }
  }
}
