import Foundation
import Testing

@testable import ReportTestSupport

/// What `reporter report` makes of what `swift test` left in unusual runs: Tests/Fixtures/Inputs.
@Suite struct RecordedInvocationsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func report(on recording: String) throws -> CommandResult {
    try ReporterProcess.run(["report", Fixture.recording(recording), "--output", "out"], in: folder.path)
  }

  /// The outcome of every test, by its name.
  private func outcomes(on recording: String, status: Int32 = 0) throws -> [String: String] {
    #expect(try report(on: recording).status == status)
    let report = try ReportJSON(in: folder("out")).document
    let tests = report.tests.map { (($0.suite + [$0.name]).joined(separator: "/"), $0.outcome) }
    // Cases of a parameterised test share its name.
    return Dictionary(tests) { $0 == $1 ? $0 : "several" }
  }

  @Test func aRunThatRecordedNoTestIsNotReported() throws {
    let result = try report(on: "nothing")
    #expect(result.status == 66)
    #expect(result.errors.contains("No test was found"))
    #expect(folder.files.isEmpty)
  }

  @Test func whatNothingRecordedIsReadFromTheConsole() throws {
    let outcomes = try outcomes(on: "filtered")
    #expect(outcomes["OrderTests/testFail"] == "failed" && outcomes["OrderTests/testPass"] == "passed")
  }

  @Test func aCrashOfOneXCTestInParallelIsItsOwn() throws {
    let whole = try outcomes(on: "parallel")
    var crashed = try outcomes(on: "crash-xctest-parallel", status: 3)
    #expect(crashed["OrderTests/testCrashWhenAsked"] == "failed")
    crashed["OrderTests/testCrashWhenAsked"] = "passed"
    #expect(crashed == whole)
  }
}
