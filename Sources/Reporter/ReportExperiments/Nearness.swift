import ReportCauses
import ReportModel
import ReportStory

/// Rates how near a step is to the failure, by tables.
struct Nearness {
  private let reads: Set<Int>
  private let tables: Set<String>
  /// Functions that wrote the failing read's tables.
  private let writers: Set<String>

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
      tests.filter { step in
        step.text.isWrite && step.text.target.map { tables.contains($0.lowercased()) } == true
      }.map(\.functions).filter { !$0.isEmpty })
  }

  func distance(of step: ToldSteps.Step) -> Int {
    if reads.contains(step.number) { return 0 }
    let touches = !step.text.names.isDisjoint(with: tables)
    switch step.text.kind {
    case .insert, .update, .delete:
      let isNear = step.text.target.map { tables.contains($0.lowercased()) } == true
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

extension String {
  fileprivate var makesTable: Bool { StatementVerb(StatementToken.all(in: self)) == .table }
}
