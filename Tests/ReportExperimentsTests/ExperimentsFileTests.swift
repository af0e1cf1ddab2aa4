import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportExperiments

/// experiments.json: what is written is read again, and what is no such file is an error.
@Suite struct ExperimentsFileTests {
  private let folder: TemporaryFolder
  private let run: RunFolder

  init() throws {
    folder = try TemporaryFolder()
    run = RunFolder(path: folder.path)
  }

  /// Tests with a value for every key.
  private static var tests: [ExplainedTest] {
    var found = ExplainedTest(
      test: TestCaseID(
        module: "M", suite: ["S", "In\"ner"], name: "f(x:)",
        argument: .init(ordinal: 2, description: "\u{1B}[1m")),
      control: .fails)
    (found.tried, found.changing, found.statements, found.planned, found.seconds) = (312, 9, 41, 600, 12.5)
    var proven = ExplainedTest.Proven(
      words: "With “<” for “<=” in “day <= 'x'”", bare: "With “<” for “<=” in “day <= ?”",
      operatorName: "bounds", number: 25)
    (proven.sql, proven.replacement, proven.step, proven.more) = ("SELECT 1", "SELECT 2", 8728, 3)
    proven.others = ExplainedTest.Others(passed: 37, failed: ["M.S/g()"])
    found.proven = [
      proven, ExplainedTest.Proven(words: "In UTC", bare: "In UTC", operatorName: "time zone", number: 40),
    ]
    let id = TestCaseID(module: "M", suite: [], name: "g()")
    return [
      found, ExplainedTest(test: id, control: .differs("Alone, it passes.")),
      ExplainedTest(test: id, control: .refused("/srv/app.sqlite lies outside.")),
    ]
  }

  @Test func whatIsWrittenIsRead() throws {
    try ExperimentsFile.write(Self.tests, to: run)
    #expect(try ExperimentsFile.read(of: run) == Self.tests)
    // In the place of an earlier one, with nothing left beside it.
    try ExperimentsFile.write([], to: run)
    #expect(try ExperimentsFile.read(of: run).isEmpty)
    #expect(try folder.names == ["experiments.json"])
  }

  @Test func aFileThatIsMissingCutOrAnotherIsAnError() throws {
    #expect(throws: ExperimentsFile.ReadingError.unopened(.missing)) { try ExperimentsFile.read(of: run) }
    let whole = ExperimentsFile.bytes(of: Self.tests)
    for count in stride(from: 0, to: whole.count - 2, by: 7) {
      #expect(throws: ExperimentsFile.ReadingError.damaged) {
        try ExperimentsFile.read(Array(whole.prefix(count)))
      }
    }
    for text in [
      "{}", "[]", #"{"format":"1.4"}"#, #"{"format":"1.4","tests":[{}]}"#, #"{"format":"1.4","tests":{}}"#,
      #"{"format":"1.4","tests":[{"test":{"module":"M","suite":[],"name":"f"},"control":"fails","tried":-1,"changing":0,"statements":0,"planned":0,"reaching":[],"idle":0,"seconds":0,"proven":[]}]}"#,
      #"{"format":"1.4","tests":[{"test":{"module":"M","suite":[],"name":"f"},"control":"wins","tried":1,"changing":0,"statements":0,"planned":0,"reaching":[],"idle":0,"seconds":0,"proven":[]}]}"#,
      #"{"format":"1.4","tests":[{"test":{"module":"M","suite":[],"name":"f"},"control":"fails","tried":99999999999,"changing":0,"statements":0,"planned":0,"reaching":[],"idle":0,"seconds":0,"proven":[]}]}"#,
    ] {
      #expect(throws: ExperimentsFile.ReadingError.damaged) { try ExperimentsFile.read(Array(text.utf8)) }
    }
    for (format, kind) in [("1.3", FormatRefusal.Kind.older), ("2.0", .newer), ("x", .none)] {
      #expect(throws: ExperimentsFile.ReadingError.format(FormatRefusal(kind, format))) {
        try ExperimentsFile.read(Array(#"{"format":"\#(format)","tests":[]}"#.utf8))
      }
    }
  }

  @Test func aLinkThatLeadsOutIsNotFollowed() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.write(#"{"format":"1.4","tests":[]}"#, to: "other.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder("experiments.json"), withDestinationPath: elsewhere("other.json"))
    #expect(throws: ExperimentsFile.ReadingError.unopened(.outside)) { try ExperimentsFile.read(of: run) }
  }
}
