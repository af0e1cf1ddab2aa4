import ExhibitSystem

/// A file name made of any text, of at most 120 bytes of `A-Z a-z 0-9 . _ -` without a dot first.
///
/// A changed text ends with its hash.
package struct SafeName: Hashable, Sendable, CustomStringConvertible {
  package static let maximumLength = 120
  private static let hashLength = 8

  package let description: String

  /// - Parameter keepsExtension: True to put the hash before the extension.
  package init(_ text: String, keepsExtension: Bool = false) {
    let suffix = keepsExtension ? Self.fileExtension(of: text) : ""
    let text = text.dropLast(suffix.utf8.count)
    let limit = Self.maximumLength - suffix.utf8.count
    var bytes = text.utf8.map { Self.isAllowed($0) ? $0 : UInt8(ascii: "-") }
    if bytes.first == UInt8(ascii: ".") { bytes[0] = UInt8(ascii: "-") }
    if bytes.isEmpty || bytes.count > limit || !bytes.elementsEqual(text.utf8) {
      bytes = Array(bytes.prefix(limit - Self.hashLength - 1))
      bytes.append(UInt8(ascii: "-"))
      bytes.append(contentsOf: StableHash(String(text)).hexadecimal.prefix(Self.hashLength).utf8)
    }
    description = String(decoding: bytes, as: UTF8.self) + suffix
  }

  /// With its dot; empty when long or unsafe.
  package static func fileExtension(of text: String) -> String {
    guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
    let suffix = text[dot...].utf8
    let isSafe = suffix.dropFirst().allSatisfy { isAllowed($0) && $0 != UInt8(ascii: ".") }
    return isSafe && (2...12).contains(suffix.count) ? String(text[dot...]) : ""
  }

  /// `same-2.txt` for 2; the name itself for 1.
  package static func numbered(_ name: String, _ number: Int) -> String {
    let suffix = fileExtension(of: name)
    return number == 1 ? name : name.dropLast(suffix.utf8.count) + "-\(number)" + suffix
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension TestCaseID {
  package var folderName: SafeName {
    let shortName = name.hasSuffix("()") ? String(name.dropLast(2)) : name
    let names = ([module] + suite + [shortName]).joined(separator: ".")
    guard let argument else { return SafeName(names) }
    let repeated = argument.repetition.map { "-\($0)" } ?? ""
    return SafeName("\(names)-\(argument.description)\(repeated)")
  }
}
