import ReportModel

/// A text with a capital letter at its beginning.
func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

extension Outcome {
  /// The word at the beginning of a line.
  var word: String { self == .knownIssue ? "Known issue" : capitalized(rawValue) }

  /// A sign beside the word, so that nothing is told by colour alone.
  package var symbol: String {
    switch self {
    case .crashed: "!"
    case .failed: "✗"
    case .unfinished: "…"
    case .knownIssue: "~"
    case .skipped: "–"
    case .passed: "✓"
    }
  }

  /// The words with a number: `2 skipped`.
  package func phrase(_ count: Int) -> String {
    self == .knownIssue ? counted(count, "known issue") : "\(grouped(count)) \(word.lowercased())"
  }

  /// The values for the template `outcome`; `rawValue` is the name of its style.
  var values: TemplateValues { ["style": rawValue, "word": word, "symbol": symbol] }
}
