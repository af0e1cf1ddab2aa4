import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// SwiftPM's xunit shows a skipped XCTest as passed; who reads the report is told where nothing else knows better.
@Suite struct SkipsUntoldTests {
  private func notices(_ runs: [RunInputs]) -> [String] {
    RunChecks.check(runs, RunJoin(runs).tests).notices.filter { $0.kind == "skipsUntold" }.map(\.message)
  }

  /// A file, or a run that is given by its start.
  private func place(_ name: String, start: Double? = nil, _ input: InputTests) -> RunInputs {
    var place = RunInputs(
      RunID(name: name, folder: "/" + name), run: start.map { .init(name: name, start: $0) })
    place.inputs = [input]
    return place
  }

  /// What Swift 6.3 wrote with `--parallel`, of a suite in which testSkip skips itself.
  private let recorded: InputTests

  init() throws {
    recorded = XUnitInput.read(try Fixture.file("parallel", "xunit.xml"))
  }

  private var log: InputTests {
    let observations = recorded.observations.map { observation in
      var observation = observation
      observation.isOfXUnitAlone = false
      return observation
    }
    return InputTests(kind: .log, name: "logs", observations: observations)
  }

  @Test func xctestsThatOnlyXUnitKnowsMayHaveBeenSkipped() {
    let skipped = recorded.observations.first { $0.id.name == "testSkip" }
    #expect(skipped?.outcome == .passed)
    #expect(
      notices([place("xunit.xml", recorded)]) == [
        "4 XCTests count as passed and may have been skipped: SwiftPM's xunit does not tell. Link Attach into a "
          + "test target to know."
      ])
  }

  @Test func aLogTells() {
    let file = place("xunit.xml", recorded)
    #expect(notices([file, place("logs", log)]) == [])
    var partial = log
    partial.observations.removeAll { $0.id.name == "testSkip" }
    let told = notices([file, place("logs", partial)])
    #expect(told.first?.hasPrefix("1 XCTest counts as passed and may have been skipped") == true)
  }

  @Test func aLogOfAnotherRunTellsNothing() {
    let file = place("xunit.xml", recorded)
    let none = InputTests(kind: .log, name: "logs")
    #expect(notices([file, place("old", start: 1, log), place("new", start: 2, none)]).count == 1)
    #expect(notices([file, place("old", start: 1, none), place("new", start: 2, log)]) == [])
  }

  @Test func otherXUnitFilesAreNotMeant() throws {
    let swiftTesting = XUnitInput.read(try Fixture.file("parallel", "xunit-swift-testing.xml"))
    let other = XUnitInput.read(Fixture.text("<testsuite><testcase classname='M.S' name='a'/></testsuite>"))
    #expect(notices([place("a", swiftTesting), place("b", other)]) == [])
  }
}
