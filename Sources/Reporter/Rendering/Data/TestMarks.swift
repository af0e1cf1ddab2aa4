import Collector

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

  /// As `has:` names them in the page's filter.
  static let names: KeyValuePairs<String, TestMarks> = [
    "database": .database, "directory": .directory, "file": .file, "text": .text, "data": .data,
    "evidence": .evidence, "missing": .missing, "warning": .warning, "flaky": .flaky,
  ]

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  init(of test: TestResult) {
    self = test.issues.contains { $0.severity == .warning } ? .warning : []
    if test.isFlaky { insert(.flaky) }
    for evidence in test.evidence { insert(evidence.path == nil ? .missing : TestMarks(evidence.kind)) }
  }

  private init(_ kind: EvidenceKind) {
    switch kind {
    case .database: self = .database
    case .directory: self = .directory
    case .file: self = .file
    case .text: self = .text
    case .data: self = .data
    // The test's page tells it; nobody looks for a test by it.
    case .story: self = []
    }
  }
}
