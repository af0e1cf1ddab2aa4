import ArgumentParser
import Foundation
import Testing

@testable import ReportModel
@testable import ReportTestSupport
@testable import Reporter

/// What is wrong on the command line is said before anything runs, with what to write instead.
@Suite struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("<testsuite><testcase classname='M.S' name='a'/></testsuite>", to: "x.xml")
  }

  private func reporter(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(arguments, in: folder.path)
  }

  @Test(arguments: [
    (["--filter", "X"], "reporter test -- --filter X"), (["--parallel"], "reporter test -- --parallel"),
    (["--no-rows", "--filter=X", "-c", "release"], "reporter test -- --filter=X -c release"),
    (["OrderTests"], "reporter test -- OrderTests"),
    (["--filter", "A B"], "reporter test -- --filter 'A B'"),
  ])
  func whatBelongsToSwiftTestIsSaidToFollowTwoDashes(arguments: [String], command: String) throws {
    let result = try ReporterProcess.run(["test"] + arguments, in: folder.path)
    #expect(result.status == 64)
    #expect(result.errors.contains("What swift test is given follows --: \(command)\n"), "\(result.errors)")
    #expect(folder.files == ["x.xml"])
  }

  @Test func helpThatIsNamedIsHelpThatThereIs() throws {
    let errors = try reporter("test", "--filter", "X").errors
    #expect(errors.contains("See 'reporter test --help' for more information."), "\(errors)")
  }

  @Test(arguments: [
    ("shwo", "There is no command shwo; did you mean show? "), ("reprot", "did you mean report?"),
    ("Show", "did you mean show?"),
    ("frobnicate", "There is no command frobnicate. Commands: report, test, explain, show, "),
  ])
  func aCommandThatIsNoneLeadsToTheNearest(word: String, words: String) throws {
    let result = try reporter(word, "x")
    #expect(result.status == 64 && result.output == "" && result.errors.contains(words), "\(result.errors)")
    #expect(!result.errors.contains("unexpected"))
  }

  @Test(arguments: [
    ("show", "show", 0), ("shwo", "show", 1), ("", "abc", 3), ("ab", "ba", 1), ("opne", "open", 1),
  ])
  func changesOfAWordAreCounted(word: String, other: String, count: Int) {
    #expect(changes(from: word, to: other) == count && changes(from: other, to: word) == count)
  }

  @Test func otherErrorsHaveNoSuchHint() throws {
    for result in try [
      reporter("test", "--fail-on", "nonsense"), reporter("report", "--filter", "X", "x.xml"),
      reporter("test", "--title"),
    ] {
      #expect(result.status == 64)
      #expect(!result.errors.contains("follows --"), "\(result.errors)")
    }
  }

  @Test func aSourceRootThatDoesNotExistIsAnError() throws {
    for root in ["missing", "x.xml"] {
      let result = try reporter("report", "--source-root", root, "x.xml")
      #expect(result.status == 64)
      #expect(result.errors.contains("--source-root takes a folder; there is none at \(root)."))
    }
    #expect(try reporter("report", "--source-root", ".", "x.xml").status == 0)
  }

  @Test func aRunThatNoInputHasIsAnError() throws {
    try folder.write("", to: "test-artifacts/runs/first/logs/.keep")
    for inputs in [["x.xml"], ["x.xml", "test-artifacts"], ["test-artifacts", "x.xml"]] {
      let result = try ReporterProcess.run(
        ["report", "--run", "other", "--output", "out"] + inputs, in: folder.path)
      #expect(result.status == 66)
      #expect(result.errors.contains("There is no run other; there "), "\(result.errors)")
      #expect(!folder.files.contains { $0.hasPrefix("out") })
    }
    #expect(try reporter("report", "--run", "other", "test-artifacts", "x.xml").errors.contains("are first."))
  }

  @Test func aSummaryTooSmallToSayAnythingIsAnError() throws {
    for limit in ["0", "999"] {
      let result = try reporter("report", "--summary-limit", limit, "x.xml")
      #expect(result.status == 64 && result.errors.contains("--summary-limit is at least 1000"))
    }
    #expect(try reporter("report", "--summary-limit", "1000", "--output", "out", "x.xml").status == 0)
    let summary = try folder.read("out/summary.md")
    #expect(summary.contains("## ✓ The one test passed") && summary.contains(" · ✓ 1 passed"))
  }

  @Test func theVersionIsThatOfTheChangelog() throws {
    let result = try reporter("--version")
    #expect(result.status == 0)
    let version = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(version == ReporterCommand.configuration.version)
    let changelog = URL(fileURLWithPath: Fixture.folder).appendingPathComponent("../../CHANGELOG.md")
    let heading = try #require(
      try String(contentsOf: changelog, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("## [") }
    )
    if heading == "## [Unreleased]" {
      #expect(version.hasSuffix("-dev"))
    } else {
      #expect(heading.hasPrefix("## [\(version)]"))
    }
  }
}
