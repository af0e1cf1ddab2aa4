import Foundation
import ReportModel

/// Converts XML files to UTF-8; names are those of `iconv`.
enum XMLEncoding {
  static func converted(_ file: LoadedFile, _ repairs: inout Set<XMLRepair>) -> LoadedFile {
    let text: String?
    if let kind = utf16(file.bytes) {
      let characters = units(file.bytes, isBigEndian: kind == "UTF-16BE" || file.bytes.first == 0xFE)
      let valid = file.bytes.count % 2 == 0 ? String(validating: characters, as: UTF16.self) : nil
      if valid == nil { repairs.insert(.encoding) }
      text = valid ?? String(decoding: characters, as: UTF16.self)
    } else if let encoding = declared(in: file.bytes).flatMap({ encodings[$0.lowercased()] }),
      !file.bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) != nil })
    {
      text = String(data: file.bytes, encoding: encoding)
    } else {
      return file
    }
    guard let text else { return file }
    return LoadedFile(name: file.name, path: file.path, bytes: Data(text.utf8))
  }

  private static let encodings: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "latin-1": .isoLatin1, "windows-1252": .windowsCP1252,
    "cp1252": .windowsCP1252,
  ]

  private static func units(_ bytes: Data, isBigEndian: Bool) -> [UInt16] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 1, by: 2).map { place in
        let unit = raw.loadUnaligned(fromByteOffset: place, as: UInt16.self)
        return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
      }
    }
  }

  /// The kind of UTF-16, if any, by XML 1.0, appendix F.1.
  static func utf16(_ bytes: Data) -> String? {
    switch [UInt8](bytes.prefix(2)) {
    case [0xFE, 0xFF], [0xFF, 0xFE]: "UTF-16"
    case [0, .lessThan]: "UTF-16BE"
    case [.lessThan, 0]: "UTF-16LE"
    default: nil
    }
  }

  /// The declared encoding; `nil` for UTF-8, ASCII and UTF-16.
  ///
  /// A declaration in UTF-16 that can be read as ASCII is wrong.
  static func declared(in bytes: Data) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let match = head.prefixMatch(of: declaration) else { return nil }
    let name = String(match.1)
    let isUTF8 = name.lowercased().hasPrefix("utf") || name.lowercased().hasSuffix("ascii")
    return isUTF8 ? nil : name
  }

  static func conversion(from encoding: String, of file: String) -> String {
    "convert it to UTF-8: iconv -f \(encoding) -t UTF-8 \(shellQuoted(file)) > utf-8.xml"
  }

  /// Source: XML 1.0, productions 23 to 26, 80 and 81.
  private static var declaration: Regex<(Substring, Substring)> {
    /\u{FEFF}?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._\-]*)["']/
  }
}
