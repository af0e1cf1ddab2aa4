import Testing

@testable import ReportModel

/// The messages are as Swift 6.3.1's corelibs XCTest and Swift Testing, and swift-custom-dump 1.3, print them.
@Suite struct FailureMessageTests {
  @Test func anXCTestAssertionIsReadAsTwoValues() {
    let message = FailureMessage(
      #"XCTAssertEqual failed: ("a ("x") is") is not equal to ("b") - msg - with dash"#)
    #expect(
      message
        == .comparison(
          .init(
            headline: "XCTAssertEqual failed", left: .init(label: "first", value: #"a ("x") is"#),
            right: .init(label: "second", value: "b"), note: "msg - with dash")))
  }

  @Test func anAssertionWithoutNoteEndsInADash() throws {
    let message = FailureMessage(
      "XCTAssertEqual failed: (\"line1\nline2\") is not equal to (\"line1\nlineX\") - ")
    guard case .comparison(let comparison) = message else {
      Issue.record("not read as a comparison")
      return
    }
    #expect(comparison.right.value == "line1\nlineX")
    #expect(comparison.note == nil)
  }

  @Test(arguments: [
    #"XCTAssertEqual failed: ("1.0") is not equal to ("2.0") +/- ("0.1") - acc"#,
    #"XCTAssertEqual failed: ("a") is not equal to ("b") is not equal to ("c") - "#,
    #"XCTAssertNotEqual failed: ("1") is equal to ("1") - "#,
    #"XCTAssertEqual failed: ("a") is not equal to ("b"#,
    "failed - fail", #"threw error "boom "x"""#, "", "Expectation failed: (n → 3) != 3",
    "Expectation failed: (n > 5 → false) && (n < 9 → <not evaluated>)", "Expectation failed: Bool(false)",
    "Expectation failed: a == b", "Expectation failed: (a → \" == \") == (b → \") == (\")",
  ])
  func whatIsAmbiguousOrUnknownStaysVerbatim(text: String) {
    #expect(FailureMessage(text) == .verbatim)
  }

  @Test(arguments: [
    ("Expectation failed: (n → 3) == 2", "n", "3", "2", "2"),
    ("Expectation failed: (f(n) → 3) == 2", "f(n)", "3", "2", "2"),
    ("Expectation failed: (name → \"Ada \"L\"\") == \"Bob\"", "name", "\"Ada \"L\"\"", "\"Bob\"", "\"Bob\""),
    (
      "Expectation failed: (p → P(a: \"x\", b: 1)) == P(a: \"y\", b: 1)", "p", "P(a: \"x\", b: 1)",
      "P(a: \"y\", b: 1)", "P(a: \"y\", b: 1)"
    ),
    ("Expectation failed: 3 == (o → nil)", "3", "3", "o", "nil"),
    (
      "Expectation failed: (t → \"l1\nl2\") == (\"l1\\nlX\" → \"l1\nlX\")", "t", "l1\nl2", "\"l1\\nlX\"",
      "l1\nlX"
    ),
  ])
  func anExpectationIsReadAsTwoValues(
    text: String, leftLabel: String, left: String, rightLabel: String, right: String
  ) {
    #expect(
      FailureMessage(text)
        == .comparison(
          .init(
            headline: "Expectation failed: \(leftLabel) == \(rightLabel)",
            left: .init(label: leftLabel, value: left), right: .init(label: rightLabel, value: right),
            note: nil)))
  }

  @Test func whatFollowsAnExpectationIsItsNote() {
    let text = "Expectation failed: (a → [1, 2]) == (b → [1, 3])\ninserted [2], removed [3]\nof two lines"
    #expect(FailureMessage(text).difference?.note == "inserted [2], removed [3]\nof two lines")
  }

  @Test func aPrintedDifferenceKeepsItsSigns() throws {
    let figure = "\u{2007}"
    let text = """
      Difference: …

        \(figure) User(
        \(figure)   id: 1,
        −   name: "Blob",
        +   name: "Blob Jr.",
        \(figure) )

      (First: −, Second: +)

      a note
      """
    let difference = try #require(FailureMessage(text).difference)
    #expect(difference.headline == "Difference: …")
    #expect(difference.lines.map(\.kind) == [.same, .same, .removed, .added, .same])
    #expect(
      difference.lines.map(\.text) == [
        "User(", "  id: 1,", "  name: \"Blob\",", "  name: \"Blob Jr.\",", ")",
      ])
    #expect(difference.lines[3].spans.filter(\.isChanged).map(\.text) == [" Jr."])
    #expect([difference.leftLabel, difference.rightLabel, difference.note] == ["First", "Second", "a note"])
  }
}
