import Foundation
import ReportModel

/// What tells that an XML file is not in UTF-8, as which all are read; names are as `iconv` takes them.
enum XMLEncoding {
  /// Which UTF-16 a file is in; `nil` where it is in an encoding of bytes.
  ///
  /// Source: XML 1.0, appendix F.1: byte order marks, and what a file without one begins with.
  static func utf16(_ bytes: Data) -> String? {
    switch [UInt8](bytes.prefix(2)) {
    case [0xFE, 0xFF], [0xFF, 0xFE]: "UTF-16"
    case [0, .lessThan]: "UTF-16BE"
    case [.lessThan, 0]: "UTF-16LE"
    default: nil
    }
  }

  /// The encoding that the XML declaration names; `nil` where it names none, UTF-8 or ASCII, which UTF-8 includes.
  ///
  /// Whoever declares UTF-16 in a file of bytes is wrong: that is none either.
  static func declared(in bytes: Data) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let match = head.prefixMatch(of: declaration) else { return nil }
    let name = String(match.1)
    let isUTF8 = name.lowercased().hasPrefix("utf") || name.lowercased().hasSuffix("ascii")
    return isUTF8 ? nil : name
  }

  /// What makes a file readable.
  ///
  /// - Parameter file: The file's name.
  static func conversion(from encoding: String, of file: String) -> String {
    "convert it to UTF-8: iconv -f \(encoding) -t UTF-8 \(shellQuoted(file)) > utf-8.xml"
  }

  /// Source: XML 1.0, productions 23 to 26, 80 and 81.
  private static var declaration: Regex<(Substring, Substring)> {
    /\u{FEFF}?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._\-]*)["']/
  }
}
