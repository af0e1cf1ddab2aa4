/// Meanings shown by colours.
enum TerminalStyle: Sendable {
  case plain, strong, soft, failed, good, added, removed, changed, odd

  /// Adds the escape sequences of the terminal theme's colours.
  ///
  /// Source: ECMA-48, 8.3.117 (select graphic rendition).
  func applied(to text: String, isColoured: Bool) -> String {
    guard isColoured, !text.isEmpty, let code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private var code: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .soft: "2"
    case .failed: "1;31"
    case .good, .added: "32"
    case .removed: "31"
    case .changed: "33"
    case .odd: "35"
    }
  }
}
