import Collector

@testable import ReportModel

extension Report {
  /// Every outcome, every kind of evidence, and text that tries to break out of each format.
  static let hostile = Report(
    title: "Shop & \"Söhne\" <b>",
    runs: [Run(name: "20261121-073012-1a2b3c4d", start: 1_795_246_212, toolchain: "Swift 6.3")],
    tests: [crashed, failed, parameterised, skipped, known, passed].sorted { $0.id < $1.id },
    faults: [
      Remark(
        kind: "logEndedEarly", message: "The log stops: \u{1B}[31m<script>", input: "runs/r/logs/1-2.jsonl")
    ],
    notices: [Remark(kind: "repairedXML", message: "repaired", input: nil)])

  private static let failed = TestResult(
    id: TestCaseID(module: "Shop", suite: ["Orders"], name: "`\"><img onerror> ]]> \u{202E}evil`()"),
    framework: .swiftTesting, displayName: "evil", outcome: .failed, duration: 1.5e-7,
    location: SourceReference(file: "Tests/A & B.swift", line: 7),
    issues: [
      TestIssue(
        message: "first \u{0}\u{1B}[31m line\nsecond <line> \t ]]> \u{FFFF}",
        location: SourceReference(file: "Tests/A & B.swift", line: 9), severity: .error, isKnown: false),
      TestIssue(message: "only a warning", location: nil, severity: .warning, isKnown: false),
      TestIssue(message: "another", location: nil, severity: .error, isKnown: false),
    ],
    evidence: [
      TestEvidence(
        kind: .database, name: "store \"1\".sqlite", path: "evidence/Shop.Orders/store.sqlite", bytes: 8192,
        source: "store.sqlite",
        details: .database(
          DatabaseCapture(
            method: .readTransaction, wal: .committed, databaseBytes: 4096, walBytes: 8272))),
      TestEvidence(kind: .directory, name: "[[ATTACHMENT|../secret]]", failure: "1 GiB is over the budget."),
    ])

  private static let crashed = TestResult(
    id: TestCaseID(module: "Shop", suite: ["StoreTests"], name: "testCrash"), framework: .xctest,
    outcome: .crashed)

  private static let parameterised = TestResult(
    id: TestCaseID(
      module: "Shop", suite: [], name: "sum(of:)", argument: .init(ordinal: 1, description: "\"a\", [1, 2]")),
    framework: .swiftTesting, outcome: .unfinished, duration: 12.25)

  private static let skipped = TestResult(
    id: TestCaseID(module: "Shop", suite: ["StoreTests"], name: "testSkip"), framework: .xctest,
    outcome: .skipped, duration: 0, skipReason: "not \"today\" & never")

  private static let known = TestResult(
    id: TestCaseID(module: "Shop", suite: ["Orders"], name: "known()"), framework: .swiftTesting,
    outcome: .knownIssue, duration: 0.001,
    issues: [TestIssue(message: "to be fixed", location: nil, severity: .error, isKnown: true)])

  private static let passed = TestResult(
    id: TestCaseID(module: "Other", suite: ["Case"], name: "passes"), outcome: .passed, duration: 3600.125)
}
