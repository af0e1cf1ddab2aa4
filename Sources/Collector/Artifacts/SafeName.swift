import ExhibitSystem

/// A file name made from any text, which cannot leave its folder.
///
/// It consists of `A-Z a-z 0-9 . _ -`, does not begin with a dot, and has at most 120 bytes. If anything was changed,
/// it ends with a hash of the original, so that different texts keep different names.
package struct SafeName: Hashable, Sendable, CustomStringConvertible {
  package static let maximumLength = 120
  private static let hashLength = 8

  package let description: String

  /// - Parameter keepsExtension: True to put a hash before the file name extension.
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

  /// The extension with its dot; empty when it is long or not safe.
  package static func fileExtension(of text: String) -> String {
    guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
    let suffix = text[dot...].utf8
    let isSafe = suffix.dropFirst().allSatisfy { isAllowed($0) && $0 != UInt8(ascii: ".") }
    return isSafe && (2...12).contains(suffix.count) ? String(text[dot...]) : ""
  }

  /// Numbers a safe name before its extension: `same-2.txt`; 1 gives the name itself.
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
  /// The name of this test's evidence folder.
  package var folderName: SafeName {
    let shortName = name.hasSuffix("()") ? String(name.dropLast(2)) : name
    let names = ([module] + suite + [shortName]).joined(separator: ".")
    guard let argument else { return SafeName(names) }
    let repeated = argument.repetition.map { "-\($0)" } ?? ""
    return SafeName("\(names)-\(argument.description)\(repeated)")
  }
}
