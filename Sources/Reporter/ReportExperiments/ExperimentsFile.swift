package import Collector
package import ExhibitSystem
package import ReportModel

/// `experiments.json` in a run's folder: results of experiments.
///
/// docs/artifacts-format.md describes it.
package enum ExperimentsFile: RunFile {
  package static let name = "experiments.json"
  package static let loss = "what tests pass with is not told."

  private static let (mostTests, mostProven, mostNames) = (10_000, 10, 1000)

  // MARK: - Writing

  /// Replaces the file atomically.
  ///
  /// - Throws: `SystemError`.
  package static func write(_ tests: [ExplainedTest], to run: RunFolder) throws(SystemError) {
    try write(bytes(of: tests), to: run)
  }

  package static func bytes(of tests: [ExplainedTest]) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("format", ArtifactsFormat.current)
      text.array("tests") { text in
        for test in tests {
          text.startLine()
          text.object { write(test, to: &$0) }
        }
        text.endLine()
      }
    }
    text.endLine()
    return text.withBytes { Array($0) }
  }

  private static func write(_ test: ExplainedTest, to text: inout JSONText) {
    text.object("test") { test.test.write(to: &$0) }
    switch test.control {
    case .fails: text.member("control", "fails")
    case .differs(let sentence):
      text.member("control", "differs")
      text.member("reason", sentence)
    case .refused(let sentence):
      text.member("control", "refused")
      text.member("reason", sentence)
    }
    text.member("tried", test.tried)
    text.member("changing", test.changing)
    text.member("statements", test.statements)
    text.member("planned", test.planned)
    text.array("reaching") { text in for step in test.reaching { text.element(step) } }
    text.member("idle", test.idle)
    text.member("seconds", test.seconds)
    text.array("proven") { text in
      for proven in test.proven { text.object { write(proven, to: &$0) } }
    }
  }

  private static func write(_ proven: ExplainedTest.Proven, to text: inout JSONText) {
    text.member("sql", proven.sql)
    text.member("replacement", proven.replacement)
    text.member("step", proven.step)
    text.member("words", proven.words)
    text.member("bare", proven.bare)
    text.member("operator", proven.operatorName)
    text.member("number", proven.number)
    text.member("more", proven.more)
    guard let others = proven.others else { return }
    text.object("others") { text in
      text.member("passed", others.passed)
      text.array("failed") { text in for name in others.failed { text.element(name) } }
    }
  }

  // MARK: - Reading

  /// Reads the file of an untrusted run.
  package static func read(of run: RunFolder) throws(ReadingError) -> [ExplainedTest] {
    try read(contents(of: run))
  }

  package static func read(_ bytes: [UInt8]) throws(ReadingError) -> [ExplainedTest] {
    try read(bytes) { (value) throws(ReadingError) in
      guard let tests = value["tests"]?.array else { throw .damaged }
      guard tests.count <= mostTests else { throw .tooLarge }
      var read: [ExplainedTest] = []
      for test in tests { read.append(try self.test(test)) }
      return read
    }
  }

  private static func test(_ value: JSONValue) throws(ReadingError) -> ExplainedTest {
    guard let identity = value["test"].flatMap({ TestCaseID(json: $0) }), let control = control(value),
      let tried = count(value["tried"]), let changing = count(value["changing"]),
      let statements = count(value["statements"]), let planned = count(value["planned"]),
      let reaching = value["reaching"]?.array, let idle = count(value["idle"]),
      let seconds = value["seconds"]?.number, let proven = value["proven"]?.array, proven.count <= mostProven
    else { throw .damaged }
    var test = ExplainedTest(test: identity, control: control)
    (test.tried, test.changing, test.statements, test.planned) = (tried, changing, statements, planned)
    test.reaching = reaching.prefix(mostNames).compactMap { count($0) }
    (test.idle, test.seconds) = (idle, seconds)
    for one in proven { test.proven.append(try self.proven(one)) }
    return test
  }

  private static func control(_ value: JSONValue) -> ExplainedTest.Control? {
    let reason = value["reason"]?.string ?? ""
    return switch value["control"]?.string {
    case "fails": .fails
    case "differs": .differs(reason)
    case "refused": .refused(reason)
    default: nil
    }
  }

  private static func count(_ value: JSONValue?) -> Int? {
    value?.integer.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
  }

  private static func proven(_ value: JSONValue) throws(ReadingError) -> ExplainedTest.Proven {
    guard let words = value["words"]?.string, let bare = value["bare"]?.string,
      let operatorName = value["operator"]?.string, let number = count(value["number"]),
      let more = count(value["more"])
    else { throw .damaged }
    var proven = ExplainedTest.Proven(words: words, bare: bare, operatorName: operatorName, number: number)
    (proven.sql, proven.replacement) = (value["sql"]?.string, value["replacement"]?.string)
    (proven.step, proven.more) = (count(value["step"]), more)
    guard let others = value["others"], case .object = others else { return proven }
    guard let passed = count(others["passed"]), let failed = others["failed"]?.array,
      failed.count <= mostNames
    else { throw .damaged }
    proven.others = ExplainedTest.Others(passed: passed, failed: failed.compactMap(\.string))
    return proven
  }
}
