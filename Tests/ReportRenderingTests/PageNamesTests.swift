import Collector
import Testing

@testable import ReportRendering

@Suite struct PageNamesTests {
  @Test func namesAreSafeAndShort() throws {
    for name in [
      "../../etc/passwd", "<script>", "", "...", "\u{202E}", String(repeating: "é\n", count: 5000), "con",
    ] {
      let test = TestCaseID(module: name, suite: [name], name: name)
      let path = try #require(PageNames([test]).path(of: test))
      #expect(path.wholeMatch(of: /tests\/[A-Za-z0-9_][A-Za-z0-9._-]*\.html/) != nil)
      #expect(path.utf8.count <= "tests/".utf8.count + 120)
    }
  }

  @Test func testsThatReadAlikeHavePagesOfTheirOwn() {
    let tests = ["a/b", "a:b", "a b", "A b", "a-b"].map { TestCaseID(module: "M", suite: [], name: $0) }
    let names = PageNames(tests)
    #expect(Set(tests.map { names.path(of: $0)?.lowercased() }).count == tests.count)
  }

  @Test func equalNamesAreNumberedWithoutRegardToCase() {
    // Both are safe as they are, so no hash tells them apart.
    let tests = [
      TestCaseID(module: "M", suite: [], name: "x"), TestCaseID(module: "m", suite: [], name: "X"),
    ]
    let unchanged = tests.map { TestCaseID(module: $0.module + "." + $0.name, suite: [], name: "") }
    let names = PageNames(unchanged)
    #expect(names.path(of: unchanged[0]) != names.path(of: unchanged[1]))
  }

  @Test func aTestWithoutAPageHasNoPath() {
    #expect(PageNames([TestCaseID]()).path(of: TestCaseID(module: "M", suite: [], name: "x")) == nil)
  }
}
