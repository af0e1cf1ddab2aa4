import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportStory

/// Rates how near a step is to the failure, by tables.
struct Nearness {
  private let reads: Set<Int>
  private let tables: Set<String>
  /// Functions that wrote the failing read's tables.
  private let writers: Set<String>
  /// UPDATEs and DELETEs that changed rows that hold all that a failing read asks for.
  private let ofItsRows: Set<Int>

  init(_ basis: ExperimentBasis) {
    let tests = basis.told.steps.filter { !$0.isSetUp }
    var (reads, tables) = (basis.failing.steps, basis.failing.tables)
    if !basis.failing.isKnown {
      // All reads since the last write may contribute.
      let end = tests.last { $0.text.kind == .select }?.number ?? 0
      let begin = tests.last { $0.text.isWrite && $0.number < end }?.number ?? 0
      for step in tests where step.number > begin && step.text.kind == .select {
        reads.insert(step.number)
        tables.formUnion(step.text.names.intersection(basis.failing.allTables))
      }
    }
    (self.reads, self.tables) = (reads, tables)
    writers = Set(
      tests.filter { $0.text.isWrite && $0.text.hasTarget(in: tables) }.map(\.functions).filter {
        !$0.isEmpty
      })
    let asked = tests.filter { reads.contains($0.number) }.map(Self.conditions).filter { !$0.isEmpty }
    ofItsRows = Set(
      tests.filter { step in
        [.update, .delete].contains(step.text.kind)
          && step.text.hasTarget(in: tables)
          && step.changes.contains { change in asked.contains { change.meets($0) } }
      }.map(\.number))
  }

  fileprivate struct Condition: Hashable {
    /// In lower case.
    var column: String
    var literal: String
  }

  /// The columns that a read compares with a value.
  private static func conditions(of read: ToldSteps.Step) -> Set<Condition> {
    let statement = ParsedStatement(read.recorded.expanded ?? read.sql, names: read.text.names)
    let equalities = statement.comparisons.filter { ["=", "==", "IS"].contains($0.word) }.prefix(
      mostConditions)
    return Set(
      equalities.compactMap { comparison in
        let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
        guard let (column, value) = sides.first(where: { statement.isColumn($0) && $1.count == 1 }),
          statement.tokens[value.lowerBound].isLiteral
        else { return nil }
        return Condition(
          column: statement.tokens[column.upperBound - 1].name.lowercased(),
          literal: String(statement.tokens[value.lowerBound].text))
      })
  }

  private static let mostConditions = 20

  func distance(of step: ToldSteps.Step) -> Int {
    if reads.contains(step.number) { return 0 }
    if ofItsRows.contains(step.number) { return -1 }
    let touches = !step.text.names.isDisjoint(with: tables)
    switch step.text.kind {
    case .insert, .update, .delete:
      let isNear = step.text.hasTarget(in: tables)
      return step.isSetUp ? 8 : isNear ? 1 : 3
    case .select:
      return step.isSetUp ? 9 : touches || writers.contains(step.functions) ? 2 : 3
    // Triggers and indexes affect the app's statements.
    case .create: return touches ? step.sql.makesTable ? 5 : 3 : 8
    case .drop, .alter: return touches ? 5 : 8
    case .begin, .commit, .rollback, .savepoint, .rollbackTo, .release: return step.isSetUp ? 9 : 4
    case .vacuum, .other: return step.isSetUp ? 9 : 7
    }
  }
}

extension ToldSteps.Change {
  /// True where the row has the values that are asked for, before the change or behind it; other tables' columns do not
  /// count.
  fileprivate func meets(_ conditions: Set<Nearness.Condition>) -> Bool {
    let names = columns.map { $0.lowercased() }
    let own = conditions.filter { names.contains($0.column) }
    return !own.isEmpty
      && own.allSatisfy { condition in
        [told.old, told.new].contains { row in
          zip(names, row).contains { $0 == condition.column && $1?.literal == condition.literal }
        }
      }
  }
}

extension StatementText {
  /// - Parameter tables: Names in lower case.
  fileprivate func hasTarget(in tables: Set<String>) -> Bool {
    target.map { tables.contains($0.lowercased()) } ?? false
  }
}

extension DatabaseValue {
  /// As SQL has it; `nil` for what no text compares.
  fileprivate var literal: String? {
    switch self {
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text, _): SQLText.text(text)
    case .null, .blob: nil
    }
  }
}

extension String {
  fileprivate var makesTable: Bool { StatementVerb(StatementToken.all(in: self)) == .table }
}
