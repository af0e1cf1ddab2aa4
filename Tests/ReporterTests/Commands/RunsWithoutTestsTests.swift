import Foundation
import Testing

/// `reporter test` when `swift test` ran no test: the report says so, and an earlier one is kept beside it.
@Suite struct RunsWithoutTestsTests {
  private let package: ScriptedPackage
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try ScriptedPackage()
  }

  @Test func noTestIs66() throws {
    try package.makeSwift("true")
    #expect(try package.test().status == 66)
    try package.makeSwift("exit 1")
    #expect(try package.test().status == 1)
  }

  @Test(arguments: [("exit 1", 1), ("true", 66)])
  func aRunWithoutTestsTakesThePlaceOfAnEarlierReport(body: String, status: Int32) throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    let green = try package.report("report.json")
    try package.makeSwift(body)
    for _ in 0..<2 {
      let result = try package.test()
      #expect(result.status == status)
      #expect(result.errors.contains("This run has no tests: swift test returned \(status == 1 ? 1 : 0)"))
      #expect(result.errors.contains("kept beside this one, in report-earlier") == true)
      #expect(result.output.contains("No test was read. The report is degraded."))
      #expect(try package.report("report.json").contains("\"degraded\":true"))
      for file in ["index.html", "summary.md"] {
        #expect(try package.report(file).contains("This run has no tests"), "\(file)")
        #expect(try package.report(file).contains("No test was read"), "\(file)")
      }
      #expect(try package.report("report.json", earlier: true) == green)
    }
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    #expect(try !package.report("index.html").contains("This run has no tests"))
  }

  @Test(arguments: [("exit 1", 1), ("true", 66)])
  func aRunWhoseFolderIsRemovedTakesThePlaceOfAnEarlierReport(end: String, status: Int32) throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    let green = try package.report("report.json")
    try package.makeSwift("rm -rf test-artifacts/runs; \(end)")
    let result = try package.test()
    #expect(result.status == status)
    #expect(try package.report("summary.md").contains("This run has no tests"))
    #expect(try package.report("report.json", earlier: true) == green)
  }

  @Test func anEarlierReportThatCannotBeReadIsKept() throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    // As one without the right to be read, which root always has.
    let json = folder.path + "/package/test-artifacts/report/report.json"
    try FileManager.default.removeItem(atPath: json)
    try FileManager.default.createDirectory(atPath: json, withIntermediateDirectories: false)
    try package.makeSwift("exit 1")
    #expect(try package.test().status == 1)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path + "/package/test-artifacts/report-earlier/index.html"))
  }

  @Test func aRunWithoutTestsSaysSoWithoutAnEarlierReport() throws {
    try package.makeSwift("exit 1")
    #expect(try package.test().status == 1)
    #expect(try package.report("summary.md").contains("This run has no tests"))
    #expect(try !package.report("summary.md").contains("earlier"))
  }

  @Test func aSwiftThatCannotBeStartedTakesThePlaceOfAnEarlierReport() throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    let green = try package.report("report.json")
    let result = try ReporterProcess.run(
      ["test"], in: folder.path + "/package", environment: ["PATH": "/nowhere"])
    #expect(result.status == 66)
    #expect(try package.report("summary.md").contains("This run has no tests. Cannot start swift"))
    #expect(try package.report("report.json", earlier: true) == green)
  }

  @Test func whatIsNoReportIsLeftWhereAnEarlierOneWouldBeKept() throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test().status == 0)
    try folder.write("mine", to: "package/test-artifacts/report-earlier/notes.txt")
    try package.makeSwift("exit 1")
    #expect(try package.test().errors.contains("in report-earlier-2"))
    #expect(try package.report("notes.txt", earlier: true) == "mine")
    #expect(folder.files.contains("package/test-artifacts/report-earlier-2/index.html"))
  }
}
