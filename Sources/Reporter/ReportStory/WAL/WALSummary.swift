import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

extension ChangeSummary {
  init(
    _ transaction: WALHistory.Transaction, of database: Int, naming databases: [StoryDatabase],
    _ layouts: StoryLayouts
  ) {
    self.init(
      tables: transaction.tables.filter { !$0.isInternal }.map { table in
        let name = StoryTable(database: database, name: table.name)
        var told = Table(table: name, columns: table.columns(of: name, layouts))
        told.fate = table.fate == .redefined ? .kept : table.fate
        (told.added, told.removed) = (table.count(.insert), table.count(.delete))
        (told.changed, told.groups) = (table.count(.update), table.groups)
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

extension WALHistory.Table {
  fileprivate func columns(of table: StoryTable, _ layouts: StoryLayouts) -> [String] {
    shadows.isEmpty ? columns : layouts.table(table)?.columns(count: columns.count) ?? columns
  }
}

extension WALHistory.Transaction {
  /// - Parameter sentence: On the changed rows.
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
      let fate = declaration.before == nil ? "made" : declaration.after == nil ? "dropped" : "made anew"
      return "\(declaration.type) \(declaration.name) \(fate)"
    }
    if declarations.count > 8 { clauses.append("\(grouped(declarations.count - 8)) more of the schema") }
    if clauses.isEmpty, !tables.isEmpty {
      let more = tables.count > 3 ? " and \(tables.count - 3) more" : ""
      clauses.append(
        tables.prefix(3).map(\.name).joined(separator: ", ") + more
          + (tables[0].keeper.map { ", in which \($0.rawValue) keeps something for itself" } ?? ""))
    }
    return clauses.isEmpty ? "no row: \(counted(pages, "page")) written" : clauses.joined(separator: ", ")
  }

  var problems: [String] {
    tables.compactMap { table in table.problem.map { "\(table.name): \($0)" } }
  }

  func changes(of database: Int, _ layouts: StoryLayouts) -> [StoryTableChanges] {
    tables.filter { !$0.isInternal && (!$0.groups.isEmpty || !$0.shadows.isEmpty) }.map { table in
      let name = StoryTable(database: database, name: table.name)
      var told = StoryTableChanges(
        table: name, columns: table.columns(of: name, layouts), changes: [], shadows: table.shadows)
      for group in table.groups {
        told.omitted += group.count - group.rows.count
        told.changes += group.rows.map { row in
          RecordedStory.Change(
            operation: row.operation, table: table.name, key: row.key, old: row.old ?? [], new: row.new ?? [])
        }
      }
      return told
    }
  }
}

extension StoryStep {
  /// A step in the place of the statements that nobody recorded.
  init(
    _ transaction: WALHistory.Transaction, number: Int, database: Int, naming databases: [StoryDatabase],
    _ layouts: StoryLayouts
  ) {
    let summary = ChangeSummary(transaction, of: database, naming: databases, layouts)
    let recorded = RecordedStory.Step(number: number)
    recorded.changed = transaction.rowCount
    self.init(recorded, database: database)
    commit = StoryCommit(
      number: transaction.number, pages: transaction.pages, text: transaction.text(summary.sentence),
      problems: transaction.problems,
      statements: transaction.tables.compactMap(\.sql) + transaction.declarations.compactMap(\.after))
    changes = transaction.changes(of: database, layouts)
  }
}
