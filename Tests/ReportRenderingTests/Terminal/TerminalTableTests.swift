import Testing

@testable import ReportRendering

/// Values in, lines of a terminal out.
@Suite struct TerminalTableTests {
  private static let titles = ["id", "name", "city", "joined", "state"]
  private static let rows: [[TerminalTable.Cell]] = [
    [
      .init("1", isNumber: true), .init("渋沢 栄一"), .init("Fukaya in Saitama"), .init("2024-05-01"),
      .init("new"),
    ],
    [
      .init("1234", isNumber: true), .init("Zoë 👩‍🚀"), .init("NULL", .soft), .init("2024-05-02"), .init("paid"),
    ],
  ]

  private func text(_ width: Int?) -> [String] {
    TerminalTable(titles: Self.titles, rows: Self.rows).lines(width: width, indent: 2).map {
      $0.printed(isColoured: false)
    }
  }

  @Test func columnsAreAlignedByWhatTheyTakeOnTheScreen() {
    #expect(
      text(nil) == [
        "    id  name       city               joined      state",
        "  ────  ─────────  ─────────────────  ──────────  ─────",
        "     1  渋沢 栄一  Fukaya in Saitama  2024-05-01  new",
        "  1234  Zoë 👩‍🚀     NULL               2024-05-02  paid",
      ])
  }

  @Test func longValuesAreCutFirst() {
    #expect(text(52)[2] == "     1  渋沢 栄一  Fukaya in Sai…  2024-05-01  new")
  }

  @Test func columnsInTheMiddleAreLeftOutWhereThereIsNoRoom() {
    #expect(
      text(40) == [
        "    id  name       city         …  state",
        "  ────  ─────────  ───────────  ─  ─────",
        "     1  渋沢 栄一  Fukaya in …  …  new",
        "  1234  Zoë 👩‍🚀     NULL         …  paid",
      ])
    #expect(TerminalTable(titles: Self.titles, rows: Self.rows).omittedColumns(width: 40, indent: 2) == 1)
    #expect(text(20)[2] == "     1  渋沢 栄一  …")
  }

  @Test(arguments: 1...100) func noLineIsWiderThanTheTerminal(width: Int) {
    let hostile =
      Self.rows + [
        Self.titles.indices.map { .init(String(repeating: "日\u{1B}[2J", count: 10 * $0)) },
        [.init("short row")],
      ]
    let lines = TerminalTable(titles: Self.titles, rows: hostile).lines(width: max(6, width), indent: 2)
    #expect(lines.allSatisfy { $0.width <= max(6, width) })
  }

  @Test func numbersAreNotCutWhereTextsCanBe() {
    let table = TerminalTable(
      titles: ["n", "t"],
      rows: [[.init("-9223372036854775808", isNumber: true), .init(String(repeating: "x", count: 80))]])
    #expect(
      table.lines(width: 40, indent: 0).last?.text == "-9223372036854775808  "
        + String(repeating: "x", count: 17) + "…")
  }

  @Test func withoutRowsOrColumnsThereIsLittleToPrint() {
    #expect(TerminalTable(titles: ["a"], rows: []).lines(width: 40, indent: 0).map(\.text) == ["a", "─"])
    #expect(TerminalTable(rows: []).lines(width: 40, indent: 0).isEmpty)
  }
}
