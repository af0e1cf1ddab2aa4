import Foundation
import Testing

@testable import ReportReading
@testable import ReportTestSupport

/// What tests attach with Swift Testing's `Attachment.record`, or name in what they print.
@Suite struct AttachmentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func evidence(of test: String, in json: String) throws -> [[String: Any]] {
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(folder.read(json).utf8)) as? [String: Any])
    let tests = try #require(report["tests"] as? [[String: Any]])
    return try #require(tests.first { $0["name"] as? String == test }?["evidence"] as? [[String: Any]])
  }

  @Test(arguments: ["serial-rich", "serial-version-0", "parallel-messages"])
  func attachmentsAreShownWithTheirTests(recording: String) throws {
    let result = try ReporterProcess.run(
      ["report", Fixture.recording(recording), "--output", "out"], in: folder.path)
    #expect(result.status == 0)
    for test in ["attaching()", "attachingAndFailing()"] {
      let attached = try #require(try evidence(of: test, in: "out/report.json").first)
      #expect(attached["kind"] as? String == "text")
      #expect(attached["name"] as? String == "note.txt")
      let path = try #require(attached["path"] as? String)
      #expect(try folder.read("out/\(path)").count == 22)
    }
  }

  @Test func anAttachmentOutsideItsFolderIsNotFetched() throws {
    let stream = String(decoding: try Fixture.file("serial-rich", "events.jsonl").bytes, as: UTF8.self)
    let escaping = stream.replacing("attachments\\/note.txt", with: "attachments\\/..\\/secret.txt")
    #expect(escaping != stream)
    try folder.write(escaping.replacing("\\/recorded", with: folder.path + "/in"), to: "in/events.jsonl")
    try folder.write("SECRET", to: "in/secret.txt")
    let result = try ReporterProcess.run(["report", "in", "--output", "out"], in: folder.path)
    #expect(result.status == 3)
    #expect(result.errors.contains("not a file of its folder"))
    #expect(!folder.files.contains { $0.hasPrefix("out") && $0.hasSuffix("secret.txt") })
  }

  @Test func attachmentsThatNobodyClaimsAreNamed() throws {
    try folder.write(
      try Fixture.file("green", "events.jsonl").bytes, to: "a/runs/r/inputs/events.jsonl")
    try folder.write("{}", to: "a/runs/r/inputs/attachments/orphan.json")
    try folder.writeManifest(to: "a/runs/r", package: "/package")
    #expect(try ReporterProcess.run(["report", "a", "--output", "out"], in: folder.path).status == 0)
    #expect(try folder.read("out/report.json").contains("whose attachments these are: orphan.json."))
  }

  @Test func aNameThatATestOnlyPrintedIsNotCalledCaptured() throws {
    try folder.write(
      "<testsuite><testcase classname='M.S' name='a'><system-out>[[ATTACHMENT|never.png]]</system-out></testcase></testsuite>",
      to: "in/junit.xml")
    let result = try ReporterProcess.run(["report", "in/junit.xml", "--output", "out"], in: folder.path)
    #expect(result.status == 3)
    #expect(
      result.errors.contains(
        "M.S/a: never.png is what the test printed as the name of an attachment; there is no such file."))
    #expect(!result.errors.contains("captured"))
    let page = try #require(folder.files.first { $0.hasPrefix("out/tests/") })
    #expect(try folder.read(page).contains("The test printed this name; there is no such file."))
  }

  @Test func anAttachmentWhoseFileIsGoneIsCalledAttached() throws {
    let events = String(decoding: try Fixture.file("serial-rich", "events.jsonl").bytes, as: UTF8.self)
    try folder.write(
      events.replacing(#"\/recorded\/attachments"#, with: folder.path + "/in/attachments"),
      to: "in/events.jsonl")
    let result = try ReporterProcess.run(["report", "in", "--output", "out"], in: folder.path)
    #expect(result.status == 3)
    #expect(result.errors.contains("note.txt was attached, but its file is not there."))
    #expect(!result.errors.contains("captured"))
  }

  @Test func whatATestNamesInItsOutputIsEvidence() throws {
    let result = try ReporterProcess.run(
      ["report", Fixture.recording("junit/pytest") + "/junit.xml", "--output", "out"], in: folder.path)
    #expect(result.status == 3)
    #expect(result.errors.contains("outside.txt is named by a path that is not a file of its folder"))
    let shown = try #require(try evidence(of: "test_recorded", in: "out/report.json").first)
    #expect(try folder.read("out/\(#require(shown["path"] as? String))") == "shown")
  }
}
