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

  @Test func eachIssueOfXCTestsConsoleIsReadWithItsPlace() throws {
    let input = try Fixture.xunit("parallel-messages", "xunit.xml")
    let file = "/package/Tests/XCTestCases/OrderTests.swift"
    let twice = try #require(input["XCTestCases.OrderTests/testFailTwice"]?.issues)
    #expect(twice.map(\.message) == ["XCTAssertTrue failed - the first", "failed - the second"])
    #expect(twice.map(\.location) == [14, 15].map { SourceReference(file: file, line: $0) })
    let thrown = try #require(input["XCTestCases.StoreTests/testSetUpThrows"]?.issues)
    #expect(thrown.map(\.message) == ["threw error \"outOfStock(item: \"ink\")\""])
    #expect(thrown.first?.location == nil)
  }

  @Test func whatATestPrintsAndWritesBelowItsMessageStays() {
    let console =
      "Test Case 'S.a' started at 1&#10;printed&#10;/T.swift:2: error: S.a : failed - one&#10;"
      + "lines&#10;Test Case 'S.a' failed (0.001 seconds)&#10;after&#10;"
    let input = XUnitInput.read(
      Fixture.text("<testsuite><testcase name='a'><failure message=\"\(console)\"/></testcase></testsuite>"))
    #expect(input.observations.first?.issues.map(\.message) == ["failed - one\nlines"])
    #expect(input.observations.first?.output == "printed\nafter\n\n")
  }

  @Test func swiftTestingsWriterIsKnownByItsNamesWhereItDoesNotCountSkippedTests() {
    func read(_ name: String) -> InputTests {
      XUnitInput.read(
        Fixture.text(
          "<testsuite name='TestResults' tests='1' failures='0'><testcase name='\(name)'/></testsuite>"))
    }
    #expect(read("off()").coverage == [.swiftTesting])
    #expect(read("off()").observations.map(\.framework) == [.swiftTesting])
    #expect(read("testOff").observations.map(\.framework) == [.xctest])
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

  private static let testCase = "<testcase classname='M.S' name='a'/>"

  @Test(arguments: [
    ("<testsuite tests='2'>\(testCase)", "The file announces 2 tests and holds 1."),
    ("<testsuite name='N' failures='1'>\(testCase)", "The suite N announces 1 failure or error and holds 0."),
    ("<testsuite errors='1e3'>\(testCase)", "The file announces 1,000 failures and errors and holds 0."),
    ("<testsuite skipped='1' tests='1'>\(testCase)", "The file announces 1 skipped test and holds 0."),
    (
      "<testsuite failures='99999999999999999999' errors='9'>\(testCase)",
      "The file announces 9,223,372,036,854,775,807 failures and errors and holds 0."
    ),
    (
      "<testsuite tests='1'><testcase name='a'><flakyFailure message='m'/></testcase><testsuite name='N' tests='1'/>",
      "The suite N announces 1 test and holds 0."
    ),
    (
      "<testsuite name='TestResults' tests='1' failures='2' skipped='1'>\(testCase)<testcase name='b()'><skipped/>"
        + "</testcase>",
      "The file announces 2 failures and errors and holds 0. Swift Testing counts issues of no test, as of a "
        + "detached task; what swift test printed has them."
    ),
  ])
  func fewerThanAnnouncedAreAFault(suite: String, sentence: String) {
    let input = XUnitInput.read(Fixture.text("<testsuites>\(suite)</testsuite></testsuites>"))
    #expect(input.remarks.faults.map(\.message) == [sentence])
    #expect(input.remarks.faultKinds == ["testCount"])
  }

  @Test func whatIsLackingIsToldOfTheInnermostSuite() {
    let inner = "<testsuite name='I' tests='2' failures='1'>\(Self.testCase)</testsuite>"
    let input = XUnitInput.read(
      Fixture.text(
        "<testsuites tests='4' failures='1'><testsuite name='O' tests='3'>\(inner)</testsuite></testsuites>"))
    #expect(
      input.remarks.faults.map(\.message) == [
        "The suite I announces 2 tests and holds 1.", "The suite I announces 1 failure or error and holds 0.",
        "The suite O announces 3 tests and holds 1.", "The file announces 4 tests and holds 1.",
      ])
  }

  @Test(arguments: [
    "<testsuites tests='2' failures='1'><testsuite tests='1'>§</testsuite><testsuite tests='1' failures='1'>†",
    "<testsuites><testsuite tests='1' failures='1'>§<testsuite tests='1' failures='1'>†</testsuite>",
    "<testsuites tests='3' failures='2'><testsuite tests='3'>†<testcase name='c'><error/><rerunError/></testcase>",
    "<testsuites tests='-1' failures='many' errors='' skipped='nan'><testsuite tests='1.0'>§",
    "<testsuites><testsuite>§<testcase name='c'><failure/><failure/></testcase>",
  ])
  func whatIsHeldMayBeAnnouncedInManyWays(suites: String) {
    let text = suites.replacing("§", with: Self.testCase).replacing(
      "†", with: "<testcase name='b'><failure message='m'/></testcase>")
    let input = XUnitInput.read(Fixture.text(text + "</testsuite></testsuites>"))
    #expect(input.remarks == Remarks())
    #expect(!input.observations.isEmpty)
  }

  @Test func theStreamOfARunHasTheIssuesThatNoTestHolds() {
    let suite =
      "<testsuite name='TestResults' tests='1' failures='2' skipped='0'>\(Self.testCase)</testsuite>"
    #expect(XUnitInput.read(Fixture.text(suite), streamedFailures: 1).remarks == Remarks())
    let other = suite.replacing("TestResults", with: "S")
    #expect(XUnitInput.read(Fixture.text(other), streamedFailures: 1).remarks.faultKinds == ["testCount"])
  }

  @Test func failuresOfASuiteAreThoseOfATestThatStandsForIt() throws {
    let input = XUnitInput.read(
      Fixture.text(
        """
        <testsuites errors="3"><testsuite name="App.Store" tests="1" errors="1">\(Self.testCase)<error message="locked">\
        stack</error><testsuite name="Inner" errors="1"><failure>inner</failure></testsuite></testsuite>\
        <error message="no suite"/></testsuites>
        """))
    #expect(input.remarks == Remarks())
    #expect(
      input.outcomes == [
        "M.S/a": .passed, "App.Store/the suite itself": .failed, "Inner.the suite itself": .failed,
        "the suite itself": .failed,
      ])
    #expect(input["App.Store/the suite itself"]?.issues.map(\.message) == ["locked\nstack"])
    let cut = XUnitInput.read(Fixture.text("<testsuite name='S'>\(Self.testCase)<error message='m'/>"))
    #expect(cut.outcomes == ["M.S/a": .passed, "S.the suite itself": .failed])
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
