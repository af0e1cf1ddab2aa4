import Collector
import ExhibitSystem
import Foundation
import FoundationXML
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct JUnitDocumentTests {
  @Test func theFileIsTheRecordedOne() throws {
    try Golden.expect(JUnitDocument(.hostile).file(), in: "hostile")
  }

  @Test func theFileIsReadBackAsItWasWritten() throws {
    let file = JUnitDocument(.hostile).file()
    let input = XUnitInput.read(LoadedFile(name: "junit.xml", path: "/junit.xml", bytes: Data(file.contents)))
    #expect(input.remarks == Remarks())
    #expect(input.observations.count == Report.hostile.tests.count)
    #expect(input["Shop.StoreTests/testCrash"]?.outcome == .failed)
    #expect(input["Shop.StoreTests/testSkip"]?.skipReason == "not \"today\" & never")
    let failed = try #require(
      input.observations.first { $0.issues.contains { $0.message.contains("second") } })
    #expect(failed.id.name == "`\"><img onerror> ]]> \u{202E}evil`()")
    #expect(failed.issues.first?.message.contains(" line\nsecond <line> \t ]]>") == true)
    #expect(failed.location == SourceReference(file: "Tests/A & B.swift", line: 7))
  }

  @Test func anotherParserReadsIt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(JUnitDocument(.hostile).file().contents), to: "junit.xml")
    let parsed = try run("python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", path)
    #expect(parsed.status == 0, "\(parsed.output)")
  }

  @Test func evidenceIsNamedAsJenkinsAndGitLabLookForIt() {
    let text = String(decoding: JUnitDocument(.hostile).file().contents, as: UTF8.self)
    #expect(text.contains("[[ATTACHMENT|evidence/Shop.Orders/store.sqlite]]"))
    #expect(text.components(separatedBy: "<system-out>").count == 2)
    #expect(text.components(separatedBy: "[[ATTACHMENT").count == 2)
  }
}
