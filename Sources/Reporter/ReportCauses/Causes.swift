package import ReportStory

/// A test's captured database.
package struct CapturedFile: Sendable {
  /// An index in the story's databases.
  package var database: Int
  package var schema: CapturedSchema

  package init(database: Int, schema: CapturedSchema) {
    (self.database, self.schema) = (database, schema)
  }
}

/// Explains a test's first failure by its steps alone; docs/why.md describes the sentences.
package struct Causes {
  package static let most = 3
  /// The largest share of runs that counts as an exception.
  static let rareEnough = 0.25

  let told: ToldSteps
  let files: [CapturedFile]
  let disagreement: Disagreement
  /// The steps after set-up.
  let tests: [ToldSteps.Step]
  let families: [StepFamily]

  package init(_ told: ToldSteps, files: [CapturedFile], message: String) {
    (self.told, self.files) = (told, files)
    disagreement = Disagreement(message, told, files)
    tests = told.steps.filter { !$0.isSetUp }
    families = tests.families
  }

  /// The reads that show the failure.
  package var failingReads: FailingReads {
    FailingReads(
      steps: Set(disagreement.reads.map(\.number)), isKnown: disagreement.isKnown,
      tables: disagreement.tables, allTables: disagreement.known)
  }

  /// The most telling sentences first.
  ///
  /// - Parameter others: Explanations of findings.
  package func explanations(with others: [Explanation] = []) -> [Explanation] {
    guard told.hasRows, !tests.isEmpty else { return Self.chosen(others) }
    let found = [missedTriggers, removedRows, otherConnections, otherDatabase, undoneWrites]
    return Self.chosen(found.flatMap { $0 } + others)
  }

  /// The heaviest ones, one per set of steps.
  static func chosen(_ found: [Explanation]) -> [Explanation] {
    var chosen: [Explanation] = []
    for explanation in found.sorted(by: { ($0.weight, $1.text) > ($1.weight, $0.text) }) {
      guard chosen.count < most else { break }
      let isKnown = chosen.contains { other in
        other.text == explanation.text
          || !explanation.about.isEmpty && !other.about.isDisjoint(with: explanation.about)
      }
      if !isKnown { chosen.append(explanation) }
    }
    return chosen
  }
}

/// The reads that the failing assertion compared, or else the last read.
package struct FailingReads: Sendable {
  package var steps: Set<Int>
  /// True when they returned values of the failure message.
  package var isKnown: Bool
  /// The tables they read, directly or through copies, in lower case.
  package var tables: Set<String>
  /// All known tables, in lower case.
  package var allTables: Set<String>

  package init(steps: Set<Int>, isKnown: Bool = false, tables: Set<String>, allTables: Set<String>) {
    (self.steps, self.isKnown, self.tables, self.allTables) = (steps, isKnown, tables, allTables)
  }
}

/// How sentences rank: those that equal the difference, then certain ones, then rare events.
package enum Weight {
  /// Experiments that made the test pass, and those that did not.
  package static let (proven, experiments) = (300.0, 55.0)
  /// The first difference from a pass, if it explains the failure, may do so, or also varies between passes.
  package static let (firstDifference, likelyDifference, varyingDifference) = (200.0, 190.0, 60.0)
  static let certainDifference = 100.0
  static let difference = 90.0
  static let certain = 70.0
  static let rule = 65.0
  static let rare = 50.0
  /// Added when the failing read's tables are concerned.
  static let touchesRead = 10.0
}
