import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// Escape characters as producers of XML write them, which cannot hold any.
@Suite struct WrittenEscapesTests {
  @Test(arguments: ["#x1B", "&#27;", "&amp#27;"])
  func aColourInWordsIsAColour(escape: String) {
    #expect(
      readingWrittenEscapes("a \(escape)[1;31mred\(escape)[0m\(escape)[K b")
        == "a \u{1B}[1;31mred\u{1B}[0m\u{1B}[K b")
  }

  @Test(arguments: [
    "#x1B", "#x1B[", "#x1B[31", "#x1B[31 m", "#x1B[2Jm", "#x1B]0;title", "#x1b[31m", "#27;[31m", "#x00[31m",
    "#",
    "C#[31m", "[31mred[0m", "\\u{1B}[31m", "é#x1B[é",
  ])
  func anyOtherWordIsText(text: String) {
    #expect(readingWrittenEscapes(text) == text)
  }

  @Test func pytestsColoursAreRead() throws {
    let file = try LoadedFile(
      name: "junit.xml", path: "\(Fixture.folder)/Inputs/junit/pytest-colors/junit.xml")
    let tests = XUnitInput.read(file)
    #expect(tests.remarks == Remarks())
    #expect(
      tests["tests.test_colors/test_skipped"]?.skipReason?.hasSuffix("\u{1B}[33mnot\u{1B}[0m today") == true)
    let failed = try #require(tests["tests.test_colors/test_compares"])
    #expect(failed.output?.contains("\u{1B}[1;32mgreen\u{1B}[0m and a bell #x07") == true)
    #expect(failed.issues.first?.message.contains("#x1B") == false)
  }

  @Test func surefiresColoursAreRead() throws {
    let tests = XUnitInput.read(
      Fixture.text(
        """
        <testsuite><testcase classname="com.example.Order" name="a"><failure message="&amp;#27;[31mred&amp;#27;[m">\
        <![CDATA[at &amp#27;[32mgreen&amp#27;[m]]></failure><system-out><![CDATA[&amp#27;[1mbold]]></system-out>\
        </testcase></testsuite>
        """))
    #expect(tests.remarks == Remarks())
    let test = try #require(tests.observations.first)
    #expect(test.issues.map(\.message) == ["\u{1B}[31mred\u{1B}[m\nat \u{1B}[32mgreen\u{1B}[m"])
    #expect(test.output == "\u{1B}[1mbold")
  }

  @Test func rawOnesStayInMessagesAlone() throws {
    let tests = XUnitInput.read(
      Fixture.text(
        """
        <testsuite name="s"><testcase classname="M.S\u{1B}[1m" name="a\u{1B}"><failure message="\u{1B}[31mred\u{7}">\
        &#27;[1m</failure></testcase></testsuite>
        """))
    #expect(tests.observations.map(\.id.description) == ["M.S[1m/a"])
    #expect(tests.observations.first?.issues.map(\.message) == ["\u{1B}[31mred\n\u{1B}[1m"])
    #expect(
      tests.remarks.notices.map(\.message) == [
        "The XML is not well-formed as its writer left it: control characters were removed, "
          + "escape characters were read as a terminal's."
      ])
  }

  @Test(arguments: ["junit/pytest-colors/junit.xml", "parallel-messages/xunit.xml"])
  func noOutputShowsThem(input: String) throws {
    let folder = try TemporaryFolder()
    let result = try ReporterProcess.run(
      ["report", Fixture.recording(input), "--output", "out", "--annotations", "github", "--single-file"],
      in: folder.path)
    #expect(result.status == 0)
    let pages = try folder.files.filter { $0.hasPrefix("out/tests/") }.map { try folder.read($0) }
    #expect(pages.contains { $0.contains("red") })
    let documents = try ["index.html", "report.html", "summary.md", "junit.xml", "report.json"].map {
      // The one file has the report's script at its end, which names such characters.
      try folder.read("out/" + $0).components(separatedBy: "const codes = ")[0]
    }
    #expect(pages.allSatisfy { !$0.contains("⟨ESC⟩") && !$0.contains("#x1B") })
    for text in documents + [result.output] {
      #expect(text.contains("red"))
      #expect(!["x1B", "\u{1B}", "u001b", "ESC", " [31m"].contains { text.contains($0) })
    }
  }
}
