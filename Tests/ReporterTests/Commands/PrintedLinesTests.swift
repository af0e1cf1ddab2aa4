import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// What `reporter` prints: a line a message, whatever names and messages hold, so that no CI obeys them.
@Suite struct PrintedLinesTests {
  private let folder: TemporaryFolder
  private static let commands = [
    "::error::injected", "::stop-commands::token", "##[stop-commands]token", "  ::add-mask::e",
    "##vso[task.complete]",
  ]
  private static let breaks = ["\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"]
  /// Each command after each kind of line break, and characters that hide or move others.
  private static let hostile =
    breaks.flatMap { line in commands.map { line + $0 } }.joined() + "\u{1B}[2J\u{202E}\u{0}\u{7F}end"

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    ["--nothing\n::error::b"], ["--min-tests", "1\n::error::b"], ["--source-root", "/no\n::error::b"],
  ])
  func whatIsWrongWithArgumentsIsSaidWithoutTheirLines(arguments: [String]) throws {
    let result = try ReporterProcess.run(["report"] + arguments, in: folder.path)
    #expect(result.status == 64)
    #expect(result.errors.contains("⏎::error::b"))
    #expect(!lines(result.errors).contains { $0.hasPrefix("::") })
  }

  /// The lines as GitHub's runner splits them.
  private func lines(_ text: String) -> [String] {
    text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map(String.init)
  }

  /// - Parameter annotations: How many commands of our own there are.
  private func expectNoCommands(_ result: CommandResult, annotations: Int = 0) {
    for line in lines(result.errors) { #expect(line.hasPrefix("reporter: "), "\(line)") }
    let output = lines(result.output)
    let commands = output.filter { $0.drop { $0.isWhitespace }.hasPrefix("::") }
    #expect(commands.count == annotations, "\(result.output)")
    for line in commands {
      #expect(line.hasPrefix("::error file=") || line.hasPrefix("::error title="), "\(line)")
    }
    for line in output where !line.hasPrefix("::") {
      #expect(
        ["Report: ", "In one file: "].contains { line.hasPrefix($0) } || line.contains(" test"), "\(line)")
    }
    for text in [result.errors, result.output] {
      #expect(!text.contains("##[") && !text.contains("##vso["))
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control, "\(scalar.value)")
      }
      #expect(!text.unicodeScalars.contains { ["\u{202E}", "\u{2028}", "\u{2029}"].contains($0) })
    }
  }

  private func report(_ arguments: [String], in working: String? = nil) throws -> CommandResult {
    try ReporterProcess.run(["report"] + arguments, in: working ?? folder.path)
  }

  /// A log in which everything that is a text is hostile.
  @Test func namesAndMessagesOfALogStayOnOneLine() throws {
    let hostile = Self.hostile
    let test = TestCaseID(
      module: "M\(hostile)", suite: ["S\(hostile)"], name: "t\(hostile)",
      argument: .init(ordinal: 1, description: hostile))
    var log = try WrittenLog()
    try log.start(test)
    try log.add(
      test, RecordedIssue(message: hostile, file: folder.path + "/" + hostile + ".swift", line: 1))
    try log.add(
      test,
      CaptureFailure(kind: .database, name: hostile, source: hostile, reason: .io, message: hostile))
    try log.add(nil, RecordedIssue(message: hostile))
    try log.add(
      test,
      CapturedEvidence(kind: .file, name: hostile, path: "../" + hostile, bytes: 1, source: hostile))
    try folder.write(log.bytes, to: "artifacts/runs/r/logs/7-70.jsonl")
    try folder.write(
      "<testsuite", to: "artifacts/runs/r/inputs/\(hostile.replacing("\u{0}", with: "").prefix(60)).xml")
    let result = try report(
      [
        "artifacts", "--output", "out", "--annotations", "github", "--fail-on", "failed,crashed,degraded",
        "--max-failures", "0",
      ])
    #expect(result.status == 1)
    expectNoCommands(result, annotations: 1)
    #expect(result.errors.contains("⏎") && result.errors.contains("⟨ESC⟩"))
  }

  @Test func namesAndMessagesOfXUnitAndEventsStayOnOneLine() throws {
    let written = Self.hostile.unicodeScalars.filter { $0 != "\u{0}" }.map { "&#\($0.value);" }.joined()
    let xunit = """
      <testsuite tests='9'><testcase classname='M.\(written)' name='\(written)' file='\(written)' line='1'>
      <failure message='\(written)'/><system-out>[[ATTACHMENT|../\(written)]]</system-out></testcase>
      """
    try folder.write(xunit, to: "in/a.xml")
    let text = try #require(String(data: JSONEncoder().encode(Self.hostile), encoding: .utf8)).dropFirst()
      .dropLast()
    let stream = """
      {"kind":"event","payload":{"kind":"runStarted"},"version":"6.3"}
      {"kind":"event","payload":{"kind":"testStarted","testID":"M.\(text)/f()/F.swift:1:2"},"version":"6.3"}
      {"kind":"event","payload":{"kind":"issueRecorded","issue":{"isKnown":false},"messages":[{"text":"\(text)"}]},"version":"6.3"}
      {"kind":"event","payload":{"kind":"testStarted","testID":"\(text)"},"version":"6.3"}
      {"kind":"test","payload":{},"version":"9\(text)"}

      """
    try folder.write(stream, to: "in/events.jsonl")
    let result = try report(["in", "--output", "out", "--annotations", "github"])
    #expect(result.status == 3)
    expectNoCommands(result, annotations: 3)
  }

  @Test func pathsStayOnOneLine() throws {
    let name = "a\n::error::x\r::stop-commands::y##[group]"
    try folder.write("<testsuite><testcase classname='M.S' name='a'/></testsuite>", to: "\(name)/a.xml")
    try folder.write("not one", to: "\(name)/\(name)")
    let working = folder.path + "/" + name
    expectNoCommands(
      try report(
        ["a.xml", name, "missing" + name, "--output", name + "/out", "--single-file", "--baseline", name],
        in: working))
    try folder.write("kept", to: "\(name)/occupied\(name)/file")
    let occupied = try report(["a.xml", "--output", "occupied" + name], in: working)
    #expect(occupied.status == 73)
    expectNoCommands(occupied)
    expectNoCommands(try report(["a.xml", "--output", "out", "--run", name], in: working))
    let missing = try report([name + "missing"], in: working)
    #expect(missing.status == 66)
    expectNoCommands(missing)
    expectNoCommands(try report(["a.xml", "--output", "out2", "--templates", "none" + name], in: working))
  }

  @Test func aRunsNameStaysOnOneLine() throws {
    let name = "r\n::error::x"
    var log = try WrittenLog()
    try log.start(.store("t"))
    try folder.write(log.bytes, to: "artifacts/runs/\(name)/logs/7-70.jsonl")
    expectNoCommands(try report(["artifacts", "--output", "out"]))
    expectNoCommands(try report(["artifacts", "--output", "out", "--run", "none"]))
  }
}
