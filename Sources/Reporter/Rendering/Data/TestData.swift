import Collector

/// Tests in one file of data.
private let testsInAFile = 10_000

/// How many files of data so many tests take.
func testDataFileCount(_ tests: Int) -> Int { (tests + testsInAFile - 1) / testsInAFile }

/// One file of the list of all tests for `report.js`: classic scripts, because a page on disk may load nothing else.
///
/// It calls `exhibit.add(number, {suites, tests})` with the module and suites in use, and a row for each test: its
/// suite's index, its outcome's, microseconds or -1, name, page, message, display name, argument, ordinal, `TestMarks`,
/// tags. Rows end with the last value that says something.
func testDataFile(_ number: Int, of tests: [TestResult], names: PageNames) -> ReportFile {
  let bytes =
    Array("exhibit.add(\(number),".utf8) + testData(number, of: tests, names.path) + Array(");\n".utf8)
  return ReportFile(path: "data/tests-\(number).js", contents: bytes)
}

/// The same without the call: JSON.
///
/// - Parameter page: The reference of a test's page.
func testData(_ number: Int, of all: [TestResult], _ page: (TestResult) -> String?) -> [UInt8] {
  let start = number * testsInAFile
  let tests = all[start..<min(all.count, start + testsInAFile)]
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
    rows.appendArray { write(test, suite: count - 1, page: page(test), to: &$0) }
  }
  return Array("{\"suites\":".utf8) + suites.closed + Array(",\"tests\":".utf8) + rows.closed
    + Array("}".utf8)
}

private func write(_ test: TestResult, suite: Int, page: String?, to row: inout ScriptArray) {
  row.append(suite)
  row.append(test.outcome.severity)
  row.append(microseconds(test.duration))
  row.append(visibleOnOneLine(shortened(test.id.name, to: longestName)))
  row.appendIfSaid(page)
  if test.isPlain && test.id.argument == nil { return }
  row.appendIfSaid(test.remarkInList)
  row.appendIfSaid(test.displayName.map { visibleOnOneLine(shortened($0, to: longestName)) })
  row.appendIfSaid(test.id.argument.map { visibleOnOneLine(shortened($0.description, to: longestName)) })
  row.appendIfSaid(test.id.argument?.ordinal ?? 0)
  row.appendIfSaid(TestMarks(of: test).rawValue)
  row.appendIfSaid(test.tags.map(visibleOnOneLine))
}

/// Unicode scalars of a name or an argument.
private let longestName = 500

private func microseconds(_ seconds: Double?) -> Int {
  guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return -1 }
  return Int((seconds * 1e6).rounded())
}
