/// Quotes a text as one word of a POSIX shell, in single quotes.
package func shellQuoted(_ text: String) -> String {
  "'" + text.pieces(separatedBy: "'").joined(separator: #"'\''"#) + "'"
}
