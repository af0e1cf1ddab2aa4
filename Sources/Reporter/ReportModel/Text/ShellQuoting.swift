/// Quotes a text as one word of a POSIX shell.
package func shellQuoted(_ text: String) -> String {
  "'" + text.pieces(separatedBy: "'").joined(separator: #"'\''"#) + "'"
}

package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0.isDigit || $0.isLetter || "-_./~".utf8.contains($0) }
  return isPlain && !text.isEmpty && !text.hasPrefix("~") ? text : shellQuoted(text)
}
