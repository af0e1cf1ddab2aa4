import Collector
import ReportModel
import ReportPipeline
import ReportReading
import ReportRendering
import Testing

@Suite struct ReportMakingTests {
  @Test func aRunWithoutTestsWhoseManifestCannotBeReadSaysBoth() throws {
    let folder = try TemporaryFolder()
    let run = RunFolder(path: try folder.makeFolder("run"))
    try folder.write("{", to: "run/run.json")
    var making = ReportMaking(output: folder("report")) { _ in }
    making.emptyRun = (run, "This run has no tests.")
    let context = try making.replaceEarlier(because: .noTests(names: []))
    let faults = try #require(context).contents.report.faults
    #expect(Set(faults.map(\.kind)) == [Remark.Kind.manifestDamaged.rawValue, Remark.Kind.noTests.rawValue])
  }
}
