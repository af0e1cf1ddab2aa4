import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

@Suite struct XUnitInputTests {
  @Test func theXCTestWriterIsRead() throws {
    let input = try Fixture.xunit("parallel", "xunit.xml")
    #expect(input.coverage == [.xctest])
    #expect(input.endedProperly)
    #expect(input.remarks == Remarks())
    #expect(input.outcomes.count == 10)
    #expect(input["XCTestCases.OrderTests/testPass"]?.outcome == .passed)
    let failed = try #require(input["XCTestCases.OrderTests/testFail"])
    #expect(failed.outcome == .failed)
    #expect(failed.issues.map(\.message) == ["failure"])
    #expect(failed.framework == .xctest)
    #expect(try #require(failed.duration) > 0)
  }

  @Test func theXCTestWriterWithMessagesIsRepaired() throws {
    let input = try Fixture.xunit("parallel-messages", "xunit.xml")
    #expect(input.remarks.noticeKinds == ["repairedXML"])
    #expect(input.remarks.faults.isEmpty)
    let message = input["XCTestCases.OrderTests/testEscape"]?.issues.first?.message ?? ""
    #expect(message.contains("failed - \u{1B}[31mred\u{1B}[0m and a bell "))
  }

  @Test func theSwiftTestingWriterIsRead() throws {
    let input = try Fixture.xunit("parallel", "xunit-swift-testing.xml")
    #expect(input.coverage == [.swiftTesting])
    #expect(input.remarks.noticeKinds == ["repairedXML"])
    #expect(input.remarks.faults.isEmpty)
    #expect(input["SwiftTestingCases.Orders/failsTwice()"]?.issues.count == 2)
    let skipped = try #require(input["SwiftTestingCases.disabled()"])
    #expect(skipped.outcome == .skipped)
    #expect(skipped.skipReason == "not today")
    #expect(input["SwiftTestingCases.`raw & <passing> \"name\"`()"]?.outcome == .passed)
    #expect(input["SwiftTestingCases.Orders/`raw suite. with/slash`/plainFail()"]?.outcome == .failed)
  }

  @Test func whatACrashLeftIsAFault() throws {
    let input = try Fixture.xunit("crash-swift-testing", "xunit-swift-testing.xml")
    #expect(input.observations.isEmpty)
    #expect(!input.endedProperly)
    #expect(input.remarks.faultKinds == ["truncatedXML"])
  }

  @Test(arguments: [0.2, 0.5, 0.9]) func aTruncatedFileIsReadAsFarAsItGoes(part: Double) throws {
    let whole = try Fixture.file("parallel", "xunit-swift-testing.xml").bytes
    let cut = Data(whole.prefix(Int(Double(whole.count) * part)))
    let input = XUnitInput.read(LoadedFile(name: "cut.xml", path: "/cut.xml", bytes: cut))
    #expect(input.remarks.faultKinds == ["truncatedXML"])
    let testCases = String(decoding: cut, as: UTF8.self).components(separatedBy: "</testcase>").count - 1
    #expect(input.observations.count >= testCases)
    #expect(!input.observations.isEmpty)
  }

  @Test func aTestThatIsCutOffIsNotPassed() {
    let input = XUnitInput.read(
      Fixture.text("<testsuite><testcase classname='M.S' name='a'/><testcase classname='M.S' name='b'>"))
    #expect(input.outcomes == ["M.S/a": .passed, "M.S/b": .unfinished])
  }

  @Test func jUnitInGeneralIsRead() throws {
    let input = XUnitInput.read(
      Fixture.text(
        """
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <testsuites><testsuite name="outer" tests="3"><testsuite name="inner" tests="1">
        <testcase classname="pkg.Case" name="one" time="1e-3" file="a.py" line="3"><error type="E"><![CDATA[a < b]]></error>
        </testcase></testsuite>
        <testcase classname="pkg.Case" name="two"><skipped message="why"/></testcase>
        <testcase name="three"><system-out>text</system-out></testcase></testsuite></testsuites>
        """))
    #expect(input.coverage == [])
    #expect(input.remarks.faults.isEmpty)
    let failed = try #require(input["pkg.Case/one"])
    #expect(failed.issues.first?.message == "a < b")
    #expect(failed.location == SourceReference(file: "a.py", line: 3))
    #expect(failed.duration == 0.001)
    #expect(input["pkg.Case/two"]?.skipReason == "why")
    #expect(input["outer.three"]?.outcome == .passed)
  }

  @Test func fewerTestsThanAnnouncedAreAFault() {
    let input = XUnitInput.read(
      Fixture.text("<testsuite tests='2'><testcase classname='M.S' name='a'/></testsuite>"))
    #expect(input.remarks.faultKinds == ["testCount"])
  }

  @Test func anEntityOfAFileIsNotResolved() {
    let xml = """
      <!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite><testcase classname="M.S" name="a">\
      <failure message="&e;">&e;</failure></testcase></testsuite>
      """
    let input = XUnitInput.read(Fixture.text(xml))
    #expect(input.remarks.faultKinds == ["malformedXML"])
    #expect(input.observations.first?.issues.first?.message == "&e;")
  }
}
