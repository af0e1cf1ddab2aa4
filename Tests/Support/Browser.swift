import Foundation
package import Testing

/// Chromium, driven by the scripts in `Tests/Fixtures/Browser`.
package enum Browser {
  /// Whether Chromium, playwright and axe are installed, so that the checks can run.
  package static let isAvailable: Bool = {
    let probe =
      "import sys; sys.path.insert(0, sys.argv[1]); import browser; browser.axe_source(); sys.exit(not browser.CHROMIUM)"
    // Without python there is no browser either.
    return (try? python(["-c", probe, folder]).run().status) == 0
  }()

  private static let folder = ThisPackage.file("Tests/Fixtures/Browser").path

  /// Runs a script of checks on a report and records an issue for each that fails.
  package static func check(
    _ script: String, _ report: TemporaryFolder, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await check(script, at: report.path, arguments, sourceLocation: sourceLocation)
    // The folder goes with its last use.
    withExtendedLifetime(report) {}
  }

  /// The same for a report anywhere.
  ///
  /// - Returns: What it printed.
  @discardableResult
  package static func check(
    _ script: String, at path: String, _ arguments: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let command = python(["\(folder)/\(script)", path] + arguments)
    let result = try await turns.next { try await command.finish() }
    let lines = result.output.split(separator: "\n")
    let failures = lines.filter { $0.hasPrefix("FAILED ") }
    // Errors, as an error's words stand in the first line of what is printed of an issue.
    for line in failures {
      let failed = FailedCheck(description: "\(script): \(line)")
      Issue.record(failed, "\(result.output)", sourceLocation: sourceLocation)
    }
    if failures.isEmpty, result.status != 0 || !lines.contains(where: { $0.hasPrefix("ok ") }) {
      let end = lines.suffix(3).joined(separator: " ⏎ ")
      let description = "\(script) ended with \(result.status): \(end)"
      Issue.record(
        FailedCheck(description: description), "\(result.output)", sourceLocation: sourceLocation)
    }
    return result.output
  }

  private struct FailedCheck: Error, CustomStringConvertible {
    let description: String
  }

  private static func python(_ arguments: [String]) -> Command {
    Command([ThisPackage.python] + arguments)
  }

  private static let turns = Turns()
}
