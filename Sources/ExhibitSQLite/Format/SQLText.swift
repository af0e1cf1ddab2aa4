import ExhibitSystem

/// Quotes any name, text or path for SQL and SQLite's URIs.
package enum SQLText {
  package static func name(_ name: String) -> String { quoted(name, "\"") }

  package static func text(_ text: String) -> String { quoted(text, "'") }

  /// Quotes by scalars: a quotation mark with a combining character is another `Character`.
  private static func quoted(_ text: String, _ mark: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      if scalar == mark { quoted.append(mark) }
      quoted.append(scalar)
    }
    quoted.append(mark)
    return String(quoted)
  }

  /// A `file:` URI of any path.
  ///
  /// - Parameter parameters: Such as `immutable=1`.
  ///
  /// Source: https://www.sqlite.org/uri.html, section 3.
  package static func uri(of path: String, _ parameters: String) -> String {
    // Two slashes precede an authority, which may be empty.
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
