import Foundation
import Testing

/// The pages of the failing examples, as they open: what is to be seen without scrolling names the cause.
@Suite(
  .enabled(
    if: BrowserScripts.canRun,
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
    let result = try Command([
      BrowserScripts.python, BrowserScripts.folder + "/check-first-screen", run.artifacts.path + "/report",
      Self.key.path,
    ]).run()
    #expect(
      result.status == 0 && result.output.contains("ok the_first_screen_names_the_cause"), "\(result.output)")
  }
}

/// The scripts that drive Chromium.
private enum BrowserScripts {
  /// The one that ci/setup made, or the machine's own.
  static var python: String {
    let own = ThisPackage.file(".build/python/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
  }

  static var folder: String { ThisPackage.file("Tests/Fixtures/Browser").path }

  static let canRun: Bool = {
    let probe = "import sys; sys.path.insert(0, sys.argv[1]); import browser; sys.exit(not browser.CHROMIUM)"
    // Without python there is no browser.
    return (try? Command([python, "-c", probe, folder]).run().status) == 0
  }()
}
