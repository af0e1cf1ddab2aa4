import Testing

@testable import ReportRendering

/// How many columns of a terminal a text takes.
@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1),
    ("⌚", 2), ("→…−", 3), ("⟨ESC⟩", 5), ("שלום", 4), ("\u{200B}", 0), ("กำ", 2), ("𠮷", 2),
  ])
  func widthsAreThoseOfCharacters(text: String, width: Int) {
    #expect(displayWidth(of: text) == width)
  }

  @Test func whatIsCutHasASignAtItsEnd() {
    #expect(fitted("abcdef", toWidth: 6) == "abcdef")
    #expect(fitted("abcdef", toWidth: 5) == "abcd…")
    #expect(fitted("日本語", toWidth: 5) == "日本…")
    #expect(fitted("日本語", toWidth: 4) == "日…")
    #expect(fitted("a👩‍👩‍👧b", toWidth: 2) == "a…")
    #expect(fitted("abc", toWidth: 1) == "…" && fitted("abc", toWidth: 0) == "")
  }

  @Test func aCharacterWithThousandsOfMarksTakesOneColumn() {
    let text = "a" + String(repeating: "\u{301}", count: 5000)
    #expect(displayWidth(of: text) == 1 && fitted(text, toWidth: 1) == text)
  }
}
