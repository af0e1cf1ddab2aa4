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

/// A sentence whose special words are code spans, without the punctuation around them.
func prose(_ text: String) -> String {
  visibleOnOneLine(text).split(separator: " ", omittingEmptySubsequences: false).map { word in
    isPlain(word) ? String(word) : spanInSentence(word)
  }.joined(separator: " ")
}

/// Words of others as a code span, whose last full stop stands behind it.
func quoted(_ text: String) -> String {
  let end = text.lastIndex { !ends.contains($0) }.map(text.index(after:)) ?? text.startIndex
  let words = text[..<end]
  return words.allSatisfy(\.isWhitespace) ? codeSpan(text) : codeSpan(String(words)) + text[end...]
}

/// A sentence that goes on.
func withoutFullStop(_ sentence: String) -> String {
  sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}

private let ends: Set<Character> = [".", ",", ";", ":"]

private func spanInSentence(_ word: Substring) -> String {
  var core = word
  while let last = core.last, ends.contains(last) || "…”".contains(last) || last == ")" && closesMore(core) {
    core.removeLast()
  }
  let end = core.endIndex
  while let first = core.first, first == "“" || first == "(" && opensMore(core) { core.removeFirst() }
  guard !core.isEmpty else { return codeSpan(String(word)) }
  return word[..<core.startIndex] + codeSpan(String(core)) + word[end...]
}

private func closesMore(_ word: Substring) -> Bool { word.count { $0 == ")" } > word.count { $0 == "(" } }

private func opensMore(_ word: Substring) -> Bool { word.count { $0 == "(" } > word.count { $0 == ")" } }

/// Joins text, separating adjacent code spans.
func joined(_ text: String, _ more: String) -> String {
  text.utf8.last == backtick && more.utf8.first == backtick ? text + " " + more : text + more
}

/// True for a word that has no meaning in Markdown, and is no name of code.
private func isPlain(_ word: Substring) -> Bool {
  var core = word.last == ":" ? word.dropLast() : word
  if "+−".contains(core.first ?? " "), core.dropFirst().first?.isNumber == true { core.removeFirst() }
  let text = joinsLetters(core) ? core.filter { $0 != "-" } : String(core)
  let letters = text.filter { !signs.contains($0) }
  // Commit hashes and addresses become links.
  let isHash = letters.count >= 7 && letters.allSatisfy(\.isHexDigit)
  return letters.allSatisfy { $0.unicodeScalars.count == 1 && ($0.isLetter || $0.isNumber) } && !isHash
    && !isQualified(core) && !core.lowercased().hasPrefix("www.")
}

private let signs: Set<Character> = [".", ",", ";", "(", ")", "’", "“", "”", "…", "→", "×", "·"]

/// True where each hyphen stands between letters.
private func joinsLetters(_ word: Substring) -> Bool {
  let parts = word.split(separator: "-", omittingEmptySubsequences: false)
  return zip(parts, parts.dropFirst()).allSatisfy { $0.last?.isLetter == true && $1.first?.isLetter == true }
}

/// True for `order.total`, and for no number.
private func isQualified(_ word: Substring) -> Bool {
  let parts = word.split(separator: ".", omittingEmptySubsequences: false)
  return zip(parts, parts.dropFirst()).contains { $0.last?.isLetter == true && $1.first?.isLetter == true }
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
