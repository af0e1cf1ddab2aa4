import Testing

@testable import Reporter

/// What terminals colour is coloured in the report, in its own palette.
@Suite struct TerminalTextTests {
  @Test func coloursAndEmphasisBecomeClasses() {
    #expect(
      runs("plain \u{1B}[1;31mred\u{1B}[22m thin\u{1B}[0m \u{1B}[4;94mblue\u{1B}[m") == [
        "plain ", "red|ansi-1 ansi-bold", " thin|ansi-1", " ", "blue|ansi-12 ansi-underline",
      ])
  }

  @Test(arguments: [
    ("38;5;196", "ansi-9"), ("38;5;28", "ansi-2"), ("38;5;240", "ansi-8"), ("38;5;4", "ansi-4"),
    ("38;2;255;165;0", "ansi-11"), ("38:2::0:90:90", "ansi-6"), ("38:5:13", "ansi-13"), ("97", "ansi-15"),
    ("48;5;21", "ansi-on-12"), ("41", "ansi-on-1"), ("31;7", "ansi-on-1"), ("31;42", "ansi-on-2"),
    ("2", "ansi-8"), ("9", "ansi-strike"), ("3", "ansi-italic"),
  ])
  func everyKindOfColourHasItsNearestOfThePalette(parameters: String, classes: String) {
    #expect(runs("\u{1B}[\(parameters)mtext") == ["text|\(classes)"])
  }

  @Test(arguments: [
    "38;5", "38;2;1;2", "38;5;999", "38;2;300;0;0", "38", ";;;", "1000", ">4;1", "38:2", "48;9",
  ])
  func whatIsNoColourColoursNothing(parameters: String) {
    #expect(runs("\u{1B}[\(parameters)mtext") == ["text"])
  }

  @Test func otherSequencesAreLeftOut() {
    let text =
      "\u{1B}[2Ka\u{1B}[1;2Hb\u{1B}]0;title\u{7}c\u{1B}]8;;https://e.org\u{1B}\\link\u{1B}]8;;\u{1B}\\\u{1B}(B\u{1B}7d"
    #expect(runs(text) == ["abclinkd"])
    #expect(withoutTerminalColors(text) == "abclinkd")
  }

  @Test(arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[31", "a\u{1B}]0;never ends\nb", "\u{1B}[31é"])
  func whatIsNotCompleteStays(text: String) {
    #expect(withoutTerminalColors(text) == text)
  }

  @Test func aTextOfColoursAloneStaysBounded() {
    let text = (0..<100_000).map { "\u{1B}[3\($0 % 7)mx" }.joined()
    #expect(TerminalText(text).runs.count < 5000)
    #expect(TerminalText(text).plain.count == 100_000)
  }

  private func runs(_ text: String) -> [String] {
    TerminalText(text).runs.map { run in run.style.map { "\(run.text)|\($0)" } ?? run.text }
  }
}
