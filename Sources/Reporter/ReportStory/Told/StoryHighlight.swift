package import ExhibitSQLite
import ReportInspection
import ReportModel

/// What a reader should see first, with its rows: written, tried or read last before the failure.
package struct StoryHighlight: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// In one transaction, or by one step.
    case wrote
    case failed
    case read
  }

  /// Fewer rows of each group where there are many groups.
  static func mostRows(ofGroups count: Int) -> Int { count <= 3 ? 6 : count <= 6 ? 4 : 3 }

  package var kind: Kind
  package var first: Int
  package var last: Int
  package var state: StoryGroup.State
  package var connection: Int
  package var changes = ChangeSummary()
  package var related: [RelatedRows] = []
  package var names = ReferenceNames()
}

extension Story {
  /// In lower case.
  package var namesOfLeadingReads: Set<String> {
    Set(leadingReads.compactMap { self[step: highlights[$0].last] }.flatMap { StatementText($0.sql).names })
  }

  /// The tables that statements name, in lower case, those of leading reads first, then of the last ones; `nil`
  /// without statements.
  package func usedTables(of path: String?) -> [String]? {
    guard !statements.isEmpty else { return nil }
    let leading = leadingReads.compactMap { self[step: highlights[$0].last] }
    let all = (leading + statements.reversed().map(\.example)).filter {
      databases[safe: $0.database]?.path == path
    }
    var seen: Set<String> = []
    return all.flatMap { StatementText.tables(in: $0.sql).sorted() }.filter { seen.insert($0).inserted }
  }

  /// The reads that the failing value may come from, else the last read; none where a statement failed behind them.
  package var leadingReads: [Int] {
    let reads = highlights.indices.filter { highlights[$0].kind == .read }
    let known = reads.filter { leadingSteps.contains(highlights[$0].last) }
    let leading = known.isEmpty ? reads.suffix(1) : known
    guard let last = leading.last, !highlights[last...].contains(where: { $0.kind == .failed }) else {
      return []
    }
    return leading.filter { highlights[$0].last == originStep }
      + leading.filter { highlights[$0].last != originStep }
  }
}

/// Rows of a captured database that explain a highlight.
package struct RelatedRows: Sendable, Equatable {
  package var table: StoryTable
  package var title: String
  package var columns: [String]
  package var rows: [[DatabaseValue]]
  /// Who left each row so.
  package var labels: [String] = []
  package var count: Int?
  /// The step that wrote them.
  package var step: Int?

  package init(
    table: StoryTable, title: String, columns: [String], rows: [[DatabaseValue]], count: Int? = nil,
    step: Int? = nil
  ) {
    (self.table, self.title, self.columns) = (table, title, columns)
    (self.rows, self.count, self.step) = (rows, count, step)
  }

  /// What a row was before has no other words.
  var withoutRows: RelatedRows {
    guard labels.isEmpty else { return self }
    var related = self
    (related.rows, related.columns, related.count) = ([], [], nil)
    return related
  }
}

/// Names for the rows that foreign keys lead to.
package struct ReferenceNames: Sendable, Equatable {
  struct Reference: Sendable, Hashable {
    var table: StoryTable
    var column: String
    var value: DatabaseValue
  }

  private var names: [Reference: String] = [:]

  package init() {}

  package subscript(table: StoryTable, column: String, value: DatabaseValue) -> String? {
    get { names[Reference(table: table, column: column, value: value)] }
    set { names[Reference(table: table, column: column, value: value)] = newValue }
  }
}

extension ChangeSummary {
  var rowCount: Int { tables.reduce(0) { $0 + $1.added + $1.changed + $1.removed } }

  /// So many of each group, those first that hold a value of the message.
  mutating func keepRows(
    _ count: Int, first isTelling: (StoryTable, ChangedRow, [String]) -> Bool = { _, _, _ in false }
  ) {
    for table in tables.indices {
      for group in tables[table].groups.indices {
        let rows = tables[table].groups[group].rows
        let telling = rows.indices.filter { isTelling(tables[table].table, rows[$0], tables[table].columns) }
        let others = rows.indices.filter { !telling.contains($0) }
        tables[table].groups[group].rows = (telling + others).prefix(count).sorted().map { rows[$0] }
      }
    }
  }
}
