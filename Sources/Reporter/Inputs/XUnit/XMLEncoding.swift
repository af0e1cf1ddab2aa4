import Foundation

/// What has to be known of an XML file's encoding before a parser may see it.
enum XMLEncoding {
  /// The bytes as UTF-8 where they are UTF-16 or Latin-1, else as they are.
  static func utf8(_ bytes: Data) -> Data {
    let head = [UInt8](bytes.prefix(2))
    if head == [0xFE, 0xFF] || head == [0xFF, 0xFE] || head.contains(0) {
      guard let text = String(data: bytes, encoding: .utf16) else { return bytes }
      return Data(text.utf8)
    }
    guard declared(in: bytes) == "iso-8859-1", let text = String(data: bytes, encoding: .isoLatin1) else {
      return bytes
    }
    return Data(text.utf8)
  }

  /// Whether the parser must not see the bytes as they are: they declare a document type, or another encoding.
  static func needsRepair(_ bytes: Data) -> Bool {
    let encoding = declared(in: bytes)
    guard encoding == nil || encoding == "utf-8" else { return true }
    return bytes.range(of: Data("<!DOCTYPE".utf8)) != nil || bytes.range(of: Data("<!ENTITY".utf8)) != nil
  }

  /// The encoding that the XML declaration names, in lower case.
  private static func declared(in bytes: Data) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard head.contains("<?xml"), let declaration = head.split(separator: "?>").first,
      let name = declaration.firstRange(of: "encoding=")
    else { return nil }
    let value = declaration[name.upperBound...].dropFirst()
    return value.prefix { $0 != "\"" && $0 != "'" }.lowercased()
  }
}
