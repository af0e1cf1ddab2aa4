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

/// A code span in a cell of a table, where a bar would end the cell even inside code.
func codeSpanInCell(_ text: String) -> String {
  var result = ""
  for scalar in codeSpan(text).unicodeScalars {
    if scalar == "|" { result += "\\" }
    result.unicodeScalars.append(scalar)
  }
  return result
}

/// The text as a block of code whose fence is longer than any run of backticks inside.
func codeBlock(_ text: String, language: String = "text") -> String {
  let text = visible(text)
  let fence = String(repeating: "`", count: max(3, longestBacktickRun(text) + 1))
  return "\(fence)\(language)\n\(text)\n\(fence)\n"
}

/// The text inside a line of HTML, such as `<summary>`, marked as code so that nothing in it is read as markup.
func codeElement(_ text: String) -> String {
  "<code>\(htmlEscaped(visibleOnOneLine(text)))</code>"
}

private let backtick = UInt8(ascii: "`")

private func longestBacktickRun(_ text: String) -> Int {
  var (longest, current) = (0, 0)
  for byte in text.utf8 {
    current = byte == backtick ? current + 1 : 0
    longest = max(longest, current)
  }
  return longest
}
