package import ReportStory

/// A captured database of a test.
package struct CapturedFile: Sendable {
  /// Index in the story's databases.
  package var database: Int
  package var schema: CapturedSchema

  package init(database: Int, schema: CapturedSchema) {
    (self.database, self.schema) = (database, schema)
  }
}

/// Says what the steps of a test alone tell of its first failure: docs/why.md has what each sentence means.
package struct Causes {
  /// Sentences of one test.
  package static let most = 3

  let told: ToldSteps
  let files: [CapturedFile]
  let disagreement: Disagreement
  /// The steps of the test behind its set-up.
  let tests: [ToldSteps.Step]
  let families: [StepFamily]

  /// - Parameters:
  ///   - told: The steps before the failure.
  ///   - files: The databases as they were captured.
  ///   - message: The failure's message.
  package init(_ told: ToldSteps, files: [CapturedFile], message: String) {
    (self.told, self.files) = (told, files)
    disagreement = Disagreement(message, told, files)
    tests = told.steps.filter { !$0.isSetUp }
    families = tests.families
  }

  /// The reads in which the failure shows.
  package var failingReads: FailingReads {
    FailingReads(
      steps: Set(disagreement.reads.map(\.number)), isKnown: disagreement.isKnown,
      tables: disagreement.tables, allTables: disagreement.known)
  }

  /// The sentences, those first that say most; none where nothing is known.
  ///
  /// - Parameter others: The explanations of findings.
  package func explanations(with others: [Explanation] = []) -> [Explanation] {
    guard told.hasRows, !tests.isEmpty else { return Self.chosen(others) }
    let found = [missedTriggers, removedRows, otherConnections, otherDatabase, undoneWrites]
    return Self.chosen(found.flatMap { $0 } + others)
  }

  /// The heaviest ones, one of those about the same steps.
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

/// The reads that a failing assertion compared; where none returned its values, the last read.
package struct FailingReads: Sendable {
  /// Their numbers.
  package var steps: Set<Int>
  /// True when they returned values of the failure's message.
  package var isKnown: Bool
  /// The tables that they name and those behind them, in lower case.
  package var tables: Set<String>
  /// All tables that are known, in lower case.
  package var allTables: Set<String>

  package init(steps: Set<Int>, isKnown: Bool = false, tables: Set<String>, allTables: Set<String>) {
    (self.steps, self.isKnown, self.tables, self.allTables) = (steps, isKnown, tables, allTables)
  }
}

/// The weight of sentences: what equals the difference leads, then what is certain, then what is rare.
package enum Weight {
  /// What the test passes with, and what was tried where it passes with nothing.
  package static let (proven, experiments) = (300.0, 55.0)
  /// The first difference from a pass: where the failure follows from it, where that is not sure, and where it varies
  /// between passes too.
  package static let (firstDifference, likelyDifference, varyingDifference) = (200.0, 190.0, 60.0)
  static let certainDifference = 100.0
  static let difference = 90.0
  static let certain = 70.0
  static let rule = 65.0
  static let rare = 50.0
  /// Added where the sentence is about a table that the failing read reads.
  static let touchesRead = 10.0
}
