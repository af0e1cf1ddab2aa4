import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct FailureListTests {
  @Test func eachFailureIsListedByItsPlaceWithWhatItSaid() throws {
    let index = try page("index.html", failures: 12)
    #expect(index.matches(of: /<li class="entry">/).count == 12)
    #expect(index.contains("<h2><bdi>M / S</bdi></h2>"))
    for number in 0..<12 {
      #expect(index.contains("<bdi>test\(number)</bdi>"))
      #expect(index.contains("<span class=\"glance\"><bdi>(&quot;\(number)&quot;) is not equal to"))
    }
  }

  @Test func alikeOnesSaySoAndAreListedAllTheSame() throws {
    let index = try page("index.html", failures: 12, saying: "row")
    #expect(index.matches(of: /<span class="likes">12 alike<\/span>/).count == 12)
    #expect(!index.contains("same cause"))
    let page = try #require(try files(failures: 12, saying: "row").first { $0.path.hasPrefix("tests/") })
    let text = String(decoding: page.contents, as: UTF8.self)
    #expect(text.contains("<a href=\"../index.html#q=alike:1\">11 other failures are alike</a>"))
  }

  @Test func theFirstFailureIsShownWithItsDifference() throws {
    let index = String(
      decoding: try #require(
        renderPages(ordersReport(), templates: TemplateLibrary()).first { $0.path == "index.html" }
      ).contents, as: UTF8.self)
    let failure = try #require(
      index.firstMatch(of: /(?s)<article class="part" id="first".*<div class="verdict/))
    #expect(failure.0.contains("class=\"diff\"") || failure.0.contains("class=\"message\""))
  }

  @Test func manyFailuresArePaged() throws {
    let files = try files(failures: 1201)
    #expect(
      files.map(\.path).filter { !$0.contains("/") && $0.hasSuffix(".html") }.sorted()
        == ["compare.html", "failures-2.html", "failures-3.html", "index.html"])
    let texts = files.reduce(into: [:]) { $0[$1.path] = String(decoding: $1.contents, as: UTF8.self) }
    #expect(texts["index.html"]?.contains("href=\"failures-2.html\"") == true)
    #expect(texts["failures-2.html"]?.contains("Failures 501 to 1,000 of 1,201") == true)
    #expect(texts["failures-2.html"]?.contains("href=\"index.html\"") == true)
    #expect(texts["failures-3.html"]?.contains("<bdi>test1200</bdi>") == true)
  }

  @Test func behindTheFirstThousandTheyShareFiles() throws {
    let files = try files(failures: 1103)
    let texts = files.reduce(into: [:]) { $0[$1.path] = String(decoding: $1.contents, as: UTF8.self) }
    #expect(texts.keys.count { $0.hasPrefix("tests/") } == 1000)
    #expect(
      texts.keys.filter { $0.hasPrefix("failures/") }.sorted()
        == ["failures/1001.html", "failures/1051.html", "failures/1101.html"])
    let page = try #require(texts["failures/1051.html"])
    #expect(page.contains("<title>Failures 1,051 to 1,100 of 1,103 · T</title>"))
    #expect(page.matches(of: /<article class="part" id="t-\d+"/).count == 50)
    // Without scripts the list leads to each, and each to its neighbours, be they in this file or not.
    #expect(texts["failures-3.html"]?.contains("href=\"failures/1051.html#t-1051\"") == true)
    #expect(page.contains("<article class=\"part\" id=\"t-1051\""))
    #expect(page.contains("rel=\"prev\" href=\"../failures/1001.html#t-1050\""))
    #expect(page.contains("rel=\"next\" href=\"../failures/1051.html#t-1052\""))
    #expect(page.contains("data-page=\"failures/1051.html\" data-chunk=\"2\""))
    #expect(texts["data/failures-2.js"]?.contains("\"failures/1051.html#t-1051\"") == true)
  }

  @Test func whatHasEvidenceOrSaysMuchHasAFileOfItsOwn() throws {
    let evidence = TestEvidence(kind: .text, name: "log.txt", path: "evidence/log.txt", bytes: 1)
    let files = try files(failures: 1010) { test, number in
      if number == 1004 { test.evidence = [evidence] }
      if number == 1006 { test.output = String(repeating: "x", count: 5000) }
    }
    let pages = files.map(\.path).filter { $0.hasSuffix(".html") }
    #expect(pages.count { $0.hasPrefix("tests/") } == 1002)
    #expect(pages.filter { $0.hasPrefix("failures/") } == ["failures/1001.html"])
    let shared = try #require(files.first { $0.path == "failures/1001.html" })
    #expect(String(decoding: shared.contents, as: UTF8.self).matches(of: /id="t-\d+"/).count == 8)
  }

  private func page(_ path: String, failures: Int, saying message: String? = nil) throws -> String {
    let file = try #require(files(failures: failures, saying: message).first { $0.path == path })
    return String(decoding: file.contents, as: UTF8.self)
  }

  private func files(
    failures: Int, saying message: String? = nil, change: (inout TestResult, Int) -> Void = { _, _ in }
  ) throws -> [ReportFile] {
    let tests = (0..<failures).map { number in
      var test = TestResult(
        id: TestCaseID(module: "M", suite: ["S"], name: "test\(number)"), framework: .xctest,
        outcome: .failed,
        issues: [
          TestIssue(
            message: message.map { "\($0) \(number)" }
              ?? "XCTAssertEqual failed: (\"\(number)\") is not equal to (\"1\")", location: nil,
            severity: .error, isKnown: false)
        ])
      change(&test, number)
      return test
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(report: report, nonce: "n")
    return try renderPages(contents, templates: TemplateLibrary())
  }
}
