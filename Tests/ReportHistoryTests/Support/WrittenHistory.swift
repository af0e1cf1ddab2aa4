import Collector
import Foundation
import ReportModel

@testable import ReportHistory

/// A history in a folder of its own, and runs to add to it.
struct WrittenHistory {
  static let first = TestCaseID(module: "ShopTests", suite: ["OrderTests"], name: "testTotal")
  static let second = TestCaseID(module: "ShopTests", suite: ["OrderTests"], name: "testTax")
  static let label = "linux"

  let folder: TemporaryFolder
  var file: HistoryFile

  init() throws {
    folder = try TemporaryFolder()
    file = HistoryFile(path: folder("history.sqlite"))
    file.patience = 0.2
  }

  /// A full hash that begins with a letter.
  static func commit(_ letter: Character) -> String { "\(letter)" + String(repeating: "0", count: 39) }

  /// A run that began so many hours after the first one.
  static func run(
    _ hour: Double, commit letter: Character? = "a", isDirty: Bool? = false, label: String = label
  ) -> HistoryRun {
    HistoryRun(
      key: "run \(hour) \(label)", name: "run-\(Int(hour))", label: label, commit: letter.map(commit),
      isDirty: isDirty, began: 1_000_000 + hour * 3600)
  }

  /// A result; a failed one has a message.
  static func result(_ test: TestCaseID, _ outcome: Outcome, _ message: String? = nil) -> TestResult {
    let text = message ?? (outcome.isFailure ? "total is 12" : nil)
    let issues = text.map { [TestIssue(message: $0, severity: .error, isKnown: false)] } ?? []
    return TestResult(id: test, outcome: outcome, duration: 0.25, issues: issues)
  }

  @discardableResult func add(_ run: HistoryRun, _ tests: TestResult...) throws -> Bool {
    try file.add(KeptRun(run: run, tests: tests)) != nil
  }

  /// Adds a run with one test.
  func add(_ hour: Double, _ outcome: Outcome, commit: Character? = "a", isDirty: Bool? = false) throws {
    try add(Self.run(hour, commit: commit, isDirty: isDirty), Self.result(Self.first, outcome))
  }

  /// A copy as a process leaves it that dies while it writes: the file half changed, with the journal that takes it back.
  func leaveInterrupted() throws -> HistoryFile {
    let writer = try TestConnection(file.path, "PRAGMA cache_size = 1; BEGIN IMMEDIATE")
    try writer.execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        + " INSERT INTO messages (text) SELECT 'text ' || i FROM n")
    for end in ["", "-journal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path + end))
      try bytes.write(to: URL(fileURLWithPath: folder("dead.sqlite" + end)))
    }
    writer.close()
    var left = HistoryFile(path: folder("dead.sqlite"))
    left.patience = file.patience
    return left
  }

  /// The past of the first test in a run.
  func past(_ outcome: Outcome, in run: HistoryRun) throws -> TestPast? {
    try file.past(of: [Self.result(Self.first, outcome)], in: run)[Self.first]
  }

  /// A value that SQLite itself reads in the file.
  func value(_ sql: String) throws -> String {
    try TestConnection(file.path, "SELECT 1").text(sql)
  }

  var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: file.path)) } }
}
