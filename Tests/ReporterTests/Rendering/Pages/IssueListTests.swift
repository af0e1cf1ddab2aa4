import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// A test with very many issues has a page that a browser can show.
@Suite struct IssueListTests {
  private static let page = "tests/M.S.t.html"

  private func contents(_ messages: [String]) -> ReportContents {
    let issues = messages.map {
      TestIssue(
        message: $0, location: SourceReference(file: "A.swift", line: 7), severity: .error, isKnown: false)
    }
    let test = TestResult(
      id: TestCaseID(module: "M", suite: ["S"], name: "t"), outcome: .failed, issues: issues)
    let report = Report(title: "R", runs: [], tests: [test], faults: [], notices: [])
    return ReportContents(report: report, nonce: "n")
  }

  private func files(_ messages: [String]) throws -> [String: String] {
    let pages = try renderPages(contents(messages), templates: TemplateLibrary())
    return Dictionary(
      uniqueKeysWithValues: pages.map { ($0.path, String(decoding: $0.contents, as: UTF8.self)) })
  }

  private func page(of files: [String: String]) throws -> String {
    let path = try #require(files.keys.first { $0.hasSuffix(".html") && $0.contains("/") })
    return try #require(files[path])
  }

  @Test func theFirstHundredAreWholeAndTheRestIsBeside() throws {
    let files = try files((1...24_000).map { "</pre><b>row \($0) is missing" })
    let page = try page(of: files)
    #expect(page.utf8.count < 200_000)
    #expect(page.contains("24,000 issues"))
    #expect(page.contains("row 100 is missing") && !page.contains("row 101 is missing"))
    #expect(page.contains("23,900 more issues: see data/issues/"))
    let data = try #require(files.first { $0.key.hasPrefix("data/issues/") })
    #expect(page.contains("data-issues=\"../\(data.key)\""))
    #expect(data.value.hasPrefix(#"exhibit.addIssues([["failed","Issue 101","A.swift:7","\u003c/pre>"#))
    #expect(data.value.contains("row 24000 is missing"))
    #expect(!data.value.contains("<"))
  }

  @Test func equalOnesAreCounted() throws {
    let files = try files((1...5000).map { "row \($0 % 100) is missing" })
    let page = try page(of: files)
    #expect(page.contains("5,000 issues"))
    #expect(page.contains("Issue 1, 50 times") && page.contains("Issue 100, 50 times"))
    #expect(!page.contains("class=\"further\""))
    #expect(!files.keys.contains { $0.hasPrefix("data/issues/") })
  }

  @Test func oneFileNamesWhereTheRestIs() throws {
    let folder = try TemporaryFolder()
    try folder.writeSingleFile(contents((1...200).map { "row \($0) is missing" }))
    let name = try #require(folder.files.first { $0.hasSuffix(".html") })
    let page = try folder.read(name)
    #expect(page.contains("100 more issues: see data/issues/"))
    #expect(!page.contains("data-issues="))
  }

  @Test(
    .enabled(
      if: Browser.isAvailable,
      "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
  func aBrowserShowsTheRestFromDisk() async throws {
    let folder = try TemporaryFolder()
    try folder.write(contents((1...1100).map { "<b>row \($0) is missing" }))
    try await Browser.check("check-issues", folder)
  }
}
