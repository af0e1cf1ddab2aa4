import Collector
import ExhibitSQLite
import Testing

@testable import ReportHistory
@testable import ReportInspection
@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What stands where everybody reads who reads the repository: no value of a row that the test did not say itself.
@Suite struct PublicWordsTests {
  private static let secret = "Narvik 4711"
  private let test: TestCaseID

  init() throws {
    test = try #require(try ordersReport().report.tests.first { $0.id.name == "testTotalAfterDiscount" }?.id)
  }

  /// A failure of which everything is known, with a secret in all that comes from rows.
  private func contents(showsValues: Bool = false) throws -> ReportContents {
    var contents = try ordersReport()
    let secret = Self.secret
    contents.stories[test]?.explanations = [
      Explanation(
        .likely,
        [
          .values("With \(secret), ", without: "Asked otherwise, "),
          .statement("UPDATE \"order\" SET total = '\(secret)' WHERE id = ?"), .text(" in "), .step(3),
          .text(" changed order.total of "), .values("row \(secret)", without: "one row"),
          .values("; that is \(secret)"), .text("."),
        ],
        rows: RelatedRows(
          table: StoryTable(database: 0, name: "order"), title: "order", columns: ["total"],
          rows: [[.text(secret)]]), weight: 1)
    ]
    for path in contents.findings.keys {
      for index in contents.findings[path]?.findings.indices ?? 0..<0 {
        contents.findings[path]?.findings[index].sentence = secret
      }
    }
    contents.summary.showsValues = showsValues
    return contents
  }

  private func texts(_ contents: ReportContents) -> [String: String] {
    let context = PageContext(contents)
    func text(_ file: ReportFile) -> String { String(decoding: file.contents, as: UTF8.self) }
    return [
      "summary": text(renderSummary(context)), "comment": text(renderComment(context)),
      "commands": Annotations(context).commands.joined(separator: "\n"),
      "code quality": text(Annotations(context).codeQuality),
    ]
  }

  @Test func valuesOfRowsStandThereOnlyWhenTheyAreAskedFor() throws {
    for (name, text) in texts(try contents()) {
      #expect(!text.contains(Self.secret), "\(name)")
      #expect(text.contains("116.91 EUR"), "\(name): what the test said itself")
      #expect(text.contains("Asked otherwise, ") && text.contains("of one row"), "\(name)")
      #expect(text.contains("SET total = ? WHERE id = ?"), "\(name)")
    }
    for (name, text) in texts(try contents(showsValues: true)) {
      #expect(text.contains("With ") && text.contains("4711"), "\(name)")
    }
  }

  @Test func withoutWhyTheyTellWhatIsSuspiciousByItsNamesAlone() throws {
    var contents = try contents()
    contents.stories[test]?.explanations = []
    let texts = texts(contents)
    for name in ["summary", "comment"] {
      let text = try #require(texts[name])
      #expect(!text.contains(Self.secret), "\(name)")
      #expect(text.contains("Suspicious: `order.total` holds a number as text, in 13 rows."), "\(name)")
    }
  }

  @Test func theCommentHasItsMarkerCountsAndTheLeadingFailures() throws {
    var contents = try contents()
    contents.summary.reportURL = "https://pages.example.org/7"
    contents.summary.repository = Repository("o/n", commit: "abc")
    let lines = try #require(texts(contents)["comment"]).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "<!-- exhibit report: Orders -->")
    #expect(lines[1] == "### ✗ 3 of 10 tests did not pass")
    #expect(lines[3].hasPrefix("`Orders` · ! 1 crashed · ✗ 2 failed · "))
    #expect(lines[5] == "By the history: **1 still failing**")
    let failure = try #require(lines.first { $0.contains("testTotalAfterDiscount") })
    #expect(failure.contains("(<https://pages.example.org/7/tests/"))
    #expect(failure.contains(" at [`OrderStoreTests.swift:48`](<https://github.com/o/n/blob/abc/"))
    #expect(
      lines.last == ""
        && lines.dropLast().last
          == "All is in [the report](<https://pages.example.org/7/index.html>); values of databases stand only there."
    )
    #expect(lines.count <= 26)
  }

  @Test func aCommentOnNothingIsNotGreen() {
    let report = Report(title: "T", runs: [], tests: [], faults: [], notices: [])
    let contents = ReportContents(report: report, nonce: "n")
    let comment = texts(contents)["comment"] ?? ""
    #expect(comment.contains("### ✗ No test was read\n") && comment.contains("No input named a test."))
    #expect(comment.hasSuffix("All is in `index.html`.\n"))
  }

  @Test func theMarkerOfATitleIsALineOfItsOwnThatEndsItsComment() {
    let title = "a --> <b>\n# x"
    let report = Report(title: title, runs: [], tests: [], faults: [], notices: [])
    let contents = ReportContents(report: report, nonce: "n")
    #expect(texts(contents)["comment"]?.hasPrefix("<!-- exhibit report: a______b____x -->\n### ") == true)
  }

  @Test func annotationsLeadToTheTestsPage() throws {
    var contents = try contents()
    contents.summary.reportURL = "https://pages.example.org/7"
    contents.summary.repository = Repository("o/n", commit: "abc")
    contents.summary.repository?.folder = "server/"
    let texts = texts(contents)
    let command = try #require(texts["commands"]?.split(separator: "\n").first { $0.contains("testTotal") })
    #expect(command.hasPrefix("::error file=server/Tests/OrdersTests/OrderStoreTests.swift,line=48,title="))
    #expect(command.contains("%0Ahttps://pages.example.org/7/tests/"))
    let entry = try #require(texts["code quality"])
    #expect(
      entry.contains(
        #""location":{"lines":{"begin":48},"path":"server/Tests/OrdersTests/OrderStoreTests.swift"}"#))
    #expect(
      entry.contains(
        #""check_name":"test","description":"OrdersTests.OrderStoreTests/testTotalAfterDiscount: XCTAssertEqual"#
      ))
    #expect(entry.contains("https://pages.example.org/7/tests/"))
    #expect(
      contents.summary.repository?.link(to: .init(file: "A b.swift", line: 1))
        == "https://github.com/o/n/blob/abc/server/A%20b.swift#L1")
  }
}
