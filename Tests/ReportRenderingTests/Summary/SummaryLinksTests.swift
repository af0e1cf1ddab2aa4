import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct SummaryLinksTests {
  private let place = SourceReference(file: "Tests/A b/T[1].swift", line: 12)

  @Test(arguments: [
    ("https://github.com/owner/name", "https://github.com/owner/name/blob/abc/"),
    ("owner/name.git", "https://github.com/owner/name/blob/abc/"),
    ("https://gitlab.com/group/sub/name/", "https://gitlab.com/group/sub/name/-/blob/abc/"),
    ("http://gitlab.example.org:8080/n", "http://gitlab.example.org:8080/n/-/blob/abc/"),
    ("https://git.example.org/gitlab/n", "https://git.example.org/gitlab/n/blob/abc/"),
  ])
  func aPlaceLeadsIntoTheRepository(repository: String, prefix: String) {
    let link = Repository(repository, commit: "abc")?.link(to: place)
    #expect(link == prefix + "Tests/A%20b/T%5B1%5D.swift#L12")
  }

  @Test(arguments: [
    ["CI_SERVER_URL": "https://code.example.org", "CI_PROJECT_URL": "https://code.example.org/group/name"],
    ["CI_SERVER_URL": "https://code.example.org/", "CI_PROJECT_PATH": "group/name"],
  ])
  func aGitLabOfOnesOwnIsKnownByItsVariables(variables: [String: String]) throws {
    let ci = Repository.ofCI { variables[$0] }
    let repository = Repository(try #require(ci.url), commit: "abc", gitLab: ci.gitLab)
    #expect(
      repository?.link(to: place)
        == "https://code.example.org/group/name/-/blob/abc/Tests/A%20b/T%5B1%5D.swift#L12")
    let other = Repository("https://code.example.org.evil/n", commit: "abc", gitLab: ci.gitLab)
    #expect(other?.isOnGitLab == false)
  }

  @Test func whatLiesElsewhereHasNoLink() {
    let repository = Repository("o/n", commit: "abc")
    #expect(repository?.link(to: .init(file: "/etc/passwd", line: 1)) == nil)
    #expect(repository?.link(to: .init(file: "../x", line: 1)) == nil)
    #expect(repository?.link(to: .init(file: "x", line: nil)) == "https://github.com/o/n/blob/abc/x")
    #expect(Repository("o/n", commit: nil)?.link(to: place) == nil)
  }

  @Test func placesEvidenceAndPagesAreLinks() throws {
    var contents = try ordersReport()
    contents.summary.repository = Repository("o/n", commit: "abc")
    contents.summary.reportURL = "https://pages.example.org/7"
    let text = String(decoding: renderSummary(contents).contents, as: UTF8.self)
    #expect(
      text.contains(
        "[`Tests/OrdersTests/OrderStoreTests.swift:48`]"
          + "(<https://github.com/o/n/blob/abc/Tests/OrdersTests/OrderStoreTests.swift#L48>)"))
    #expect(
      text.contains("(<https://pages.example.org/7/evidence/OrderStoreTests-testTotal/orders.sqlite>)"))
    #expect(
      text.contains(
        "[`OrdersTests.SyncTests/testReconnect`](<https://pages.example.org/7/tests/OrdersTests.SyncTests-"))
  }
}
