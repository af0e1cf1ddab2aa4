import Collector
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering

/// The operands of an assertion are called what the source calls them.
@Suite struct AssertionCallTests {
  private func operands(_ source: String) -> [String]? {
    AssertionCall(in: source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)).map {
      [$0.left, $0.right]
    }
  }

  @Test(arguments: [
    ("    XCTAssertEqual(reserved, [6, 7, 8], \"one, (two\")", ["reserved", "[6, 7, 8]"]),
    (
      "XCTAssertEqual(try shop.total(of: order), 899 + 3 * 1399)",
      ["shop.total(of: order)", "899 + 3 * 1399"]
    ),
    ("XCTAssertEqual(try await a, await b)", ["a", "b"]),
    ("XCTAssertEqual (a.b { $0, 1 }, c[1, 2])", ["a.b { $0, 1 }", "c[1, 2]"]),
    ("XCTAssertEqual(\"a,)\\\"(\", \"\\(b(\",\", 2))\")", ["\"a,)\\\"(\"", "\"\\(b(\",\", 2))\""]),
    ("XCTAssertEqual(#\"a\", \"b\"#, c)", ["#\"a\", \"b\"#", "c"]),
    ("XCTAssertEqual(a /* , ( /* ) */ */, b, accuracy: 0.1)", ["a", "b"]),
    ("XCTAssertEqual(\n  try first(),  // the, first)\n  second\n    .third)", ["first()", "second .third"]),
    ("XCTAssertEqual(\"\"\"\n  a, (\"b\")\n  \"\"\", c)", ["\"\"\" a, (\"b\") \"\"\"", "c"]),
    ("if x { XCTAssertEqual(a, b) }", ["a", "b"]),
    ("XCTAssertEqual(é, \"e\u{301}\")", ["é", "\"e\u{301}\""]),
  ])
  func aCallIsRead(_ source: String, _ expected: [String]) {
    #expect(operands(source) == expected)
  }

  @Test(arguments: [
    "", "let a = 1", "XCTAssertEqual", "XCTAssertEqual(", "XCTAssertEqual(a, b", "XCTAssertEqual(a)",
    "XCTAssertEqual(a, b]", "XCTAssertEqual(a, b); XCTAssertEqual(c, d)", "// XCTAssertEqual(a, b)",
    "\"XCTAssertEqual(a, b)\"", "myXCTAssertEqual(a, b)", "\nXCTAssertEqual(a, b)",
    "XCTAssertEqual(\"a, b)", "XCTAssertEqual(a /* , b)", "XCTAssertEqual(, )",
    "XCTAssertEqual(\"" + String(repeating: "\\(\"", count: 5000),
    "XCTAssertEqual(" + String(repeating: "(", count: 100_000),
  ])
  func whatIsNoWholeCallIsNotRead(_ source: String) {
    #expect(operands(source) == nil)
  }

  @Test func literalsAreToldFromExpressions() {
    for literal in [
      "0", "-1.5", "1_000", "0xff", "[6, 7, 8]", "[]", "[:]", "[\"a\": 1]", "\"a b\"", "nil", "true",
      "(1, 2)",
      "899 + 3 * 1399", "[[\"departure\"]]", "#\"a\"#",
    ] { #expect(AssertionCall.isLiteral(literal), "\(literal)") }
    for other in [
      "", "a", "a.count", "[a]", "f(1)", "\"\\(a)\"", "Optional(1)", ".paid", "1 + a", "{ 1 }", "+", "before",
    ] {
      #expect(!AssertionCall.isLiteral(other), "\(other)")
    }
  }

  @Test func onlyALiteralBesideAnExpressionIsSurelyExpected() {
    func sides(_ left: String, _ right: String) -> [String] {
      let named = NamedOperands(left: left, right: right, values: ("1", "2"))
      return [named.left.text, named.right.text]
    }
    #expect(sides("a", "2") == ["a · was", "expected"])
    #expect(sides("1 + 1", "a") == ["1 + 1 · expected", "a · was"])
    #expect(sides("a", "b") == ["a", "b"])
    #expect(sides("3", "4") == ["3", "4"])
  }

  @Test func anIssueTakesItsNamesFromTheSourceOrKeepsThem() throws {
    let place = SourceReference(file: "A.swift", line: 2)
    let issue = TestIssue(
      message: "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")", location: place, severity: .error,
      isKnown: false)
    let excerpt = SourceExcerpt(
      firstLine: 1, lines: ["{", "  XCTAssertEqual(try count(),", "    2)"], markedLine: 2)
    let named = try #require(NamedOperands(of: issue, sources: [place: excerpt]))
    #expect(
      named.left == .init(name: "count()", role: "was") && named.right == .init(name: "", role: "expected"))
    let unnamed = try #require(NamedOperands(of: issue, sources: [:]))
    #expect(unnamed.left.text == "first" && unnamed.right.text == "second")
    let other = TestIssue(message: "no", location: place, severity: .error, isKnown: false)
    #expect(NamedOperands(of: other, sources: [place: excerpt]) == nil)
  }
}
