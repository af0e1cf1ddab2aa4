import Foundation
import Testing

/// Chromium, driven by the scripts in `Tests/Fixtures/Browser`.
package enum Browser {
  /// Whether Chromium, playwright and axe are installed, so that the checks can run.
  package static let isAvailable: Bool = {
    let probe =
      "import sys; sys.path.insert(0, sys.argv[1]); import browser; browser.axe_source(); sys.exit(not browser.CHROMIUM)"
    return (try? python(["-c", probe, folder]).status) == 0  // Without python there is no browser either.
  }()

  private static let folder = ThisPackage.file("Tests/Fixtures/Browser").path

  /// Runs a script of checks on a report and records an issue for each that fails.
  package static func check(_ script: String, _ report: TemporaryFolder, _ arguments: String...) throws {
    // The folder goes with its last use.
    try withExtendedLifetime(report) { try check(script, at: report.path, arguments) }
  }

  /// The same for a report anywhere.
  ///
  /// - Returns: What it printed.
  @discardableResult
  package static func check(_ script: String, at path: String, _ arguments: [String] = []) throws -> String {
    let result = try python(["\(folder)/\(script)", path] + arguments)
    let lines = result.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("ok ") }, "\(result.output)")
    for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
    #expect(result.status == 0)
    return result.output
  }

  private static func python(_ arguments: [String]) throws -> CommandResult {
    try Command([ThisPackage.python] + arguments).run()
  }
}
