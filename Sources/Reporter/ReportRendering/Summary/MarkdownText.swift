import ReportModel

/// A code span, which GitHub and GitLab do not interpret.
///
/// CommonMark 0.31, 6.1: the fence is longer than runs of backticks inside, with separating spaces.
func codeSpan(_ text: String) -> String {
  let line = visibleOnOneLine(text)
  guard !line.allSatisfy(\.isWhitespace) else { return "(no text)" }
  let fence = String(repeating: "`", count: longestBacktickRun(line) + 1)
  let needsSpace =
    line.utf8.first == backtick || line.utf8.last == backtick || (line.first == " " && line.last == " ")
  return needsSpace ? "\(fence) \(line) \(fence)" : fence + line + fence
}

/// A sentence whose special words are code spans.
func prose(_ text: String) -> String {
  visibleOnOneLine(text).split(separator: " ", omittingEmptySubsequences: false).map { word in
    isPlain(word) ? String(word) : codeSpan(String(word))
  }.joined(separator: " ")
}

/// Joins text, separating adjacent code spans.
func joined(_ text: String, _ more: String) -> String {
  text.utf8.last == backtick && more.utf8.first == backtick ? text + " " + more : text + more
}

/// True for a word without any meaning in Markdown.
private func isPlain(_ word: Substring) -> Bool {
  let signs: Set<Character> = [".", ",", ";", "(", ")", "’", "“", "”", "…", "→", "×"]
  var core = word[...]
  if let last = core.last, last == ":" { core = core.dropLast() }
  let isText = core.allSatisfy { sign in
    signs.contains(sign) || sign.unicodeScalars.count == 1 && (sign.isLetter || sign.isNumber)
  }
  let letters = core.filter { !signs.contains($0) }
  // Commit hashes and addresses become links.
  let isHash = letters.count >= 7 && letters.allSatisfy(\.isHexDigit)
  return isText && !isHash && !core.lowercased().hasPrefix("www.")
}

/// A code span, linked if there is an address.
func linked(_ span: String, to address: String?) -> String {
  address.map { "[\(span)](<\($0)>)" } ?? span
}

/// A code block with a sufficient fence.
func codeBlock(_ text: String) -> String {
  let text = visible(text)
  let fence = String(repeating: "`", count: max(3, longestBacktickRun(text) + 1))
  return "\(fence)text\n\(text)\n\(fence)\n"
}

private let backtick = UInt8(ascii: "`")

private func longestBacktickRun(_ text: String) -> Int {
  text.utf8.split { $0 != backtick }.map(\.count).max() ?? 0
}
