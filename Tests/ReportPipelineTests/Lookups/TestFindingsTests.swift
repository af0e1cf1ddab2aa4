import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportTestSupport

/// What the report of a failed test says is suspicious, on its page and in every other document.
@Suite struct TestFindingsTests {
  private func finding(
    _ origin: Finding.Origin = .unknown, key: Int64 = 7, count: Int = 1, weight: Finding.Weight = .strong
  ) -> Finding {
    Finding(
      kind: .numberAsText, weight: weight, table: "t", columns: ["a"], sentence: "t.a in row \(key).",
      rows: [.init(key: .rowid(key))], count: count, remedy: "Bind it as a number.", origin: origin)
  }

  private func evidence(
    _ path: String, source: String, view: DatabaseCapture.View? = nil, run: RunID? = nil
  ) -> TestEvidence {
    TestEvidence(
      kind: .database, name: source, path: path, source: source,
      details: .database(DatabaseCapture(method: .immutable, view: view, databaseBytes: 1)), run: run)
  }

  private func contents(
    _ findings: [String: [Finding]], _ evidence: [TestEvidence], outcome: Outcome = .failed,
    likeTheFirst others: [String] = []
  ) -> (test: TestResult, contents: ReportContents) {
    let test = TestResult(
      id: .store("a"), outcome: outcome,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)], evidence: evidence)
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.findings = findings.mapValues { DatabaseFindings(findings: $0) }
    for path in others {
      contents.differences[path] = DatabaseDifference(
        other: evidence[0].path ?? "", changes: DatabaseChanges(tables: [], unchanged: 0, problems: []))
    }
    return (test, contents)
  }

  private func page(_ contents: ReportContents) throws -> String {
    let file = try #require(
      try renderPages(contents, templates: TemplateLibrary()).first { $0.path.hasPrefix("tests/") })
    return String(decoding: file.contents, as: UTF8.self)
  }

  // MARK: - Once each

  @Test func twoViewsOfADatabaseTellAFindingOnce() {
    let (test, contents) = contents(
      ["a": [finding(.unknown)], "b": [finding(.lastStep, key: 8, count: 2)]],
      [evidence("a", source: "s.sqlite"), evidence("b", source: "s.sqlite", view: .uncommitted)],
      likeTheFirst: ["b"])
    let found = TestFindings(test, contents)
    #expect(found.entries.map(\.finding) == [finding(.lastStep, key: 8, count: 2)])
    #expect(found.entries.map(found.databases) == [nil] && found.entries.map(found.paths) == [["a", "b"]])
  }

  @Test func aCopyTellsOnlyWhatTheOtherDoesNot() {
    let databases = [evidence("a", source: "s.sqlite"), evidence("b", source: "copy.sqlite")]
    let (test, same) = contents(
      ["a": [finding(.test)], "b": [finding()]], databases, likeTheFirst: ["b"])
    let once = TestFindings(test, same)
    #expect(once.entries.map(\.finding) == [finding(.test)])
    #expect(once.entries.map(once.databases) == ["s.sqlite, copy.sqlite"])
    let (_, other) = contents(
      ["a": [finding(.test)], "b": [finding(key: 8)]], databases, likeTheFirst: ["b"])
    let both = TestFindings(test, other)
    #expect(both.entries.map(both.databases) == ["s.sqlite", "copy.sqlite"])
  }

  @Test func databasesThatAreNotAlikeTellEachTheirOwnWhatTheTestBroughtFirst() {
    let (test, contents) = contents(
      ["a": [finding(.baseline)], "b": [finding(.test)]],
      [evidence("a", source: "one/s.sqlite"), evidence("b", source: "two/s.sqlite")])
    let found = TestFindings(test, contents)
    #expect(found.entries.map(found.databases) == ["two/s.sqlite", "one/s.sqlite"])
    #expect(found.leading.count == 1 && found.folded.count == 1 && found.ofTheTest == finding(.test))
  }

  // MARK: - The page

  @Test func theyStandBetweenTheStoryAndTheDatabases() throws {
    let contents = try ordersReport()
    let files = try renderPages(contents, templates: TemplateLibrary())
    let pages = files.map { String(decoding: $0.contents, as: UTF8.self) }
    let page = try #require(pages.first { $0.contains("<h2 id=\"findings\">") })
    var rest = page[...]
    for text in [
      "What the test did", "<h2 id=\"findings\">Findings</h2>",
      "order.total holds a number as text in row 1 (&#39;116,91&#39;)", "from the last step</span>",
      "<th scope=\"col\">row</th><th scope=\"col\"><bdi>total</bdi></th>",
      "<a href=\"#step-24\">step 24</a>", "<td class=\"by\">step 99</td>", "<td class=\"by\"></td>",
      "… 10 more rows", "declare the column STRICT", "order.customer refers", "from the test</span>",
      "<td class=\"by\">the test</td>", "… more rows", "another database&#39;s", "<details>",
      "2 more findings</span> <span class=\"tally\">minor, or there before the test</span>",
      "customer.note is empty", "was there before</span>",
      "<p class=\"remark\">Only the first 1,000,000 rows",
      "</details>", "pieces of evidence",
    ] {
      guard let found = rest.firstRange(of: text) else {
        Issue.record("\(text) does not follow")
        continue
      }
      rest = rest[found.upperBound...]
    }
    #expect(pages.filter { $0.contains("id=\"findings\"") }.count == 1)
  }

  @Test func inTheOneFileLinksLeadIntoThePartOfTheTest() throws {
    let folder = try TemporaryFolder()
    try folder.writeSingleFile(ordersReport())
    let file = try folder.read(SingleFile.path)
    let part = try #require(file.firstMatch(of: #/<h2 id="([a-z0-9-]+)-findings">/#)?.output.1)
    #expect(
      file.contains("<a href=\"#\(part)-step-24\">step 24</a>") && file.contains("id=\"\(part)-step-24\""))
  }

  @Test func whatLimitsLeftOutIsSaidAlsoWhereNothingWasFound() throws {
    var (_, contents) = contents(["a": []], [evidence("a", source: "s.sqlite")])
    contents.findings["a"]?.unexamined = ["4 more tables were not looked at."]
    let page = try page(contents)
    #expect(page.contains("Not all was looked at</span></summary>\n<p class=\"remark\">4 more tables"))
  }

  @Test func aRowThatTheSentenceTellsWholeIsNotToldAgain() {
    #expect(
      PrintedFinding(finding: finding()).lines.map(\.text) == ["! t.a in row 7.", "    Bind it as a number."])
    var written = finding(.test)
    written.rows[0].writing = .init(step: 3)
    #expect(PrintedFinding(finding: written).lines.map(\.text)[1] == "    row 7 (step 3)")
  }

  @Test func withoutFindingsThereIsNoSection() throws {
    let databases = [evidence("a", source: "s.sqlite")]
    #expect(try !page(contents(["a": []], databases).contents).contains("indings"))
    #expect(try !page(contents(["a": [finding()]], databases, outcome: .passed).contents).contains("indings"))
    #expect(try page(contents(["a": [finding()]], databases).contents).contains("t.a in row 7."))
  }

  @Test func ofManyTheRestIsCounted() throws {
    let many = (1...200).map { number in
      var finding = finding(number > 40 ? .baseline : .test)
      finding.table = "t\(number)"
      finding.kind = Finding.Kind.allCases[number % 8]
      return finding
    }
    let page = try page(contents(["a": many], [evidence("a", source: "s.sqlite")]).contents)
    #expect(page.contains("10 more findings: see report.json.") && page.contains("160 more findings</span>"))
    #expect(page.contains("60 more findings: see report.json."))
    #expect(page.components(separatedBy: "class=\"finding\"").count == 131)
  }

  // MARK: - Other documents

  @Test func theSummaryTellsTheFirstThatTheTestBrought() {
    let databases = [evidence("a", source: "s.sqlite")]
    func summary(_ findings: Finding...) -> String {
      var contents = contents(["a": findings], databases).contents
      contents.summary.showsValues = true
      return String(decoding: renderSummary(contents).contents, as: UTF8.self)
    }
    #expect(summary(finding(.test)).contains("\nSuspicious: `t.a` in row 7.\n"))
    let bare = renderSummary(contents(["a": [finding(.test)]], databases).contents).contents
    #expect(String(decoding: bare, as: UTF8.self).contains("\nSuspicious: `t.a` holds a number as text"))
    #expect(!summary(finding()).contains("Suspicious") && !summary(finding(.baseline)).contains("Suspicious"))
    var long = finding(.lastStep)
    long.sentence = String(repeating: "`<b>long\n", count: 200)
    let line = summary(long).split(separator: "\n").first { $0.hasPrefix("Suspicious: ") }
    #expect((line?.count ?? 0) < 350 && line?.hasPrefix("Suspicious: `` `<b>long⏎`<b>") == true)
  }

  @Test func showTellsWhatIsNotFoldedAndCountsTheRest() throws {
    let contents = try ordersReport()
    let test = try #require(contents.report.tests.first { $0.id.name == "testTotalAfterDiscount" })
    let shown = ShownTest(test, contents)
    let text = shown.terminalText(isColoured: false)
    #expect(
      text.contains(
        """

        Findings
        ! order.total holds a number as text in row 1 ('116,91') and 12 more rows, among 115 numbers. (from the last step)
            row 1: total '116,91' (step 24)
            row 7: total '1 000' (step 99)
            row 128: total ''
            … 10 more rows
            Bind it as a number, and declare the column STRICT so that SQLite refuses the text.
        ! order.customer refers

        """.dropLast(1)))
    #expect(
      text.contains("\n2 more findings, minor, or there before the test\nOnly the first"))
    #expect(!text.contains("customer.note"))
    let markdown = shown.markdown(limit: 16_384)
    let behind = try #require(markdown.components(separatedBy: "## What the test did").last)
    #expect(behind.contains("## Findings") && behind.contains("row 7: total '1 000'"))
    #expect(shown.markdown(limit: 1000).utf8.count <= 1000)
  }

  @Test func nothingHostileReachesTheTerminal() throws {
    let contents = hostileReport()
    let test = try #require(contents.report.tests.first { $0.evidence.count > 1 })
    let shown = ShownTest(test, contents)
    for text in [shown.terminalText(isColoured: false), shown.markdown(limit: 50_000)] {
      #expect(text.contains("Findings") && text.contains("from the last step"))
      #expect(
        text.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.properties.generalCategory != .control && !$0.properties.isBidiControl
        })
    }
  }

  @Test(arguments: [true, false]) func valuesAreToldUnlessTheyAreLeftOut(rows: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.database("shop.sqlite", SchemaSQL.everything())
    var written = WrittenStory(path: folder.path + "/shop.sqlite")
    written.insert("t", 1, #"[1,"1,5 secret","","secret","secret",77]"#)
    written.insert("t", 2, #"[2,"12,50",null,"01.05.2026","Secret",null]"#)
    written.issue(0)
    try folder.write(written.bytes, to: "story.jsonl")
    let story = TestEvidence(kind: .story, name: "s", path: "story.jsonl", bytes: written.bytes.count)
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)],
      evidence: [evidence("shop.sqlite", source: "shop.sqlite"), story])
    let lookup = ContentsLookup(
      folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: rows)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    var contents = lookup.contents(of: report, nonce: "n")
    let bare = renderSummary(contents).contents
    #expect(!String(decoding: bare, as: UTF8.self).contains("12,50"), "it is as public as the repository")
    contents.summary.showsValues = true
    let texts = try [
      "page": findingsPart(of: page(contents)),
      "summary": String(decoding: renderSummary(contents).contents, as: UTF8.self),
      "show": ShownTest(contents.report.tests[0], contents).terminalText(isColoured: false),
      "json": String(decoding: ReportDocument(contents).file().contents, as: UTF8.self),
    ]
    for (name, text) in texts {
      #expect(text.contains("a number as text"), "\(name)")
      #expect(text.contains("12,50") == rows, "\(name)")
      for value in ["row 2", "01.05", "1,5"] where !rows {
        #expect(!text.contains(value), "\(name): \(value)")
      }
    }
    #expect(texts["page"]?.contains("<a href=\"#step-2\">step 2</a>") == rows)
  }

  private func findingsPart(of page: String) throws -> String {
    let part = try #require(page.components(separatedBy: "id=\"findings\"").last)
    return part.components(separatedBy: "</section>")[0]
  }
}
