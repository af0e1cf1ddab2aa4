import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Inserted rows whose keys the program chose.
///
/// A named key may have been NULL; SQLite then uses the next free number, so any other number is the program's.
struct GivenKeys {
  private struct Row: Hashable {
    var step: Int
    var table: String
    var key: Int64
  }

  private var given: Set<Row> = []

  init(_ told: ToldSteps) {
    var (seen, named): ([StoryTable: Set<Int64>], [String: Set<String>?]) = ([:], [:])
    for step in told.steps {
      for change in step.written where change.told.operation == .insert {
        guard let key = change.told.newKey ?? change.told.key else { continue }
        let follows = key == 1 || seen[change.table]?.contains(key &- 1) == true
        seen[change.table, default: []].insert(key)
        guard !follows, change.told.depth == 0 else { continue }
        let names = named[step.sql] ?? Self.columns(named: step.sql)
        named[step.sql] = .some(names)
        let keys = told.keys[change.table] ?? []
        let isNamed = zip(change.columns, change.told.new).contains { name, value in
          value.map(change.isRowID) == true && (keys.isEmpty || keys.contains(name))
            && names?.contains(name.lowercased()) != false
        }
        if isNamed { given.insert(Row(step: step.number, table: change.table.name, key: key)) }
      }
    }
  }

  func contains(_ change: ToldSteps.Change, of step: ToldSteps.Step) -> Bool {
    guard let key = change.told.newKey ?? change.told.key else { return false }
    return given.contains(Row(step: step.number, table: change.table.name, key: key))
  }

  /// Columns named in an INSERT, in lower case; `nil` without a list.
  private static func columns(named sql: String) -> Set<String>? {
    let tokens = SQLToken.all(in: sql)
    guard let start = tokens.firstIndex(where: { $0.text == "(" }),
      !tokens[..<start].contains(where: { ["VALUES", "SELECT", "WITH"].contains($0.folded) && !$0.isQuoted })
    else { return nil }
    return Set(tokens[start...].prefix { $0.text != ")" }.compactMap { $0.name?.lowercased() })
  }
}
