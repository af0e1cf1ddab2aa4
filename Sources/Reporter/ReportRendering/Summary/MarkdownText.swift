import ReportModel

/// The text as a code span, in which GitHub and GitLab read no markup, mention, reference or address.
///
/// CommonMark 0.31, 6.1: the fence is longer than any run of backticks inside, and spaces keep the two apart.
func codeSpan(_ text: String) -> String {
  let line = visibleOnOneLine(text)
  guard !line.allSatisfy(\.isWhitespace) else { return "(no text)" }
  let fence = String(repeating: "`", count: longestBacktickRun(line) + 1)
  let needsSpace =
    line.utf8.first == backtick || line.utf8.last == backtick || (line.first == " " && line.last == " ")
  return needsSpace ? "\(fence) \(line) \(fence)" : fence + line + fence
}

/// A sentence in which every word that could be markup, a mention, a reference or an address is a code span.
func prose(_ text: String) -> String {
  visibleOnOneLine(text).split(separator: " ", omittingEmptySubsequences: false).map { word in
    isPlain(word) ? String(word) : codeSpan(String(word))
  }.joined(separator: " ")
}

/// Two pieces of a line one behind the other; code spans would run into each other without a space.
func joined(_ text: String, _ more: String) -> String {
  text.utf8.last == backtick && more.utf8.first == backtick ? text + " " + more : text + more
}

/// True when a word is text to every reader of Markdown: letters and digits, with signs that end a part of a sentence.
private func isPlain(_ word: Substring) -> Bool {
  let signs: Set<Character> = [".", ",", ";", "(", ")", "’", "“", "”", "…", "→", "×"]
  var core = word[...]
  if let last = core.last, last == ":" { core = core.dropLast() }
  let isText = core.allSatisfy { sign in
    signs.contains(sign) || sign.unicodeScalars.count == 1 && (sign.isLetter || sign.isNumber)
  }
  let letters = core.filter { !signs.contains($0) }
  // GitHub links hashes of commits, and both link what begins like an address.
  let isHash = letters.count >= 7 && letters.allSatisfy(\.isHexDigit)
  return isText && !isHash && !core.lowercased().hasPrefix("www.")
}

/// A code span that is a link where there is an address.
func linked(_ span: String, to address: String?) -> String {
  // The code that makes addresses leaves neither an angle bracket nor a space in them.
  address.map { "[\(span)](<\($0)>)" } ?? span
}

/// The text as a block of code whose fence is longer than any run of backticks inside.
func codeBlock(_ text: String) -> String {
  let text = visible(text)
  let fence = String(repeating: "`", count: max(3, longestBacktickRun(text) + 1))
  return "\(fence)text\n\(text)\n\(fence)\n"
}

private let backtick = UInt8(ascii: "`")

private func longestBacktickRun(_ text: String) -> Int {
  text.utf8.split { $0 != backtick }.map(\.count).max() ?? 0
}
