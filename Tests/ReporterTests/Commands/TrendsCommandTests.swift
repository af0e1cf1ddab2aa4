import Foundation
import Testing

@testable import ReportHistory
@testable import ReportRendering
@testable import ReportTestSupport

/// `reporter history --html`, and the page of trends beside a report.
@Suite struct TrendsCommandTests {
  private let package: PackageWithHistory
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try PackageWithHistory()
  }

  private func page(_ path: String = "package/test-artifacts/history.html") throws -> String {
    try folder.read(path)
  }

  @Test func thePageIsWrittenIntoTheArtifactsFolder() throws {
    try package.test(failing: true, "--label", "here")
    let result = try package.reporter("history", "--html")
    #expect(
      result.status == 0 && result.output == "History: test-artifacts/history.html\n", "\(result.errors)")
    let text = try page()
    #expect(text.contains("Too few runs of trunk for a trend"))
    #expect(text.contains("<bdi>here</bdi>"))
    #expect(text.contains("new: no earlier run has this test") || text.contains("failing since"))
    #expect(!text.contains("<strong>new</strong>"), "it says so once")
    #expect(!text.contains("href=\"index.html\""), "beside it lies no report")
    let again = try package.reporter("history", "--html", "--output", "../there.html")
    #expect(again.status == 0)
    #expect(try page("there.html").contains("Too few runs of trunk"))
    #expect(try package.git("status", "--porcelain") == "")
  }

  @Test func commitsOfThePageLeadToTheRepository() throws {
    try package.test(failing: true)
    #expect(try package.reporter("history", "--html", "--repository", "owner/shop").status == 0)
    let commit = try package.git("rev-parse", "HEAD")
    #expect(try page().contains("href=\"https://github.com/owner/shop/commit/\(commit)\""))
    #expect(try package.reporter("history", "--html").status == 0)
    #expect(try !page().contains("/commit/"))
  }

  @Test func thePageTakesNoPlaceOfTheHistory() throws {
    try package.test(failing: true)
    let before = try Data(contentsOf: URL(fileURLWithPath: package.history))
    for name in ["test-artifacts/history.sqlite", "test-artifacts/../test-artifacts/history.sqlite-journal"] {
      let result = try package.reporter("history", "--html", "--output", name)
      #expect(
        result.status == 73 && result.errors.contains("is read for it. Name another file"), "\(result.errors)"
      )
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: package.history)) == before)
  }

  @Test func aReportHasThePageAndLeadsToIt() throws {
    try package.test(failing: true, "--single-file")
    #expect(try !package.package.report("report.html").contains("history.html"))
    #expect(try package.package.report("index.html").contains("<a href=\"history.html\">"))
    #expect(try package.package.report("history.html").contains("<a href=\"index.html\">"))
    try package.test(failing: true, "--history-access", "none")
    #expect(try !package.package.report("index.html").contains("history.html"))
    #expect(!FileManager.default.fileExists(atPath: folder("package/test-artifacts/report/history.html")))
  }

  @Test func aBranchAndALabelAreChosen() throws {
    try package.test(failing: true, "--label", "one")
    try package.git("checkout", "--quiet", "-b", "other")
    try package.test(failing: false, "--label", "two")
    #expect(try package.reporter("history", "--html", "--branch", "other").status == 0)
    let other = try page()
    #expect(other.contains("Only runs of the branch other.") && !other.contains("trunk"))
    #expect(try package.reporter("history", "--html", "--label", "one", "--branch", "trunk").status == 0)
    #expect(try page().contains("Only runs of the branch trunk with the label one."))
    let before = try page()
    let none = try package.reporter("history", "--html", "--branch", "none\u{1B}[2J")
    #expect(none.status == 64)
    #expect(none.errors.contains("No run of the history is of the branch none⟨ESC⟩[2J."), "\(none.errors)")
    #expect(try page() == before)
  }

  @Test(arguments: [
    ["--html", "--json"], ["--html", "testTotal"], ["--branch", "main"], ["--label", "one"],
    ["--output", "a.html"],
    ["--html", "--output", ""], ["--repository", "a/b"], ["--html", "--repository", "no repository"],
  ])
  func wrongUsageIs64(arguments: [String]) throws {
    #expect(try ReporterProcess.run(["history"] + arguments, in: folder("package")).status == 64)
  }

  @Test func withoutAHistoryItIs66AndNothingIsWritten() throws {
    let result = try package.reporter("history", "--html")
    #expect(result.status == 66)
    #expect(result.errors.contains("There is no history at test-artifacts/history.sqlite."))
    #expect(!FileManager.default.fileExists(atPath: folder("package/test-artifacts")))
    try folder.write("hello", to: "package/h.sqlite")
    #expect(try package.reporter("history", "--html", "--history", "h.sqlite").status == 66)
  }

  @Test func whatCannotBeWrittenIs73AndTheEarlierPageStays() throws {
    try package.test(failing: true)
    let result = try package.reporter("history", "--html", "--output", "nowhere/page.html")
    #expect(result.status == 73)
    #expect(result.errors.contains("The page cannot be written."))
    try folder.write("mine", to: "package/folder/file")
    #expect(try package.reporter("history", "--html", "--output", "folder").status == 73)
    #expect(try folder.read("package/folder/file") == "mine")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("package")).allSatisfy {
        !$0.hasPrefix("folder.")
      })
  }

  @Test func aHostileHistoryIsAHarmlessPage() throws {
    for _ in 1...2 { try package.test(failing: true) }
    _ = try package.value(
      """
      UPDATE runs SET branch = '"><script>alert(1)</script>' || char(27, 10) || replace(hex(zeroblob(20000)), '00', 'ab'),
        label = '<img src=x onerror=alert(1)>', address = 'javascript:alert(1)', began = CASE id WHEN 1 THEN 9e999 ELSE 0 END,
        name = '</title><b>' || char(8238), commit_hash = '<b>'
      """)
    _ = try package.value("UPDATE outcomes SET duration = 1e308; ")
    _ = try package.value("UPDATE messages SET text = '</bdi><script>' || id")
    #expect(try package.reporter("history", "--html").status == 0)
    let file = ReportFile(path: "history.html", text: try page())
    let tags = Markup(file).tags
    #expect(tags.count { $0.name == "script" } == 1 && !tags.contains { $0.name == "img" || $0.name == "b" })
    #expect(!tags.contains { ($0.attributes["href"] ?? "").hasPrefix("javascript:") })
    #expect(file.contents.count < 300_000)
  }

  @Test(
    .enabled(
      if: Browser.isAvailable,
      "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
  func aBrowserShowsWhatIsChosen() async throws {
    var trends = WrittenTrends.shop
    // A second label, so that both can be chosen.
    let series = trends.series.count
    trends.series.append(RunSeries(branch: "main", label: "mac"))
    for var run in trends.runs.prefix(5) {
      (run.series, run.run.label) = (series, "mac")
      trends.runs.append(run)
    }
    let page = TrendsPage(trends: trends, title: "Shop", nonce: "n", hasReport: false)
    try folder.write(Data(try page.file(TemplateLibrary()).contents), to: "page/history.html")
    try await Browser.check("check-history", at: folder("page"))
    withExtendedLifetime(package) {}
  }
}
