import Collector
import ReportInspection
import ReportModel
import ReportStory

let testsInADataFile = 10_000

/// Failures per data file; few, since each page reads the one with its test.
let failuresInADataFile = 500

func partCount(_ elements: Int, of size: Int) -> Int { (elements + size - 1) / size }

/// One file of the list of all tests for `report.js`.
///
/// It calls `exhibit.add(number, {suites, tests})` with the suites in use and a row for each test: suite index,
/// outcome, microseconds or -1, name, page, message, display name, argument, ordinal, bits of `TestMark`, tags, number
/// and size of the group of similar failures, and a digit for each earlier outcome. Trailing empty values are left out.
func testDataFile(_ number: Int, in context: PageContext) -> ReportFile {
  let bytes = Array("exhibit.add(\(number),".utf8) + testData(number, in: context) + Array(");\n".utf8)
  return ReportFile(path: "data/tests-\(number).js", contents: bytes)
}

/// One file of failures, which calls `exhibit.addFailures`.
func failureDataFile(_ number: Int, in context: PageContext) -> ReportFile {
  let failures = context.failures.dropFirst(number * failuresInADataFile).prefix(failuresInADataFile)
  let bytes =
    Array("exhibit.addFailures(\(number),".utf8) + rowsOfData(failures, in: context) + Array(");\n".utf8)
  return ReportFile(path: "data/failures-\(number).js", contents: bytes)
}

func testData(_ number: Int, in context: PageContext) -> [UInt8] {
  let tests = context.contents.report.tests.dropFirst(number * testsInADataFile).prefix(testsInADataFile)
  return rowsOfData(tests, in: context)
}

private func rowsOfData(_ tests: ArraySlice<TestResult>, in context: PageContext) -> [UInt8] {
  let suites = grouped(tests) { $0.module == $1.module && $0.suite == $1.suite }
  var text = JSONText(.script)
  text.object { text in
    text.array("suites", suites.compactMap(\.first?.id)) { text, id in
      text.array(nil, [id.module, id.suite.joined(separator: "/")]) { $0.element(visibleOnOneLine($1)) }
    }
    text.array("tests", Array(suites.enumerated())) { text, suite in
      for test in suite.element { text.array { write(test, suite: suite.offset, to: &$0, in: context) } }
    }
  }
  return text.take()
}

private func write(_ test: TestResult, suite: Int, to row: inout JSONText, in context: PageContext) {
  row.element(suite)
  row.element(test.outcome.severity)
  row.element(microseconds(test.duration))
  row.element(visibleOnOneLine(shortened(test.id.name, to: longestName)))
  /// The end of the last nonempty value.
  var end = row.count
  func addIfSaid<Value>(_ value: Value?, _ write: (inout JSONText, Value) -> Void) {
    guard let value else { return row.element(0) }
    write(&row, value)
    end = row.count
  }
  func addIfSaid(_ text: String?) { addIfSaid(text) { $0.element($1) } }
  func addIfSaid(_ number: Int) { addIfSaid(number == 0 ? nil : number) { $0.element($1) } }
  defer { row.remove(behind: end) }
  // Relative to the report's folder, which the script knows.
  addIfSaid(context.link(toPageOf: test))
  if test.isPlain && test.id.argument == nil && context.standings == nil { return }
  addIfSaid(test.remarkInList(context.contents.sources))
  addIfSaid(test.displayName.map { visibleOnOneLine(shortened($0, to: longestName)) })
  addIfSaid(test.id.argument.map { visibleOnOneLine(shortened($0.description, to: longestName)) })
  addIfSaid(test.id.argument?.ordinal ?? 0)
  addIfSaid(TestMark.all(of: test, in: context).reduce(0) { $0 | $1.rawValue })
  addIfSaid(test.tags.isEmpty ? nil : test.tags) { row, tags in
    row.array(nil, tags) { $0.element(visibleOnOneLine($1)) }
  }
  let alike = context.alike[test.id]
  addIfSaid(alike?.number ?? 0)
  addIfSaid(alike?.total ?? 0)
  addIfSaid(context.contents.pasts[test.id]?.signs)
}

private let longestName = 500

private func microseconds(_ seconds: Double?) -> Int {
  guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return -1 }
  return Int((seconds * 1e6).rounded())
}

/// A trait of a test: a bit in the data for `report.js`, and a word after `has:` in the search.
enum TestMark: Int, CaseIterable {
  case database = 0x1
  case directory = 0x2
  case file = 0x4
  case text = 0x8
  case data = 0x10
  /// Any of the above.
  case evidence = 0x1f
  case missing = 0x20
  case warning = 0x40
  case flaky = 0x80
  /// A database was changed.
  case changes = 0x100
  case findings = 0x200
  case new = 0x400
  case still = 0x800
  case fixed = 0x1000

  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

  static func all(of test: TestResult, in context: PageContext) -> Set<TestMark> {
    var marks = Set(context.standings?[test.id].flatMap { named[$0.rawValue] }.map { [$0] } ?? [])
    if test.isPlain { return marks }
    if test.issues.contains(where: { $0.severity == .warning }) { marks.insert(.warning) }
    if test.isFlaky { marks.insert(.flaky) }
    // Stories are no separate evidence.
    marks.formUnion(test.evidence.compactMap { $0.path == nil ? .missing : named[$0.kind.rawValue] })
    if context.contents.hasChanges(test) { marks.insert(.changes) }
    if !TestFindings(test, context.contents).entries.isEmpty { marks.insert(.findings) }
    return marks
  }
}

extension ReportContents {
  /// True for known changes of rows or schema.
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
