import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// What `reporter test` ends with: the failed tests on a terminal, and where the report is.
@Suite struct PrintedFailuresTests {
  @Test func eachIsToldInAFewLines() throws {
    let text = try printed(ordersReport())
    #expect(
      text == """

        ! OrdersTests.SyncTests/testReconnect  Sources/Orders/Sync.swift:31
            Fatal error: Index out of range
        ✗ OrdersTests.MigrationTests/migrate(from:) ("v3")  Tests/OrdersTests/MigrationTests.swift:31
            Expectation failed: (dump → "order 1: Ada, 129.90
        ✗ OrdersTests.OrderStoreTests/testTotalAfterDiscount  Tests/OrdersTests/OrderStoreTests.swift:48
            XCTAssertEqual failed: ("129.90 EUR") is not equal to ("116.91 EUR") - discount of ten percent
            It did: No row was changed. 1 odd step
            Suspicious: order.total holds a number as text in row 1 ('116,91') and 12 more rows, among 115 numbers.


        """)
  }

  @Test(arguments: [20, 40, 80]) func noLineIsWiderThanTheTerminal(width: Int) throws {
    for contents in [try ordersReport(), hostileReport()] {
      let text = printed(contents, width: width)
      for line in text.split(separator: "\n") { #expect(displayWidth(of: String(line)) <= width) }
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }
    #expect(
      try printed(ordersReport(), width: 80).contains("\n    Tests/OrdersTests/MigrationTests.swift:31\n"))
  }

  @Test func ofManyTheFirstOfAlikeOnesAreNamedAndTheRestIsCounted() {
    let text = printed(failures: 30) { $0 < 5 ? "row \($0)" : String(repeating: "x", count: $0) }
    #expect(text.hasPrefix("\n✗ M.t0\n    row 0\n    and 4 more failures like this one\n✗ M.t5\n"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("✗ ") } == 10)
    #expect(text.hasSuffix("\n… and 16 more failed tests\n\n"))
    let few = printed(failures: 10) { "row \($0)" }
    #expect(few.split(separator: "\n").count { $0.hasPrefix("✗ ") } == 10 && !few.contains("more"))
    #expect(printed(failures: 0) { _ in "" } == "")
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "needs a terminal"), arguments: [("xterm", true), ("dumb", false)])
  func onATerminalTheyAreNamedWithTheReportsAddress(terminal: String, isColoured: Bool) throws {
    let package = try ScriptedPackage()
    try FileManager.default.moveItem(
      atPath: package.folder.path + "/package", toPath: package.folder.path + "/a b")
    try package.makeSwift(package.leave("serial-rich") + "\nexit 1")
    let reporter = try ReporterProcess.executable
    let result = try ReporterProcess.command(
      Terminal.arguments(running: "\(reporter) test"),
      in: package.folder.path + "/a b", environment: ["TERM": terminal, "COLUMNS": "100", "NO_COLOR": ""],
      path: package.folder.path + "/bin"
    ).run()
    let lines = result.output.replacing("\r\n", with: "\n").split(separator: "\n")
    #expect(result.status == 1)
    #expect(lines.last == "Report: file://\(package.folder.path)/a%20b/test-artifacts/report/index.html")
    #expect(lines.contains { $0.hasPrefix(isColoured ? "\u{1B}[1;31m✗ " : "✗ ") }, "\(lines)")
  }

  @Test func inAFileOrAPipeNothingIsAdded() throws {
    let package = try ScriptedPackage()
    try package.makeSwift(package.leave("serial-rich") + "\nexit 1")
    let lines = try package.test().output.split(separator: "\n")
    #expect(lines.last == "Report: test-artifacts/report/index.html")
    #expect(!lines.contains { $0.hasPrefix("✗") })
  }

  /// “Issue recorded” says nothing: the comment does, and without one the source line.
  @Test(arguments: [
    ("Issue recorded\nby hand", "by hand"), ("Issue recorded (error): by hand", "by hand"),
    ("Issue recorded", "Issue.record()"), ("Issue recorded (error)", "Issue.record()"),
    ("Issue recorded twice", "Issue recorded twice"),
  ])
  func anIssueIsToldByItsWords(message: String, told: String) throws {
    let place = SourceReference(file: "A.swift", line: 7)
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: message, location: place, severity: .error, isKnown: false)])
    let report = Report(title: "T", runs: [], tests: [test], faults: [], notices: [])
    var contents = ReportContents(report: report, nonce: "n")
    contents.sources[place] = SourceExcerpt(
      firstLine: 6, lines: ["{", "    Issue.record()", "}"], markedLine: 7)
    let context = PageContext(contents)
    #expect(printed(contents).contains("\n    \(told)\n"))
    #expect("\(failureListValues(page: 1, in: context))".contains(told))
    #expect(String(decoding: testData(0, in: context), as: UTF8.self).contains("\"\(told)\""))
    let summary = String(decoding: renderSummary(context).contents, as: UTF8.self)
    #expect(summary.contains("`\(told)`"))
  }

  private func printed(_ contents: ReportContents, width: Int? = nil) -> String {
    printedFailures(PageContext(contents), TerminalSettings(isColoured: false, width: width))
  }

  private func printed(failures: Int, message: (Int) -> String) -> String {
    let tests = (0..<failures).map { number in
      TestResult(
        id: .init(module: "M", suite: [], name: "t\(number)"), framework: .xctest, outcome: .failed,
        issues: [TestIssue(message: message(number), location: nil, severity: .error, isKnown: false)])
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    return printed(
      ReportContents(report: report, nonce: "n"))
  }
}
