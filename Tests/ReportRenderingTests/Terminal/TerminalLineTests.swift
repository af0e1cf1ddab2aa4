import Testing

@testable import ReportRendering

/// Lines in parts, and how a command prints them.
@Suite struct TerminalLineTests {
  private var line: TerminalLine {
    var line = TerminalLine("one two ", .strong)
    line.add("three 日本語 four")
    return line
  }

  @Test func aLineIsCutAtTheTerminalsEdge() {
    #expect(line.cut(toWidth: nil) == line && line.cut(toWidth: 25) == line)
    #expect(line.cut(toWidth: 24).text == "one two three 日本語 fo…")
    #expect(line.cut(toWidth: 8).text == "one two…")
    #expect((1...30).allSatisfy { line.cut(toWidth: $0).width <= $0 })
  }

  @Test func aSentenceIsWrappedBetweenWords() {
    #expect(line.wrapped(toWidth: 14, indent: 2).map(\.text) == ["one two three ", "  日本語 four"])
    #expect(line.wrapped(toWidth: 5).map(\.text) == ["one ", "two ", "three ", "日本", "語 ", "four"])
    #expect(
      (4...30).allSatisfy { width in
        line.wrapped(toWidth: width, indent: 2).allSatisfy { $0.printed(isColoured: false).count <= width }
      })
  }

  @Test func coloursStandAroundTheirParts() {
    #expect(line.printed(isColoured: true) == "\u{1B}[1mone two \u{1B}[0mthree 日本語 four")
    #expect(TerminalLine("a  ").printed(isColoured: false) == "a")
  }

  @Test func nothingThatATerminalOrACIObeysIsPrinted() {
    let hostile = TerminalLine("  ::error::a\u{1B}[2J\nb\u{202E}##[c]", .odd)
    #expect(hostile.printed(isColoured: false) == "  \\::error::a⟨ESC⟩[2J⏎b⟨U+202E⟩# #[c]")
  }

  @Test func coloursAreForTerminalsUnlessToldOtherwise() {
    func settings(_ colours: TerminalSettings.Colours, _ environment: [String: String], _ width: Int?) -> Bool
    {
      TerminalSettings(colours, environment: environment, terminalWidth: width).isColoured
    }
    #expect(settings(.auto, [:], 80) && settings(.auto, ["NO_COLOR": ""], 80))
    #expect(
      !settings(.auto, [:], nil) && !settings(.auto, ["NO_COLOR": "1"], 80)
        && !settings(.auto, ["TERM": "dumb"], 80))
    #expect(settings(.always, ["NO_COLOR": "1"], nil) && !settings(.never, [:], 80))
  }

  @Test func theWidthIsTheUsersThenTheTerminals() {
    func width(_ environment: [String: String], _ terminal: Int?) -> Int? {
      TerminalSettings(.auto, environment: environment, terminalWidth: terminal).width
    }
    #expect(width([:], 132) == 132 && width(["COLUMNS": "100"], 132) == 100 && width([:], 0) == 80)
    #expect(width(["COLUMNS": "100"], nil) == nil)
    #expect(width(["COLUMNS": "none"], 90) == 90 && width(["COLUMNS": "-1"], 90) == 90 && width([:], 3) == 20)
  }
}
