import Collector
import ReportModel

/// Tests in one file of data.
private let testsInAFile = 10_000

/// How many files of data so many tests take.
func testDataFileCount(_ tests: Int) -> Int { (tests + testsInAFile - 1) / testsInAFile }

/// Failures in one file of data: the first that a page reads shows where its test stands in the list.
let failuresInADataFile = 500

/// How many files of data so many failures take.
func failureDataFileCount(_ failures: Int) -> Int {
  (failures + failuresInADataFile - 1) / failuresInADataFile
}

/// One file of the list of all tests for `report.js`: classic scripts, because a page on disk may load nothing else.
///
/// It calls `exhibit.add(number, {suites, tests})` with the module and suites in use, and a row for each test: its
/// suite's index, its outcome's, microseconds or -1, name, page, message, display name, argument, ordinal, `TestMarks`,
/// tags, the number of the failures that it is like, how many those are, and a digit for each earlier outcome. Rows end with the last value that says
/// something.
func testDataFile(_ number: Int, in context: PageContext) -> ReportFile {
  let bytes = Array("exhibit.add(\(number),".utf8) + testData(number, in: context) + Array(");\n".utf8)
  return ReportFile(path: "data/tests-\(number).js", contents: bytes)
}

/// One file of the failures alone, in the same form: it calls `exhibit.addFailures`.
func failureDataFile(_ number: Int, in context: PageContext) -> ReportFile {
  let start = number * failuresInADataFile
  let failures = context.failures[start..<min(context.failures.count, start + failuresInADataFile)]
  let bytes =
    Array("exhibit.addFailures(\(number),".utf8) + rowsOfData(failures, in: context) + Array(");\n".utf8)
  return ReportFile(path: "data/failures-\(number).js", contents: bytes)
}

/// The tests of one file without the call: JSON.
func testData(_ number: Int, in context: PageContext) -> [UInt8] {
  let tests = context.contents.report.tests
  let start = number * testsInAFile
  return rowsOfData(tests[start..<min(tests.count, start + testsInAFile)], in: context)
}

private func rowsOfData(_ tests: ArraySlice<TestResult>, in context: PageContext) -> [UInt8] {
  var suites = ScriptArray()
  var rows = ScriptArray()
  var count = 0
  var last: TestCaseID?
  for test in tests {
    if last?.module != test.id.module || last?.suite != test.id.suite {
      suites.appendArray { suite in
        suite.append(visibleOnOneLine(test.id.module))
        suite.append(visibleOnOneLine(test.id.suite.joined(separator: "/")))
      }
      count += 1
    }
    last = test.id
    rows.appendArray { write(test, suite: count - 1, to: &$0, in: context) }
  }
  return Array("{\"suites\":".utf8) + suites.closed + Array(",\"tests\":".utf8) + rows.closed
    + Array("}".utf8)
}

private func write(_ test: TestResult, suite: Int, to row: inout ScriptArray, in context: PageContext) {
  row.append(suite)
  row.append(test.outcome.severity)
  row.append(microseconds(test.duration))
  row.append(visibleOnOneLine(shortened(test.id.name, to: longestName)))
  // References are relative to the report's folder on every page: the script knows where it is.
  row.appendIfSaid(context.link(toPageOf: test))
  if test.isPlain && test.id.argument == nil && context.standings == nil { return }
  row.appendIfSaid(test.remarkInList(context.contents.sources))
  row.appendIfSaid(test.displayName.map { visibleOnOneLine(shortened($0, to: longestName)) })
  row.appendIfSaid(test.id.argument.map { visibleOnOneLine(shortened($0.description, to: longestName)) })
  row.appendIfSaid(test.id.argument?.ordinal ?? 0)
  row.appendIfSaid(TestMarks(of: test, in: context).rawValue)
  row.appendIfSaid(test.tags.map(visibleOnOneLine))
  let alike = context.alike[test.id]
  row.appendIfSaid(alike?.number ?? 0)
  row.appendIfSaid(alike?.total ?? 0)
  row.appendIfSaid(context.contents.pasts[test.id]?.signs)
}

/// Unicode scalars of a name or an argument.
private let longestName = 500

private func microseconds(_ seconds: Double?) -> Int {
  guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return -1 }
  return Int((seconds * 1e6).rounded())
}
