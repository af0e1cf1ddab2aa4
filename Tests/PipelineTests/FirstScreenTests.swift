import Foundation
import Testing

/// The pages of the failing examples, as they open: what is to be seen without scrolling names the cause.
@Suite(
  .enabled(
    if: Browser.isAvailable,
    "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
struct FirstScreenTests {
  private struct Cause: Decodable {
    var test: String
  }

  private static let key = ThisPackage.file("Examples/causes.json")
  private static let examples = ExampleRun(of: ".")

  @Test func theKeyNamesEveryTestThatFails() throws {
    let causes = try JSONDecoder().decode([Cause].self, from: Data(contentsOf: Self.key)).map(\.test)
    let failing = try String(contentsOf: ThisPackage.file("Examples/failing-tests.txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    for test in failing { #expect(causes.contains { $0.hasPrefix(test) }, "\(test)") }
    for cause in causes { #expect(failing.contains { cause.hasPrefix($0) }, "\(cause)") }
  }

  @Test func theFirstScreenNamesTheCause() async throws {
    let run = try await Self.examples.run()
    let output = try await Browser.check("check-first-screen", at: run.reportFolder, [Self.key.path])
    #expect(output.contains("ok the_first_screen_names_the_cause"), "\(output)")
  }

  @Test func everyLinkLeadsToWhatItNames() async throws {
    let run = try await Self.examples.run()
    let output = try await Browser.check("check-links", at: run.reportFolder)
    #expect(output.contains("ok every_link_of_the_page_leads_to_what_it_names"), "\(output)")
  }
}
