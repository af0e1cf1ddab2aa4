import Foundation
import Testing

@testable import ReportHistory
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// The page of trends.
@Suite struct TrendsPageTests {
  private func page(_ trends: Trends, _ filter: TrendFilter = TrendFilter()) throws -> ReportFile {
    try TrendsPage(trends: trends, filter: filter, title: "Shop", nonce: "n", hasReport: true).file(
      TemplateLibrary())
  }

  private func text(_ trends: Trends, _ filter: TrendFilter = TrendFilter()) throws -> String {
    String(decoding: try page(trends, filter).contents, as: UTF8.self)
  }

  /// Without style sheet and script, which are those of `templates` themselves.
  private func bare(_ trends: Trends) throws -> ReportFile {
    let text = try text(trends)
    let parts = #/(<style[^>]*>|<script[^>]*>)(?s:.*?)(<\/style>|<\/script>)/#
    let bare = text.replacing(parts) { "\($0.1)\($0.2)" }
    #expect(bare.utf8.count < text.utf8.count - 5000)
    return ReportFile(path: TrendsPage.path, text: bare)
  }

  private func trends(_ write: (inout WrittenTrends) -> Void) -> Trends {
    var written = WrittenTrends()
    write(&written)
    return written.trends
  }

  @Test func theWholePage() throws {
    let bare = try bare(WrittenTrends.shop)
    try expectGolden([bare], in: "trends")
  }

  @Test func itSaysWhatTheLeadingBranchDoes() throws {
    #expect(try text(WrittenTrends.shop).contains("<bdi>main fails more often than before</bdi>"))
    let better = try text(trends { $0.add("x.x.x.x.x.x.x.x.x.x.....................") })
    #expect(better.contains("main fails less often than before"))
    #expect(
      better.contains("0 of the last 20 runs failed") || better.contains("1 of the last 20 runs failed"))
    #expect(
      try text(trends { $0.add("....................") }).contains("main has not failed in its last 10 runs"))
  }

  @Test func aBranchThatAlwaysFailsIsSaidToFail() throws {
    let text = try text(trends { $0.add("xxxxxxxxxx") })
    #expect(
      text.contains("<div class=\"verdict failed\">\n<h2><bdi>main has failed in all of its last 5 runs"))
  }

  @Test func aHistoryWithoutRunsNeverLooksGreen() throws {
    let text = try text(Trends())
    #expect(text.contains("The history has no runs yet"))
    #expect(Markup(try page(Trends())).tags.allSatisfy { $0.attributes["class"]?.contains("passed") != true })
    #expect(!text.contains("<svg"))
  }

  @Test func oneRunIsNoTrend() throws {
    let passed = try text(trends { $0.add(".") })
    #expect(passed.contains("Too few runs of main for a trend"))
    #expect(passed.contains("<div class=\"verdict neutral\">"))
    #expect(!passed.contains("class=\"choices\""))
    let failed = try text(trends { $0.add("x", branch: nil) })
    #expect(
      failed.contains("Too few runs of the suite for a trend") && failed.contains("<bdi>no branch</bdi>"))
  }

  @Test func tenThousandRunsAreAFewBars() throws {
    let page = try page(
      trends { written in
        for label in ["linux", "mac", "arm"] {
          for branch in ["main", "next", "beta", "old"] {
            written.add(String(repeating: "...x......", count: 84), branch: branch, label: label)
          }
        }
      })
    let tags = Markup(page).tags
    #expect(tags.count { $0.attributes["class"] == "scope" } == 20)
    #expect(tags.count { $0.attributes["class"] == "bar-of-run" } <= 120 + 19 * 80)
    #expect(page.contents.count < 1_500_000)
    #expect(
      String(decoding: page.contents, as: UTF8.self).contains(
        "A bar is 84 runs, one after the other, in the mean"))
  }

  @Test func failuresHangBelowTheLine() throws {
    let text = try text(trends { $0.add("..x", tests: 100_000) })
    let path = try #require(text.firstMatch(of: #/<path class="failed" d="M[0-9]+ ([0-9]+)V([0-9]+)/#))
    #expect((Int(path.1) ?? 0) > 80)
    #expect((Int(path.2) ?? 0) - (Int(path.1) ?? 0) >= 4)
    #expect(text.contains("<title>✗ run-2 · 2026-11-01 12:00:00 UTC"))
  }

  @Test func branchesAndLabelsCanBeChosen() throws {
    let written = trends {
      for branch in ["main", "b1", "b2", "b3", "b4", "b5"] { $0.add("..", branch: branch) }
      $0.add(".", label: "mac")
    }
    let text = try text(written)
    let links = Markup(try page(written)).tags.filter { $0.attributes["data-branch"] != nil }
    #expect(links.count == 12, "all and four branches, of all labels and of linux; all and main of mac")
    #expect(Set(links.compactMap { $0.attributes["href"] }).count == 12)
    #expect(text.contains("2 more branches by --branch"))
    for link in links {
      #expect(text.contains("<section class=\"scope\" id=\"\((link.attributes["href"] ?? "").dropFirst())\""))
    }
  }

  @Test func aTestOfSeveralBranchesIsThereOnce() throws {
    let written = trends {
      $0.add("..xx")
      $0.add("..xx", branch: "feature")
      for series in 0...1 { $0.fail("..xx", WrittenTrends.test("testTotal"), series: series) }
    }
    let text = try text(written)
    #expect(text.contains("and on 1 other branch<"))
    #expect(text.contains("<h2 id=\"all-failing\">Failing <span class=\"tally\">1</span></h2>"))
  }

  @Test func aTestIsInOneOfTheTwoLists() throws {
    let written = trends {
      $0.add("......")
      $0.add("......", branch: "feature")
      $0.fail("....*.", WrittenTrends.test("testTotal"))
      $0.fail("..xxxx", WrittenTrends.test("testTotal"), series: 1)
      $0.fail("*..xxx", WrittenTrends.test("testTax"))
    }
    let all = try text(written).components(separatedBy: "id=\"part-1\"")[0]
    #expect(all.contains("<h2 id=\"all-failing\">Failing <span class=\"tally\">2</span></h2>"))
    #expect(!all.contains("id=\"all-flaky\""))
    #expect(all.components(separatedBy: "<bdi>testTotal</bdi>").count == 2)
  }

  @Test func aSlowdownIsToldWithItsRun() throws {
    let text = try text(
      trends {
        $0.add(String(repeating: ".", count: 40))
        $0.time(0.3, before: 0.06, WrittenTrends.test("testImport"), slowSince: 25)
      })
    #expect(text.contains("<strong>5.0 ×</strong>"))
    #expect(text.contains("slower since"))
    #expect(text.contains(", 25 runs ago: 60 ms → 300 ms</span>"))
  }

  @Test func aTestHasAChartOfItsDurations() throws {
    let written = trends {
      $0.add("......")
      $0.fail("...xxx", WrittenTrends.test("testTotal"))
      $0.time(0.3, before: 0.06, WrittenTrends.test("testImport"))
      $0.time(0.3, before: nil, WrittenTrends.test("testOnce"))
      $0.trends.timed[1].passes = [0.3]
    }
    let charts = Markup(try page(written)).tags.filter { $0.attributes["class"] == "durations" }
    #expect(charts.count == 2 && charts.allSatisfy { $0.attributes["role"] == "img" })
    #expect(
      charts.last?.attributes["aria-label"]?.hasPrefix("How long it took in 6 runs, oldest first: 60 ms to")
        == true)
    let failures = Markup(try page(written)).tags.filter { $0.attributes["class"] == "failures" }
    #expect(failures.first?.attributes["d"]?.components(separatedBy: "h0").count == 4)
    #expect(failures.last?.attributes["d"] == "")
  }

  @Test(arguments: [
    ("owner/shop", "https://github.com/owner/shop/commit/"),
    ("https://gitlab.example.org/a/shop", "https://gitlab.example.org/a/shop/-/commit/"),
  ])
  func commitsLeadToTheRepository(repository: String, address: String) throws {
    let written = WrittenTrends.shop
    let page = TrendsPage(
      trends: written, title: "Shop", nonce: "n", hasReport: true,
      links: TrendLinks(repository: Repository(repository, commit: nil)))
    let links = Set(Markup(try page.file(TemplateLibrary())).tags.compactMap { $0.attributes["href"] })
    let failing = try #require(written.troubled.first?.past.outcomes.last { $0.hasPassed }?.run.commit)
    #expect(links.contains(address + failing), "on which it passed")
    #expect(links.contains(address + (written.runs.last?.run.commit ?? "")), "of the last run")
    #expect(
      links.contains(address + (written.timed.first?.step?.run.commit ?? "")), "since which it is slower")
  }

  @Test func whatIsNoCommitIsNoLink() {
    let repository = Repository("owner/shop", commit: nil)
    for hash in ["", "HEAD", "../../x", "\" onclick=\"", String(repeating: "g", count: 40)] {
      #expect(repository?.link(toCommit: hash) == nil, "\(hash)")
    }
  }

  @Test func runsLeadToTheirJobs() throws {
    let text = try text(WrittenTrends.shop)
    #expect(
      text.contains("<a href=\"https://ci.example.org/jobs/29\" rel=\"noopener noreferrer\">2026-11-08"))
    #expect(text.contains("since <a href=\"https://ci.example.org/jobs/"), "without a repository")
  }

  @Test func testsLeadToTheirPages() throws {
    var contents = try ordersReport()
    let failed = try #require(contents.report.tests.first { $0.outcome.isFailure })
    var written = WrittenTrends()
    written.add("..xx")
    written.fail("..xx", TrendTestName(failed.id))
    written.fail("..xx", WrittenTrends.test("testOfNoPage"))
    contents.trends = written.trends
    let files = try renderPages(contents, templates: TemplateLibrary())
    let page = try #require(files.first { $0.path == TrendsPage.path })
    let links = Markup(page).tags.compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("tests/") }
    #expect(Set(links).count == 1 && files.contains { $0.path == links.first })
    #expect(
      String(decoding: page.contents, as: UTF8.self).contains("<p class=\"name\"><bdi>testOfNoPage</bdi>"))
  }

  @Test func allTestsAreCountedAlsoThoseThatAreNotTold() throws {
    let written = trends {
      $0.add("..xx")
      $0.add("..xx", branch: "feature")
      for series in 0...1 { $0.fail("..xx", WrittenTrends.test("testTotal"), series: series) }
      for _ in 0..<299 {
        $0.count(\.failing, 0)
        $0.count(\.failing, 1, isFirst: false)
      }
    }
    let text = try text(written)
    #expect(text.contains("<h2 id=\"all-failing\">Failing <span class=\"tally\">300</span></h2>"))
    #expect(text.components(separatedBy: "</span> 300 failing</a>").count == 4, "all, main and feature")
    #expect(text.components(separatedBy: "… and 299 more tests").count == 4)
  }

  @Test func whatTheUserChoseIsSaid() throws {
    let only = trends { $0.add("..") }
    #expect(
      try text(only, TrendFilter(branch: "main", label: "linux")).contains(
        "Only runs of the branch main with the label linux."))
  }

  @Test func olderRunsAreCounted() throws {
    var many = WrittenTrends.shop
    many.olderRuns = 1234
    #expect(try text(many).contains("1,234 older runs of the history are left out."))
  }

  @Test func hostileTextsStayTexts() throws {
    let page = try bare(WrittenTrends.hostile)
    let tags = Markup(page).tags
    let text = String(decoding: page.contents, as: UTF8.self)
    #expect(tags.count { $0.name == "script" } == 1 && !tags.contains { $0.name == "img" || $0.name == "b" })
    #expect(!tags.contains { $0.attributes.keys.contains { $0.hasPrefix("on") } })
    #expect(!text.contains("\u{202E}") && !text.contains("\u{1B}"))
    for tag in tags {
      let link = tag.attributes["href"] ?? ""
      #expect(!link.hasPrefix("javascript:") && !link.contains(" "))
    }
    #expect(page.contents.count < 300_000, "long texts are cut")
    let ids = tags.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
  }

  @Test func tenThousandLabelsAreAPage() throws {
    let page = try page(
      trends { written in for label in 0..<10_000 { written.add(".", label: "label \(label)") } })
    #expect(page.contents.count < 400_000)
    #expect(String(decoding: page.contents, as: UTF8.self).contains("9,997 more labels by --label"))
  }

  @Test func theReportLeadsToIt() throws {
    var contents = try ordersReport()
    let without = try renderPages(contents, templates: TemplateLibrary())
    #expect(!without.contains { $0.path == TrendsPage.path })
    contents.trends = WrittenTrends.shop
    let files = try renderPages(contents, templates: TemplateLibrary())
    #expect(files.contains { $0.path == TrendsPage.path })
    let index = try #require(files.first { $0.path == "index.html" })
    #expect(String(decoding: index.contents, as: UTF8.self).contains("<a href=\"history.html\">"))
  }
}
