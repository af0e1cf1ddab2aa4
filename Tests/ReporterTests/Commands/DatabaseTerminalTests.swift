import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// What `reporter inspect` and `reporter diff` print on terminals of several widths, and into a pipe.
@Suite struct DatabaseTerminalTests {
  private let shop: ShopDatabases
  private static let invocations = [
    "inspect": "inspect shop.sqlite", "table": "inspect shop.sqlite --table order",
    "diff": "diff shop.sqlite later.sqlite",
  ]

  init() throws {
    shop = try ShopDatabases()
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "needs a terminal"), arguments: invocations.keys.sorted(),
    [40, 80, 120])
  func aTerminalIsFilledAndNoLineWrapped(name: String, columns: Int) throws {
    let result = try shop.onTerminal(columns, Self.invocations[name] ?? "", environment: ["NO_COLOR": "1"])
    #expect(!result.output.contains("\u{1B}"))
    #expect(textLines(of: result.output).allSatisfy { displayWidth(of: String($0)) <= columns })
    try Golden.expect(ReportFile(path: "\(name)-\(columns).txt", text: result.output), in: "databases")
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs a terminal"), arguments: invocations.keys.sorted())
  func coloursChangeNothingElse(name: String) throws {
    let coloured = try shop.onTerminal(80, Self.invocations[name] ?? "")
    let plain = try shop.onTerminal(80, Self.invocations[name] ?? "", environment: ["NO_COLOR": "1"])
    #expect(coloured.output != plain.output && withoutColours(coloured.output) == plain.output)
    try Golden.expect(ReportFile(path: "\(name)-80-colours.txt", text: coloured.output), in: "databases")
  }

  @Test(arguments: invocations.keys.sorted()) func whatGoesIntoAPipeIsNotCut(name: String) throws {
    let arguments = (Self.invocations[name] ?? "").split(separator: " ").map(String.init)
    let result = try ReporterProcess.run(arguments, in: shop.folder.path, environment: ["COLUMNS": "40"])
    try Golden.expect(ReportFile(path: "\(name)-pipe.txt", text: result.output), in: "databases")
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs a terminal"))
  func coloursCanBeAskedFor() throws {
    #expect(
      try shop.run("inspect", "shop.sqlite", "--color", "always").output.contains(
        "\u{1B}[1mshop.sqlite\u{1B}[0m"))
    #expect(try !shop.onTerminal(80, "inspect shop.sqlite --color never").output.contains("\u{1B}"))
    #expect(
      try !shop.onTerminal(80, "diff shop.sqlite later.sqlite", environment: ["TERM": "dumb"]).output
        .contains("\u{1B}"))
    #expect(try shop.run("inspect", "shop.sqlite", "--color", "sometimes").status == 64)
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "needs a terminal"),
    arguments: [
      "inspect shop.sqlite", "diff shop.sqlite later.sqlite --rows 100", "inspect later.sqlite --table order",
    ])
  func nothingThatATerminalObeysComesFromADatabase(arguments: String) throws {
    for columns in [40, 80, 300] {
      let text = withoutColours(try shop.onTerminal(columns, arguments).output)
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202E })
      #expect(!text.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("::") })
    }
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "needs a terminal"),
    arguments: ["inspect shop.sqlite --no-rows", "diff shop.sqlite later.sqlite --no-rows"])
  func withoutRowsNoValueIsPrinted(arguments: String) throws {
    for more in ["", " --json"] {
      let output = try shop.onTerminal(120, arguments + more).output
      for value in ["Ada", "paid", "please", "2024", "89504e"] {
        #expect(!output.contains(value), "\(value)")
      }
      #expect(output.contains("order"))
    }
  }
}
