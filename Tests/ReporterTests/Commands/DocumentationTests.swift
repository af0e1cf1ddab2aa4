import Foundation
import Testing

@testable import ReportTestSupport

/// What the help offers is documented, and the other way round.
@Suite struct DocumentationTests {
  private let repository = URL(fileURLWithPath: Fixture.folder).appendingPathComponent("../..").standardized

  private func options(of command: String) throws -> Set<String> {
    let help = try ReporterProcess.run([command, "--help"], in: repository.path)
    #expect(help.status == 0)
    let names = help.output.matches(of: #/--[a-z][a-z-]+/#).map { String($0.output) }
    return Set(names).subtracting(["--help", "--xunit-output", "--parallel", "--filter"])
  }

  private static let commands = ["report", "test", "explain", "show", "open", "inspect", "diff", "pack"]

  @Test(arguments: commands) func everyOptionIsDocumented(command: String) throws {
    let text = try String(
      contentsOf: repository.appendingPathComponent("docs/reporter.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let missing = try options(of: command).filter { option in
      !rows.contains { $0.hasPrefix("| `\(option)") || $0.hasPrefix("| `\(command) ") && $0.contains(option) }
    }
    #expect(missing.isEmpty)
  }

  @Test func everyDocumentedOptionExists() throws {
    let text = try String(
      contentsOf: repository.appendingPathComponent("docs/reporter.md"), encoding: .utf8)
    let documented = Set(text.matches(of: #/\| `(--[a-z-]+)/#).map { String($0.output.1) })
    let offered = try Self.commands.map(options(of:))
    #expect(!documented.isEmpty && documented.subtracting(offered.joined()) == [])
  }
}
