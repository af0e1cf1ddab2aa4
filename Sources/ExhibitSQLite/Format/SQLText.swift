import ExhibitSystem

/// Names, texts and paths as SQL and SQLite's URIs write them, whatever they consist of.
package enum SQLText {
  /// A name in double quotes.
  package static func name(_ name: String) -> String { quoted(name, "\"") }

  /// A text in single quotes.
  package static func text(_ text: String) -> String { quoted(text, "'") }

  /// By scalars: with a combining character behind it a quotation mark is another `Character`.
  private static func quoted(_ text: String, _ mark: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      if scalar == mark { quoted.append(mark) }
      quoted.append(scalar)
    }
    quoted.append(mark)
    return String(quoted)
  }

  /// A `file:` URI in which no byte of the path means anything but itself.
  ///
  /// - Parameter parameters: The text after the question mark, such as `immutable=1`.
  ///
  /// Source: https://www.sqlite.org/uri.html, section 3.
  package static func uri(of path: String, _ parameters: String) -> String {
    // After two slashes follows the name of a computer, which may be empty.
    var uri = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += "%" + hexadecimal(CollectionOfOne(byte)).uppercased()
      }
    }
    return uri + "?" + parameters
  }
}
