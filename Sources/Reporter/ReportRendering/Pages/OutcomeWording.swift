import ReportModel

func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

extension Outcome {
  var word: String { self == .knownIssue ? "Known issue" : capitalized(rawValue) }

  /// A symbol, so that colour is not needed.
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

  package func phrase(_ count: Int) -> String {
    self == .knownIssue ? counted(count, "known issue") : "\(grouped(count)) \(word.lowercased())"
  }

  /// Values for template `outcome`.
  var values: TemplateValues { ["style": rawValue, "word": word, "symbol": symbol] }
}
