import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What a log says of parameterised functions whose cases it may not know.
@Suite struct OpenFunctionTests {
  /// Cases that ran no statement are in no record; their function is.
  @Test func aFunctionThatEndedTheProcessIsNamed() throws {
    let function = TestCaseID(module: "M", suite: ["Cases"], name: "crash(number:)")
    var known = function
    known.argument = TestCaseID.Argument(description: "1")
    var log = try WrittenLog(frameworks: [.xctest, .swiftTesting])
    try log.add(.store("ended(number:)"), FunctionStart())
    try log.add(.store("ended(number:)"), FunctionEnd())
    try log.add(function, FunctionStart(displayName: "Crashes", file: "/package/Tests/A.swift", line: 3))
    #expect(!LogReader.isWhole(log.bytes))
    let observation = try #require(log.tests.observations.first)
    #expect(log.tests.observations.count == 1)
    #expect(observation.id == function && observation.outcome == .crashed)
    #expect(observation.displayName == "Crashes" && observation.framework == .swiftTesting)
    try log.start(known, .swiftTesting)
    #expect(log.tests.observations.map(\.id) == [known])
    try log.finish(known, .passed)
    try log.add(function, FunctionEnd())
    try log.end()
    #expect(LogReader.isWhole(log.bytes))
    #expect(log.tests.observations.map(\.outcome) == [.passed])
  }
}
