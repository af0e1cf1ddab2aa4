import ReportInspection
import ReportModel
import ReportStory

/// The statements that made tables, with their triggers and unique indexes, database by database.
struct TouchedSchema {
  private struct Database {
    /// Index in the story's databases; `nil` where it is not known which one it is.
    var index: Int?
    var name: String
    var path: String
    var inspection: DatabaseInspection
    /// The names of tables and views, in lower case.
    var objects: Set<String>
    /// The names of those of them that were added, in that order.
    var wanted: [String] = []
  }

  private var databases: [Database] = []
  /// True when it has to be said which database a table is of.
  private let areNamed: Bool

  /// The schema that is shown of a test.
  ///
  /// - Parameter isShort: True when room is short: then it has the tables of the steps that matter most.
  init(shownOf test: TestResult, _ story: Story, _ contents: ReportContents, isShort: Bool) {
    var known: Set<Int> = []
    for evidence in test.evidence {
      guard let path = evidence.path, let inspection = contents.databases[path] else { continue }
      let found = story.databases.indices.filter { index in
        guard let file = story.databases[index].path, let source = evidence.source else {
          return story.databases[index].path == nil && evidence.source == nil
        }
        return file == source || file.hasSuffix("/" + source)
      }
      let index = found.count == 1 ? found.first : nil
      // Another view of it says the same.
      if let index, !known.insert(index).inserted { continue }
      let tables = inspection.tables.filter { $0.kind != .shadow }.map(\.name)
      let views = inspection.otherSchema.filter { $0.type == "view" }.map(\.name)
      databases.append(
        Database(
          index: index, name: index.map { story.databases[$0].name } ?? evidence.name, path: path,
          inspection: inspection, objects: Set((tables + views).map { $0.lowercased() })))
    }
    areNamed = databases.count > 1 || story.databases.count > 1
    if isShort {
      for number in story.tellingNumbers { story[step: number].map { add($0) } }
      for rows in story.explanations.compactMap(\.rows) { add(rows.table) }
      if story.explanations.isEmpty {
        let last = story.highlights.filter { $0.kind == .wrote }
        for step in story.steps
        where last.contains(where: { $0.first <= step.number && step.number <= $0.last }) {
          add(step)
        }
        for table in story.changes.tables { add(table.table) }
      }
    }
    guard databases.allSatisfy(\.wanted.isEmpty) else { return }
    for state in story.states {
      guard let database = databases.firstIndex(where: { $0.path == state.path }) else { continue }
      for table in state.changes.tables { add(table.name, to: database) }
    }
    for table in story.changes.tables { add(table.table) }
    for step in story.steps where !(step.changes + step.consequences).isEmpty { add(step) }
    for step in story.steps.suffix(300) { add(step) }
  }

  // MARK: - What is wanted

  /// Adds the tables that a step changed or names.
  private mutating func add(_ step: StoryStep) {
    for changes in step.changes + step.consequences { add(changes.table) }
    let tokens = SQLToken.all(in: step.sql)
    for (index, token) in tokens.enumerated() where token.isName {
      guard let name = token.name else { continue }
      add(named: name, around: step.database, isQualified: index > 0 && tokens[index - 1].text == ".")
    }
  }

  private mutating func add(_ table: StoryTable) {
    guard let database = databases.firstIndex(where: { $0.index == table.database }) else {
      return add(named: table.name, around: nil, isQualified: false)
    }
    add(table.name, to: database)
  }

  /// Adds a table of the database that is spoken of; where it has none of the name, of another one that has.
  ///
  /// A qualified name may mean any that has it, so all are added.
  private mutating func add(named name: String, around database: Int?, isQualified: Bool) {
    let name = name.lowercased()
    let having = databases.indices.filter { databases[$0].objects.contains(name) }
    let own = having.first { databases[$0].index != nil && databases[$0].index == database }
    if let chosen = own ?? having.first { add(name, to: chosen) }
    for other in having where isQualified { add(name, to: other) }
  }

  private mutating func add(_ name: String, to database: Int) {
    let name = name.lowercased()
    guard databases[database].objects.contains(name), !databases[database].wanted.contains(name) else {
      return
    }
    databases[database].wanted.append(name)
    let view = databases[database].inspection.otherSchema.first {
      $0.type == "view" && $0.name.lowercased() == name
    }
    for token in SQLToken.all(in: view?.sql ?? "") where token.isName {
      if let name = token.name { add(name, to: database) }
    }
  }

  // MARK: - Text

  private struct Statement {
    var database: Int
    var text: String
    /// True for the statement of a table or view itself.
    var isTable: Bool
  }

  /// Tables come before what belongs to them where there is no room for all.
  func lines(bytes: Int) -> [TerminalLine] {
    let all = statements
    var (room, kept): (Int, Set<Int>) = (bytes, [])
    for index in all.indices.filter({ all[$0].isTable }) + all.indices.filter({ !all[$0].isTable }) {
      guard all[index].text.utf8.count + 2 <= room else { continue }
      if bytes != .max { room -= all[index].text.utf8.count + 2 }
      kept.insert(index)
    }
    var (lines, last): ([TerminalLine], Int?) = ([], nil)
    for index in kept.sorted() {
      if areNamed, last != all[index].database {
        lines.append(TerminalLine("-- \(databases[all[index].database].name)", .soft))
      }
      last = all[index].database
      lines += textLines(of: all[index].text + ";").map { TerminalLine(String($0)) }
    }
    let rest = all.count - kept.count
    return rest > 0 ? lines + [TerminalLine("-- \(counted(rest, "more statement"))", .soft)] : lines
  }

  /// The statements, each with what its database is called.
  var named: [(database: String, sql: String)] {
    statements.map { (databases[$0.database].name, $0.text) }
  }

  private var statements: [Statement] {
    databases.indices.flatMap { index -> [Statement] in
      let (inspection, wanted) = (databases[index].inspection, databases[index].wanted)
      return wanted.flatMap { name -> [Statement] in
        let table = inspection.tables.first { $0.name.lowercased() == name }?.sql
        let own = inspection.otherSchema.filter { $0.table.lowercased() == name }
        let view = own.first { $0.type == "view" }?.sql
        let others = own.filter { entry in
          entry.type == "trigger"
            || entry.type == "index"
              && SQLToken.all(in: entry.sql ?? "").dropFirst().first?.folded == "UNIQUE"
        }.compactMap(\.sql)
        return [table ?? view].compactMap { $0 }.map {
          Statement(database: index, text: $0, isTable: true)
        } + others.map { Statement(database: index, text: $0, isTable: false) }
      }
    }
  }
}
