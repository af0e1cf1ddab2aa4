import Testing

@testable import ReportModel

@Suite struct EscapingTests {
  @Test(arguments: [
    ("abcdefghij", 10, "abcdefghij"), ("abcdefghijk", 10, "abc … ijk"), ("äöüßáéíóúñç", 10, "äöü … úñç"),
    ("", 10, ""),
  ])
  func aLongTextKeepsItsBothEnds(text: String, length: Int, shown: String) {
    #expect(shortenedInside(text, to: length) == shown)
  }

  @Test func markupBecomesText() {
    #expect(htmlEscaped("<a href=\"x\">'&'</a>") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
  }

  @Test func aCombiningMarkHidesNoQuote() {
    let escaped = htmlEscaped("\"\u{301}>\u{301}<\u{20DD}'\u{308}")
    #expect(!escaped.utf8.contains { "\"<>'".utf8.contains($0) })
  }

  @Test(arguments: [
    ("\u{1B}[31m", "⟨ESC⟩[31m"), ("\u{0}", "⟨NUL⟩"), ("\u{7F}", "⟨DEL⟩"), ("a\r\nb", "a⟨CR⟩\nb"),
    ("\u{202E}gpj", "⟨U+202E⟩gpj"), ("\u{2067}", "⟨U+2067⟩"), ("\u{200B}", "⟨U+200B⟩"),
    ("\u{9B}", "⟨U+009B⟩"),
    ("\u{FEFF}", "⟨U+FEFF⟩"), ("\u{E0001}", "⟨U+E0001⟩"), ("a\tb\nc", "a\tb\nc"), ("é 日本 👩‍💻", "é 日本 👩‍💻"),
  ])
  func whatHidesIsShown(text: String, shown: String) {
    #expect(Array(visible(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test func oneLineStaysOneLine() {
    #expect(visibleOnOneLine("a\r\nb\tc\u{2028}d") == "a⟨CR⟩⏎b c⟨U+2028⟩d")
  }

  @Test func noScalarPassesUnseen() {
    // Every control, format and line-separating character is either kept on purpose or replaced.
    let kept: Set<UInt32> = [0x09, 0x0A, 0x200C, 0x200D]
    for value in (0..<0x3000 as Range<UInt32>) where !kept.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        #expect(visible(String(scalar)) != String(scalar), "U+\(String(value, radix: 16))")
      case .format where scalar.properties.isBidiControl:
        #expect(visible(String(scalar)) != String(scalar), "U+\(String(value, radix: 16))")
      default: break
      }
    }
  }
}
