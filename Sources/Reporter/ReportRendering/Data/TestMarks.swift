import Collector
import ReportInspection
import ReportModel
import ReportStory

/// What a test has, as bits of a number in the data for `report.js`.
struct TestMarks: OptionSet {
  let rawValue: Int

  static let database = TestMarks(rawValue: 1 << 0)
  static let directory = TestMarks(rawValue: 1 << 1)
  static let file = TestMarks(rawValue: 1 << 2)
  static let text = TestMarks(rawValue: 1 << 3)
  static let data = TestMarks(rawValue: 1 << 4)
  static let evidence: TestMarks = [.database, .directory, .file, .text, .data]
  /// Evidence that is not there.
  static let missing = TestMarks(rawValue: 1 << 5)
  static let warning = TestMarks(rawValue: 1 << 6)
  static let flaky = TestMarks(rawValue: 1 << 7)
  /// Whether it is known to have changed a database.
  static let changes = TestMarks(rawValue: 1 << 8)
  static let findings = TestMarks(rawValue: 1 << 9)
  static let new = TestMarks(rawValue: 1 << 10)
  static let still = TestMarks(rawValue: 1 << 11)
  static let fixed = TestMarks(rawValue: 1 << 12)

  /// As `has:` names them in the page's filter.
  static let names: KeyValuePairs<String, TestMarks> = [
    "database": .database, "directory": .directory, "file": .file, "text": .text, "data": .data,
    "evidence": .evidence, "missing": .missing, "warning": .warning, "flaky": .flaky,
    "changes": .changes, "findings": .findings, "new": .new, "still": .still, "fixed": .fixed,
  ]

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  init(of test: TestResult, in context: PageContext) {
    self = context.standings?[test.id].map { TestMarks(named: $0.rawValue) } ?? []
    if test.isPlain { return }
    if test.issues.contains(where: { $0.severity == .warning }) { insert(.warning) }
    if test.isFlaky { insert(.flaky) }
    for evidence in test.evidence {
      insert(evidence.path == nil ? .missing : TestMarks(named: evidence.kind.rawValue))
    }
    if context.contents.hasChanges(test) { insert(.changes) }
    if !TestFindings(test, context.contents).entries.isEmpty { insert(.findings) }
  }

  /// Nothing for a word that nobody looks for, as a test's page tells its story.
  private init(named word: String) {
    self = Self.names.first { $0.key == word }?.value ?? []
  }
}

extension ReportContents {
  /// Whether a test is known to have changed what is in its databases.
  fileprivate func hasChanges(_ test: TestResult) -> Bool {
    if let story = stories[test.id] {
      let isChanged = !story.changes.tables.isEmpty || story.states.contains { !$0.changes.tables.isEmpty }
      if isChanged { return true }
    }
    return test.evidence.contains { evidence in
      evidence.path.flatMap { changes[$0] }.map { !$0.tables.isEmpty } ?? false
    }
  }
}
