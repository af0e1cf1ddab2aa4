import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportReading
@testable import ReportTestSupport

/// Each place that a user names becomes a value of its own.
@Suite struct RunInputsTests {
  private let folder: TemporaryFolder
  private let artifacts: String

  init() throws {
    folder = try TemporaryFolder()
    artifacts = folder.path + "/artifacts"
    for name in ["a", "b"] {
      var log = try WrittenLog()
      try log.start(.store("test"))
      try log.finish(.store("test"), .passed)
      try log.end()
      try folder.write(log.bytes, to: "artifacts/runs/\(name)/logs/7-70.jsonl")
      let manifest = RunManifest(run: name, start: name == "a" ? 1 : 2, package: "/package/" + name)
      try folder.write(JSONEncoder().encode(manifest), to: "artifacts/runs/\(name)/run.json")
    }
    try folder.write("<testsuite><testcase classname='M.S' name='x'/></testsuite>", to: "x.xml")
  }

  private var file: String { folder.path + "/x.xml" }

  @Test func everyRunAndEveryFileIsOne() throws {
    let places = try readRuns([artifacts, file], choice: .all)
    #expect(places.map(\.id.name) == ["a", "b", file])
    #expect(places.map { $0.run?.start } == [1, 2, nil])
    #expect(places.map(\.packageFolder) == ["/package/a", "/package/b", nil])
    #expect(places.map { $0.inputs.map(\.kind) } == [[.log], [.log], [.xunit]])
    #expect(Set(places.map(\.id)).count == 3)
    #expect(places.allSatisfy { $0.remarks == Remarks() })
  }

  @Test func aRunThatIsNamedTwiceIsReadOnce() throws {
    let places = try readRuns([artifacts, artifacts + "/runs/b", artifacts + "/runs"], choice: .all)
    #expect(places.map(\.id.name) == ["a", "b"])
    #expect(RunJoin(places).tests.map(\.attempts.count) == [1])
  }

  @Test func whatCannotBeUsedIsAFaultInItsPlace() throws {
    let places = try readRuns([folder.path + "/none", file], choice: .newest)
    #expect(places.map(\.remarks.faultKinds) == [["unreadableInput"], []])
    #expect(places.map(\.inputs.count) == [0, 1])
  }

  @Test func nothingThatCanBeUsedIsTheFirstError() throws {
    let paths = [folder.path + "/none", folder.path + "/nothing"]
    #expect(throws: InputError.missing(name: paths[0])) { try readRuns(paths, choice: .newest) }
    #expect(throws: InputError.noSuchRun(name: "c", known: ["a", "b"])) {
      try readRuns([file, artifacts], choice: .named("c"))
    }
  }
}
