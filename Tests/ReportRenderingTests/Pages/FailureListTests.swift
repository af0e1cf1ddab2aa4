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
        == ["failures-2.html", "failures-3.html", "index.html"])
    let texts = files.reduce(into: [:]) { $0[$1.path] = String(decoding: $1.contents, as: UTF8.self) }
    #expect(texts["index.html"]?.contains("href=\"failures-2.html\"") == true)
    #expect(texts["failures-2.html"]?.contains("Failures 501 to 1,000 of 1,201") == true)
    #expect(texts["failures-2.html"]?.contains("href=\"index.html\"") == true)
    #expect(texts["failures-3.html"]?.contains("<bdi>test1200</bdi>") == true)
  }

  private func page(_ path: String, failures: Int, saying message: String? = nil) throws -> String {
    let file = try #require(files(failures: failures, saying: message).first { $0.path == path })
    return String(decoding: file.contents, as: UTF8.self)
  }

  private func files(failures: Int, saying message: String? = nil) throws -> [ReportFile] {
    let tests = (0..<failures).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: ["S"], name: "test\(number)"), framework: .xctest,
        outcome: .failed,
        issues: [
          TestIssue(
            message: message.map { "\($0) \(number)" }
              ?? "XCTAssertEqual failed: (\"\(number)\") is not equal to (\"1\")", location: nil,
            severity: .error, isKnown: false)
        ])
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(
      report: report, databases: [:], archives: [:], texts: [:], sources: [:], nonce: "n")
    return try renderPages(contents, templates: TemplateLibrary())
  }
}
