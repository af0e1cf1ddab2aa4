import Collector
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportTestSupport

/// Databases of one test beside each other: their difference and no second dump.
@Suite struct AlikeDatabasesTests {
  private let folder: TemporaryFolder
  private static let shop = "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);"

  init() throws {
    folder = try TemporaryFolder()
    try folder.database("one.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'new'), (2, 'kept');")
    try folder.database("two.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'paid'), (2, 'kept');")
    try folder.database("same.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'new'), (2, 'kept');")
    try folder.database("other.sqlite", "CREATE TABLE elsewhere(a);")
  }

  private func evidence(
    _ path: String, view: DatabaseCapture.View? = nil, source: String? = nil, baseline: String? = nil
  ) -> TestEvidence {
    TestEvidence(
      kind: .database, name: path, path: path, bytes: 1, source: source ?? path,
      details: .database(
        DatabaseCapture(
          method: .immutable, view: view, wal: .absent, databaseBytes: 1, walBytes: 0, baseline: baseline)))
  }

  private func page(_ evidence: [TestEvidence]) throws -> String {
    let test = TestResult(id: .store("a"), outcome: .failed, evidence: evidence)
    let lookup = ContentsLookup(
      folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: true)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    let files = try renderPages(lookup.contents(of: report, nonce: "n"), templates: TemplateLibrary())
    return String(decoding: try #require(files.first { $0.path.hasPrefix("tests/") }).contents, as: UTF8.self)
  }

  /// The part of a page that is about the evidence at a place.
  private func article(_ place: Int, in page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: "id=\"evidence-\(place)\""))
    let rest = page[start.upperBound...]
    return rest[..<(try #require(rest.firstRange(of: "</article>")).lowerBound)]
  }

  @Test func filesOfOneSchemaShowTheirDifference() throws {
    let page = try page([evidence("one.sqlite"), evidence("two.sqlite"), evidence("other.sqlite")])
    let second = try article(2, in: page)
    #expect(second.contains("Compared with one.sqlite"))
    #expect(second.contains("<del><bdi>new</bdi></del> <ins><bdi>paid</bdi></ins>"))
    #expect(second.contains("All that is in it"))
    #expect(try !article(1, in: page).contains("All that is in it"))
    #expect(try !article(3, in: page).contains("Compared with"))
  }

  @Test func filesWithTheSameRowsAreSaidToBe() throws {
    let page = try page([evidence("one.sqlite"), evidence("same.sqlite")])
    #expect(try article(2, in: page).contains("It has the same schema and rows as one.sqlite."))
  }

  @Test func theTwoViewsOfAForeignWALShowTheirDifference() throws {
    let page = try page([
      evidence("two.sqlite", view: .withForeignWAL, source: "shop"),
      evidence("one.sqlite", view: .alone, source: "shop"),
    ])
    let merged = try article(1, in: page)
    #expect(merged.contains("Compared with one.sqlite, the database file alone"))
    #expect(merged.contains("<del><bdi>new</bdi></del> <ins><bdi>paid</bdi></ins>"))
  }

  @Test func theUncommittedViewIsToldAgainstTheCommittedOne() throws {
    let page = try page([
      evidence("one.sqlite", source: "shop"), evidence("two.sqlite", view: .uncommitted, source: "shop"),
    ])
    let second = try article(2, in: page)
    #expect(second.contains("what was committed of one.sqlite is told under What the test did"))
    #expect(page.contains("1 row of orders changed in state only"))
  }

  @Test func anUnchangedDatabaseIsOneLine() throws {
    let page = try page([evidence("same.sqlite", baseline: "one.sqlite")])
    let article = try article(1, in: page)
    #expect(article.contains("It is as it was when the test started."))
    let fold = try #require(article.firstRange(of: "What is in it</span></summary>"))
    #expect(
      !article[..<fold.lowerBound].contains("Before and after") && !article.contains("Changed by the test"))
    // Its rows stand there once.
    #expect(article.ranges(of: "Rows of orders").count == 1)
    #expect(article.contains("The database before: <a class=\"file\" href=\"../one.sqlite"))
  }

  @Test func anIndexMoreIsNotTheSame() throws {
    try folder.database(
      "indexed.sqlite",
      Self.shop + "CREATE INDEX byState ON orders(state); INSERT INTO orders VALUES (1, 'new'), (2, 'kept');")
    let since = try article(1, in: page([evidence("indexed.sqlite", baseline: "one.sqlite")]))
    #expect(!since.contains("It is as it was") && since.contains("The index byState was created."))
    let beside = try article(2, in: page([evidence("one.sqlite"), evidence("indexed.sqlite")]))
    #expect(!beside.contains("the same schema and rows"))
    #expect(beside.contains("The index byState was created."))
  }

  /// Without a baseline nobody knows where the set-up ends, so that no changes are told.
  @Test(arguments: [(true, "+1 orders, 1 odd step"), (false, "1 odd step")])
  func theSummarySaysInALineWhatATestDid(hasBaseline: Bool, told: String) throws {
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)])
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    var written = WrittenStory()
    written.step("CREATE TABLE customers(id)")
    written.insert("customers", 1, "[1]")
    if hasBaseline { written.baseline() }
    written.insert("orders", 1, #"[1,"`new`",null]"#)
    written.step("UPDATE orders SET state = 'x' WHERE id = 9", changed: 0)
    contents.stories[test.id] = try written.story(schemas: [.shop])
    let summary = String(decoding: renderSummary(PageContext(contents)).contents, as: UTF8.self)
    #expect(summary.contains("What the test did: \(told)\n"))
    #expect(!summary.contains("customers"))
    let printed = printedFailures(
      PageContext(contents), TerminalSettings(isColoured: false, width: nil))
    #expect(printed.contains("    It did: \(told)\n"))
  }
}
