import Foundation

/// What has to be known of an XML file's encoding before it is read as UTF-8.
enum XMLEncoding {
  /// The bytes as UTF-8 where they are UTF-16, Latin-1 or Windows' form of it, else as they are.
  static func utf8(_ bytes: Data) -> Data {
    let head = [UInt8](bytes.prefix(2))
    let encoding: String.Encoding? =
      if head == [0xFE, 0xFF] || head == [0xFF, 0xFE] || head.contains(0) {
        .utf16
      } else {
        switch declared(in: bytes) {
        case "iso-8859-1", "latin1": .isoLatin1
        case "windows-1252", "cp1252": .windowsCP1252
        default: nil
        }
      }
    guard let encoding, let text = String(data: bytes, encoding: encoding) else { return bytes }
    return Data(text.utf8)
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
