import Foundation

/// `docs/artifacts-format.md`, by its headings.
struct FormatDocument {
  private let lines: [Substring]

  init() throws {
    let file = ThisPackage.file("docs/artifacts-format.md")
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  /// The section below a heading, up to the next one.
  func section(_ heading: String) throws -> Section {
    guard let start = lines.firstIndex(where: { $0 == heading }) else {
      throw MissingSection(heading: heading)
    }
    return Section(lines: Array(lines[(start + 1)...].prefix { !$0.hasPrefix("#") }))
  }

  struct MissingSection: Error {
    var heading: String
  }

  struct Section {
    var lines: [Substring]

    /// Everything that stands between backticks.
    var words: Set<String> { Set(lines.flatMap(Self.words)) }

    /// What the tables have in their first column.
    var keys: Set<String> {
      Set(
        lines.filter { $0.hasPrefix("| `") }.flatMap { Self.words(in: $0.dropFirst(2).prefix { $0 != "|" }) })
    }

    private static func words(in line: Substring) -> [String] {
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }
}
