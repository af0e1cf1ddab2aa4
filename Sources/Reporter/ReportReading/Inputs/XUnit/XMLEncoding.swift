import Foundation
import ReportModel

/// Detects XML files that are not in UTF-8, as which all are read; names are as `iconv` takes them.
enum XMLEncoding {
  /// The kind of UTF-16; `nil` for an encoding in single bytes.
  ///
  /// Source: XML 1.0, appendix F.1: byte order marks, and the first bytes of a file without one.
  static func utf16(_ bytes: Data) -> String? {
    switch [UInt8](bytes.prefix(2)) {
    case [0xFE, 0xFF], [0xFF, 0xFE]: "UTF-16"
    case [0, .lessThan]: "UTF-16BE"
    case [.lessThan, 0]: "UTF-16LE"
    default: nil
    }
  }

  /// The encoding in the XML declaration; `nil` for none, UTF-8 or ASCII, which is part of UTF-8.
  ///
  /// It is also `nil` for UTF-16, because a declaration of it in single bytes is wrong.
  static func declared(in bytes: Data) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let match = head.prefixMatch(of: declaration) else { return nil }
    let name = String(match.1)
    let isUTF8 = name.lowercased().hasPrefix("utf") || name.lowercased().hasSuffix("ascii")
    return isUTF8 ? nil : name
  }

  /// The command that makes a file readable.
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
