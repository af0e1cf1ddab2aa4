import Foundation
import Testing

@testable import ReportTestSupport

/// What the places of steps give to the outputs beside the test's page.
@Suite struct PlacesReportTests {
  // MARK: - A thrown error

  @Test func aThrownErrorHasTheTestsLineInEveryOutput() throws {
    let run = try RunWithPlaces(.thrown)
    let output = try run.report("--annotations", "github").output
    let page = try run.page
    #expect(page.contains("Tests/OrderTests.swift:20"))
    #expect(page.contains("by the stack of the step that failed"))
    #expect(page.contains("line20()"))
    let summary = try run.folder.read("out/summary.md")
    #expect(summary.contains("`testSell` at `OrderTests.swift:20`\n"))
    #expect(summary.contains("`Tests/OrderTests.swift:20`, by the stack of the step that failed"))
    #expect(summary.contains("statement failed at `Shop.swift:40 in Shop.remove(_:)`"))
    #expect(
      output.contains(
        "::error file=Tests/OrderTests.swift,line=20,title=ShopTests.OrderTests/testSell failed::threw error")
    )
    #expect(output.contains("%0AThe line is known by the stack of the step that failed."))
    #expect(output.contains("%0AStatement failed at Shop.swift:40 in Shop.remove(_:)."))
    #expect(try run.folder.read("out/junit.xml").contains("Tests/OrderTests.swift:20: threw error"))
    let issue = try #require((run.document["issues"] as? [[String: Any]])?.first)
    #expect(issue["file"] as? String == "Tests/OrderTests.swift" && issue["line"] as? Int == 20)
    #expect(issue["placeOrigin"] as? String == "step")
  }

  @Test func showTellsTheLineOfAThrownErrorWithItsSource() throws {
    let run = try RunWithPlaces(.thrown)
    for (format, code) in [("terminal", ""), ("markdown", "`")] {
      let text = try run.show("--format", format).output
      #expect(text.contains("Tests/OrderTests.swift:20 (by the stack of the step that failed)"))
      #expect(
        text.contains("Statement failed at \(code)Shop.swift:40\(code) in \(code)Shop.remove(_:)\(code)"))
      #expect(text.contains(">   20    line20()"))
    }
  }

  // MARK: - The failing step

  @Test func theLastReadBeforeAnAssertionHasItsPlace() throws {
    let run = try RunWithPlaces(.assertion)
    let output = try run.report("--annotations", "github", "--repository", "o/n", "--commit", "abc").output
    #expect(output.contains("%0ALast read at Shop.swift:50 in Shop.count()."))
    #expect(!output.contains("The line is known"))
    let summary = try run.folder.read("out/summary.md")
    #expect(
      summary.contains(
        "last read at [`Shop.swift:50 in Shop.count()`](<https://github.com/o/n/blob/abc/Sources/Shop.swift#L50>)"
      ))
    #expect(!summary.contains("by the stack"))
    let issue = try #require((run.document["issues"] as? [[String: Any]])?.first)
    #expect(issue["placeOrigin"] as? String == "framework" && issue["line"] as? Int == 21)
  }

  @Test func reportJSONHasThePlacesOfStepsAndTheLinesOfTheTest() throws {
    let run = try RunWithPlaces(.assertion)
    try run.report()
    let story = try #require(run.document["story"] as? [String: Any])
    let (stacks, steps) = (story["stacks"] as? [[String: Any]], story["steps"] as? [[String: Any]])
    let stack = try #require(steps?.last?["stack"] as? Int)
    let places = try #require(stacks?[stack]["places"] as? [[String: Any]])
    #expect(places.map { $0["function"] as? String } == ["Shop.count()", "OrderTests.testSell()"])
    #expect(places.map { $0["line"] as? Int } == [50, 21])
    #expect(places.first?["file"] as? String == "Sources/Shop.swift")
    let lines = try #require(story["lines"] as? [[String: Any]])
    #expect(lines.map { $0["line"] as? Int } == [20, 21])
    #expect(lines.map { $0["source"] as? String } == ["line20()", "line21()"])
    #expect(lines.map { $0["failed"] as? Bool } == [false, true])
    #expect(lines.first?["changes"] as? String == "+1 book")
    let called = try #require((lines.first?["called"] as? [[String: Any]])?.first)
    #expect(called["function"] as? String == "Shop.remove(_:)" && called["line"] as? Int == 40)
  }

  // MARK: - Links

  @Test func placesOpenAnEditorThatWasAskedFor() throws {
    let run = try RunWithPlaces(.assertion)
    try run.report("--editor", "vscode", "--repository", "o/n", "--commit", "abc")
    let page = try run.page
    let root = "vscode://file\(run.folder.path)"
    for place in ["Tests/OrderTests.swift:21", "Sources/Shop.swift:40", "Sources/Shop.swift:50"] {
      #expect(page.contains("<a href=\"\(root)/\(place)\">"), "\(place)")
    }
    // What others read has no paths of this machine.
    for file in ["summary.md", "report.json", "junit.xml"] {
      #expect(try !run.folder.read("out/\(file)").contains("vscode:"))
    }
  }

  @Test func withoutAnEditorPlacesLeadToTheRepositoryAndNamePathsOfNoMachine() throws {
    let run = try RunWithPlaces(.assertion)
    try run.report("--repository", "o/n", "--commit", "abc")
    let page = try run.page
    for place in ["Tests/OrderTests.swift#L21", "Sources/Shop.swift#L40", "Sources/Shop.swift#L50"] {
      #expect(page.contains("<a href=\"https://github.com/o/n/blob/abc/\(place)\">"), "\(place)")
    }
    #expect(!page.contains(run.folder.path))
    try run.report()
    #expect(try !run.page.contains("<a href=\"https://github.com") && !run.page.contains(run.folder.path))
  }

  @Test func aHostilePathBreaksOutOfNoLink() throws {
    let run = try RunWithPlaces(.assertion, file: "Sources/a\"><script>alert(1)<'{line}.swift")
    try run.report("--editor", "x-editor://open?at={line}&file={path}")
    let page = try run.page
    #expect(
      page.contains(
        "<a href=\"x-editor://open?at=40&amp;file=\(run.folder.path)/Sources/a%22%3E%3Cscript%3Ealert%281%29%3C%27%7Bline%7D.swift\">"
      ))
    #expect(!page.contains("<script>alert"))
  }

  @Test(arguments: [
    "javascript:alert(1)//{path}", "javascript://{path}", "data:text/html,{path}", "vscode://x", "vim",
  ])
  func anAddressThatIsNoEditorsIsAUsageError(template: String) throws {
    let run = try RunWithPlaces(.assertion)
    for result in [try run.report("--editor", template), try run.show("--editor", template)] {
      #expect(result.status == 64 && result.errors.contains("--editor"))
    }
    #expect(!run.folder.files.contains("out/report.json"))
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs a terminal"))
  func showLinksPlacesOnATerminalOnly() throws {
    let run = try RunWithPlaces(.assertion)
    let plain = try run.show("--editor", "vscode").output
    #expect(try plain == run.show().output)
    let reporter = try ReporterProcess.executable
    let shown = try ReporterProcess.command(
      Terminal.arguments(running: "\(reporter) show testSell --editor vscode"),
      in: run.folder.path, environment: ["TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"]
    ).run().output.replacing("\r\n", with: "\n")
    let address = "vscode://file\(run.folder.path)/Tests/OrderTests.swift:21"
    #expect(shown.contains("\u{1B}]8;;\(address)\u{1B}\\Tests/OrderTests.swift:21\u{1B}]8;;\u{1B}\\\n"))
    #expect(shown.contains("/Sources/Shop.swift:50\u{1B}\\Shop.swift:50\u{1B}]8;;\u{1B}\\ in Shop.count()"))
    let document = try run.show("--editor", "vscode", "--format", "markdown").output
    #expect(document.contains("[`Tests/OrderTests.swift:21`](<\(address)>)"))
  }
}
