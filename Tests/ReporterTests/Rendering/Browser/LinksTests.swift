import Testing

/// Where the links of a long story lead, without scripts and in Chromium.
@Suite(
  .enabled(
    if: Browser.isAvailable,
    "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
struct LinksTests {
  @Test func whatTenThousandStepsNameIsInThePage() async throws {
    var run = try LongStory.run()
    let report = try run.report()
    let page = try #require(run.folder.files.first { $0.hasPrefix("out/tests/") })
    let text = try run.folder.read(page)
    // A row of a finding amid what repeats itself, a value of the message, the commit behind an old state, what was
    // read of nothing last.
    for step in [1502, 3003, 3415, 3403] {
      #expect(text.contains("id=\"step-\(step)\"") && text.contains("href=\"#step-\(step)\""), "\(step)")
    }
    let output = try await Browser.check("check-links", at: report)
    #expect(output.contains("ok every_link_of_the_page_leads_to_what_it_names"), "\(output)")
  }
}
