import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// A transaction of a WAL in a story: what was committed, without the statements that did it.
package struct StoryCommit: Sendable, Equatable {
  /// From 1, as it lies in the WAL.
  package var number: Int
  /// How many pages it wrote.
  package var pages: Int
  /// What it changed, in words that never are empty.
  package var text: String
  /// Why not all of that is told, in sentences.
  package var problems: [String] = []
  /// The declarations of the tables and other things that it made.
  package var statements: [String] = []
}

extension ChangeSummary {
  /// What a transaction of a WAL changed.
  ///
  /// - Parameter columns: The names of a table's columns where the pages do not tell them: of virtual ones.
  init(
    _ transaction: WALHistory.Transaction, of database: Int, naming databases: [StoryDatabase],
    columns: (StoryTable, Int) -> [String]?
  ) {
    self.init(
      tables: transaction.tables.filter { !$0.isInternal }.map { table in
        var told = Table(table: StoryTable(database: database, name: table.name), columns: table.columns)
        if !table.shadows.isEmpty, let names = columns(told.table, table.columns.count) {
          told.columns = names
        }
        told.fate = table.fate == .created ? .created : table.fate == .dropped ? .dropped : .kept
        (told.added, told.removed) = (table.count(.insert), table.count(.delete))
        told.groups = table.groups.map(Group.init)
        told.changed = told.groups.reduce(0) { $0 + $1.count } - told.added - told.removed
        told.groups.sort { $0.rank < $1.rank }
        let rows = told.groups.flatMap(\.rows)
        if rows.count == told.groups.reduce(0, { $0 + $1.count }) {
          told.columnNotes = ReportStory.columnNotes(of: rows, columns: told.columns)
        }
        return told
      })
    sentence = sentence(naming: databases)
  }
}

extension ChangeSummary.Group {
  fileprivate init(_ group: WALHistory.Group) {
    self.init(
      change: group.change, count: group.count,
      rows: group.rows.map { row in
        ChangeSummary.Row(key: row.key, old: row.old.map { $0 }, new: row.new.map { $0 }, steps: [])
      })
  }
}

extension WALHistory.Transaction {
  /// What it made, dropped and declared anew beside tables, and what it wrote where no row is another one.
  ///
  /// - Parameter sentence: What it changed of rows.
  func text(_ sentence: String) -> String {
    var clauses = sentence.isEmpty ? [] : [sentence]
    for table in tables {
      if let former = table.formerName {
        clauses.append("\(former) renamed to \(table.name)")
      } else if table.fate == .redefined {
        clauses.append("\(table.name) declared anew")
      }
      if table.groups.isEmpty, table.fate == .kept, !table.shadows.isEmpty {
        clauses.append(
          "\(counted(table.shadows.values.reduce(0, +), "row")) that hold the data of \(table.name)")
      }
    }
    clauses += declarations.prefix(8).map { declaration in
      let fate = declaration.old == nil ? "made" : declaration.new == nil ? "dropped" : "made anew"
      return "\(declaration.type) \(declaration.name) \(fate)"
    }
    if declarations.count > 8 { clauses.append("\(grouped(declarations.count - 8)) more of the schema") }
    if clauses.isEmpty, !tables.isEmpty {
      clauses.append(
        "\(tables[0].name)\(tables[0].isInternal ? ", in which SQLite keeps something for itself" : "")")
    }
    return clauses.isEmpty ? "no row: \(counted(pages, "page")) written" : clauses.joined(separator: ", ")
  }

  /// What is not told of it, in sentences.
  var problems: [String] {
    [problem].compactMap { $0 } + tables.compactMap { table in table.problem.map { "\(table.name): \($0)" } }
  }

  /// The changes of rows as those of a step.
  func changes(of database: Int, columns: (StoryTable, Int) -> [String]?) -> [StoryTableChanges] {
    tables.filter { !$0.isInternal && (!$0.groups.isEmpty || !$0.shadows.isEmpty) }.map { table in
      let name = StoryTable(database: database, name: table.name)
      var told = StoryTableChanges(table: name, columns: table.columns, changes: [], shadows: table.shadows)
      if !table.shadows.isEmpty, let names = columns(name, table.columns.count) { told.columns = names }
      for group in table.groups {
        told.omitted += group.count - group.rows.count
        told.changes += group.rows.map { row in
          RecordedStory.Change(
            operation: RowOperation(from: row.old, to: row.new), schema: "main", table: table.name,
            key: row.key, old: row.old ?? [],
            new: row.new ?? [])
        }
      }
      return told
    }
  }
}

extension StoryStep {
  /// What a transaction of a WAL changed, in the place of the statements that nobody recorded.
  ///
  /// - Parameter connection: That it is shown with; 0 where nobody knows.
  init(
    _ transaction: WALHistory.Transaction, number: Int, database: Int, naming databases: [StoryDatabase],
    columns: (StoryTable, Int) -> [String]?
  ) {
    let summary = ChangeSummary(transaction, of: database, naming: databases, columns: columns)
    self.init(
      number: number, time: 0, connection: 0, database: database, sql: "", expanded: nil, isReadOnly: false,
      isWithheld: false, untold: nil, owner: .test, duration: nil, rows: nil, changed: transaction.rowCount,
      unkept: 0, isRunning: false, error: nil, undone: nil, triggers: [], columns: [], results: [])
    commit = StoryCommit(
      number: transaction.number, pages: transaction.pages, text: transaction.text(summary.sentence),
      problems: transaction.problems,
      statements: transaction.tables.compactMap(\.sql) + transaction.declarations.compactMap(\.new))
    changes = transaction.changes(of: database, columns: columns)
  }
}
