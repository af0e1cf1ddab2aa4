import Collector
import ReportInspection
import ReportModel
import ReportStory

/// What a test has, as bits of a number in the data for `report.js`, and as `has:` names them in the page's filter.
enum TestMark: Int, CaseIterable {
  case database = 0x1
  case directory = 0x2
  case file = 0x4
  case text = 0x8
  case data = 0x10
  /// Any of these.
  case evidence = 0x1f
  /// Evidence that is not there.
  case missing = 0x20
  case warning = 0x40
  case flaky = 0x80
  /// Whether it is known to have changed a database.
  case changes = 0x100
  case findings = 0x200
  case new = 0x400
  case still = 0x800
  case fixed = 0x1000

  /// By the words of the page's filter.
  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

  static func all(of test: TestResult, in context: PageContext) -> Set<TestMark> {
    var marks = Set(context.standings?[test.id].flatMap { named[$0.rawValue] }.map { [$0] } ?? [])
    if test.isPlain { return marks }
    if test.issues.contains(where: { $0.severity == .warning }) { marks.insert(.warning) }
    if test.isFlaky { marks.insert(.flaky) }
    // Nobody looks for a story, as the test's page tells it.
    marks.formUnion(test.evidence.compactMap { $0.path == nil ? .missing : named[$0.kind.rawValue] })
    if context.contents.hasChanges(test) { marks.insert(.changes) }
    if !TestFindings(test, context.contents).entries.isEmpty { marks.insert(.findings) }
    return marks
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
