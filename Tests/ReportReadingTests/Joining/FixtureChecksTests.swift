import Collector
import Testing

@testable import ReportModel
@testable import ReportReading

/// A version that is listed but tests another file shows in the notices of a report.
@Suite struct FixtureChecksTests {
  private let files = ["Folio-1.3.sqlite", "Folio-1.3.5.sqlite", "Folio-1.4.sqlite"]

  private func use(_ file: String, by name: String, argument: String? = nil, sameAs: String? = nil)
    -> FixtureUse
  {
    FixtureUse(
      test: TestCaseID(
        module: "FolioTests", suite: ["MigrationTests"], name: name,
        argument: argument.map { TestCaseID.Argument(description: $0) }),
      fixture: UsedFixture(folder: "/fixtures", file: file, version: "1", listed: files, sameAs: sameAs))
  }

  private func notices(_ uses: [FixtureUse]) -> [String] {
    var run = RunInputs(RunID(name: "run"))
    // Each process has a log of its own; they are of one run.
    run.inputs = [InputTests(kind: .log, name: "logs", fixtures: uses)]
    var remarks = Remarks()
    RunChecks.checkFixtures([run], &remarks)
    #expect(remarks.faults.isEmpty)
    return remarks.notices.map(\.kind)
  }

  @Test func suitesThatGoThroughAllFixturesAreInOrder() {
    let loop = files.map { use($0, by: "testAll") }
    let cases = files.map { use($0, by: "opens(_:)", argument: $0) }
    #expect(notices(loop + cases) == [])
    #expect(notices([]) == [])
  }

  @Test func aFixtureThatNoTestUsedIsNamed() {
    #expect(notices([use(files[0], by: "testFirst"), use(files[2], by: "testThird")]) == ["fixtureUnused"])
  }

  @Test func twoTestsOnOneFixtureAreNamed() {
    let uses = [
      use(files[0], by: "testFirst"), use(files[0], by: "testSecond"), use(files[2], by: "testThird"),
    ]
    #expect(notices(uses).sorted() == ["fixtureRepeated", "fixtureUnused"])
  }

  @Test func twoArgumentsOnOneFixtureAreNamed() {
    let uses = [
      use(files[0], by: "opens(_:)", argument: "1.3"), use(files[0], by: "opens(_:)", argument: "1.3.5"),
      use(files[2], by: "opens(_:)", argument: "1.4"),
    ]
    #expect(notices(uses).sorted() == ["fixtureRepeated", "fixtureUnused"])
  }

  @Test func twoFixturesOfTheSameBytesAreNamed() {
    let uses = [
      use(files[0], by: "testAll", sameAs: files[2]), use(files[1], by: "testAll"),
      use(files[2], by: "testAll", sameAs: files[0]),
    ]
    #expect(notices(uses) == ["fixtureRepeated"])
  }
}
