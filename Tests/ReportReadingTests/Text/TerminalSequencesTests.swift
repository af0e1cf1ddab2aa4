import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What a terminal would obey is in no output of the report.
@Suite struct TerminalSequencesTests {
  @Test(arguments: [
    "1;31", "38;5;196", "38;2;255;165;0", "38:2::0:90:90", "97", "48;5;21", "31;7", ";;;", "1000", ">4;1", "",
  ])
  func everyColourIsLeftOut(parameters: String) {
    #expect(withoutTerminalSequences("plain \u{1B}[\(parameters)mtext\u{1B}[0m") == "plain text")
  }

  @Test func otherSequencesAreLeftOut() {
    let text =
      "\u{1B}[2Ka\u{1B}[1;2Hb\u{1B}]0;title\u{7}c\u{1B}]8;;https://e.org\u{1B}\\link\u{1B}]8;;\u{1B}\\\u{1B}(B\u{1B}7d"
    #expect(withoutTerminalSequences(text) == "abclinkd")
  }

  @Test(arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[31", "a\u{1B}]0;never ends\nb", "\u{1B}[31é", "no escape"])
  func whatIsNotCompleteStays(text: String) {
    #expect(withoutTerminalSequences(text) == text)
  }

  @Test func everyTextOfAReportIsWithoutThem() {
    let printed = "Test Suite 'All tests' started at now\n\u{1B}[31mred\u{1B}[0m"
    let crash = ProcessOutput.stopped(in: Data(printed.utf8)).first.flatMap { CrashOutput($0) }
    let red = "\u{1B}[31mred\u{1B}[0m"
    let issue = TestIssue(message: red, location: nil, severity: .error, isKnown: false)
    let test = TestResult(
      id: .store("testColors"), outcome: .failed, issues: [issue], skipReason: red,
      attempts: [TestAttempt(outcome: .failed, issues: [issue], output: red)], output: red,
      crash: crash, properties: [TestProperty(name: "p", value: red)])
    let remark = Remark(kind: "k", message: red, input: nil)
    let report = Report(title: "T", runs: [], tests: [test], faults: [remark], notices: [remark])

    let shown = report.tests[0]
    let texts: [String?] = [
      shown.issues[0].message, shown.skipReason, shown.output, shown.properties[0].value,
      shown.attempts[0].issues[0].message, shown.attempts[0].output, shown.crash?.lastLines.last,
      report.faults[0].message, report.notices[0].message,
    ]
    #expect(texts.allSatisfy { $0 == "red" })
  }
}
