import Collector
import Testing

@testable import Reporter

@Suite struct SummaryLinksTests {
  private let place = SourceReference(file: "Tests/A b/T[1].swift", line: 12)

  @Test(arguments: [
    ("https://github.com/owner/name", "https://github.com/owner/name/blob/abc/"),
    ("https://github.com/owner/name.git", "https://github.com/owner/name/blob/abc/"),
    ("https://gitlab.com/group/sub/name/", "https://gitlab.com/group/sub/name/-/blob/abc/"),
    ("http://gitlab.example.org:8080/n", "http://gitlab.example.org:8080/n/-/blob/abc/"),
    ("https://git.example.org/gitlab/n", "https://git.example.org/gitlab/n/blob/abc/"),
  ])
  func aPlaceLeadsIntoTheRepository(repository: String, prefix: String) {
    let link = SourceLinks(repository: repository, commit: "abc")?.link(to: place)
    #expect(link == prefix + "Tests/A%20b/T%5B1%5D.swift#L12")
  }

  @Test func whatIsNoAddressGivesNoLink() {
    #expect(SourceLinks(repository: "javascript:alert(1)", commit: "abc") == nil)
    #expect(SourceLinks(repository: "https://github.com/o/n", commit: "../x") == nil)
    let links = SourceLinks(repository: "https://github.com/o/n", commit: "abc")
    #expect(links?.link(to: .init(file: "/etc/passwd", line: 1)) == nil)
    #expect(links?.link(to: .init(file: "../x", line: 1)) == nil)
    #expect(links?.link(to: .init(file: "x", line: nil)) == "https://github.com/o/n/blob/abc/x")
  }

  @Test func theVariablesOfCIsAreUnderstood() {
    let gitHub = SourceLinks(environment: ["GITHUB_REPOSITORY": "o/n", "GITHUB_SHA": "abc"])
    #expect(gitHub == SourceLinks(repository: "https://github.com/o/n", commit: "abc"))
    let gitLab = SourceLinks(environment: [
      "CI_PROJECT_URL": "https://code.example.org/o/n", "CI_COMMIT_SHA": "abc",
    ])
    #expect(gitLab?.link(to: .init(file: "x", line: 1)) == "https://code.example.org/o/n/-/blob/abc/x#L1")
    #expect(SourceLinks(environment: ["GITHUB_SHA": "abc"]) == nil)
  }

  @Test func placesEvidenceAndPagesAreLinks() throws {
    var options = SummaryOptions()
    options.sources = SourceLinks(repository: "https://github.com/o/n", commit: "abc")
    options.reportURL = "https://pages.example.org/7/"
    let text = String(decoding: renderSummary(try ordersReport(), options).contents, as: UTF8.self)
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
