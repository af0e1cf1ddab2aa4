/// Quotes a text as one word of a POSIX shell, in single quotes.
package func shellQuoted(_ text: String) -> String {
  if !text.utf8.contains(UInt8(ascii: "'")) { return "'\(text)'" }
  var result = "'"
  for scalar in text.unicodeScalars {
    if scalar == "'" {
      result += #"'\''"#
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}
