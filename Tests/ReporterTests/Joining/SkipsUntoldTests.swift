import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import Reporter

/// SwiftPM's xunit shows a skipped XCTest as passed; who reads the report is told where nothing else knows better.
@Suite struct SkipsUntoldTests {
  private func notices(_ set: InputSet) -> [String] {
    RunChecks.check(set, RunJoin(set).tests).notices.filter { $0.kind == "skipsUntold" }.map(
      \.message)
  }

  /// What Swift 6.3 wrote with `--parallel`, of a suite in which testSkip skips itself.
  private func recordedSet() throws -> InputSet {
    var set = InputSet()
    set.add(XUnitInput.read(try Fixture.file("parallel", "xunit.xml")))
    return set
  }

  @Test func xctestsThatOnlyXUnitKnowsMayHaveBeenSkipped() throws {
    let set = try recordedSet()
    let skipped = set.inputs[0].observations.first { $0.id.name == "testSkip" }
    #expect(skipped?.outcome == .passed)
    #expect(
      notices(set) == [
        "4 XCTests count as passed and may have been skipped: SwiftPM's xunit does not tell. Link Attach into a "
          + "test target to know."
      ])
  }

  @Test func aLogTells() throws {
    var set = try recordedSet()
    var log = InputTests(kind: .log, name: "logs")
    log.observations = set.inputs[0].observations
    set.add(log)
    #expect(notices(set) == [])
    set.inputs[1].observations.removeAll { $0.id.name == "testSkip" }
    #expect(notices(set).first?.hasPrefix("1 XCTest counts as passed and may have been skipped") == true)
  }

  @Test func aLogOfAnotherRunTellsNothing() throws {
    var set = try recordedSet()
    set.runs = [.init(name: "old", start: 1), .init(name: "new", start: 2)]
    var log = InputTests(kind: .log, name: "logs")
    log.observations = set.inputs[0].observations
    log.run = 0
    set.add(log)
    #expect(notices(set).count == 1)
    set.inputs[1].run = 1
    #expect(notices(set) == [])
  }

  @Test func otherXUnitFilesAreNotMeant() throws {
    var set = InputSet()
    set.add(XUnitInput.read(try Fixture.file("parallel", "xunit-swift-testing.xml")))
    let other = Data("<testsuite><testcase classname='M.S' name='a'/></testsuite>".utf8)
    set.add(XUnitInput.read(InputFile(name: "x", path: "/nowhere/x", bytes: other)))
    #expect(notices(set) == [])
  }
}
