/// The header of a tar entry.
///
/// Source: POSIX.1-2017, pax, "ustar Interchange Format".
struct TarHeader: Equatable {
  enum Kind: UInt8 {
    case file = 0x30
    case link = 0x31
    case folder = 0x35
    /// Extends the next header with long values.
    case extended = 0x78
  }

  static let size = 512
  static let longestName = 100
  static let largestFile = 0o777_7777_7777

  var kind: Kind
  var name: String
  var bytes = 0
  var target = ""

  init(_ kind: Kind, _ name: String, bytes: Int = 0, target: String = "") {
    (self.kind, self.name, self.bytes, self.target) = (kind, name, bytes, target)
  }

  /// `nil` for a damaged or unsupported header.
  init?(_ block: ArraySlice<UInt8>) {
    let block = Array(block)
    guard block.count == Self.size, Array(block[257..<262]) == Array("ustar".utf8),
      Self.number(block[148..<156]) == Self.sum(of: block), let kind = Kind(rawValue: max(0x30, block[156])),
      let bytes = Self.number(block[124..<136])
    else { return nil }
    let (name, prefix) = (Self.text(block[0..<100]), Self.text(block[345..<500]))
    guard let name, let prefix, let target = Self.text(block[157..<257]) else { return nil }
    self.init(kind, prefix.isEmpty ? name : "\(prefix)/\(name)", bytes: bytes, target: target)
  }

  var block: [UInt8] {
    var block = [UInt8](repeating: 0, count: Self.size)
    func put(_ text: String, at place: Int, most: Int) {
      for (index, byte) in text.utf8.prefix(most).enumerated() { block[place + index] = byte }
    }
    func put(_ number: Int, at place: Int, digits: Int) {
      let text = String(number, radix: 8)
      put(String(repeating: "0", count: max(0, digits - text.count)) + text, at: place, most: digits)
    }
    put(name, at: 0, most: Self.longestName)
    put(0o600, at: 100, digits: 7)
    for place in [108, 116] { put(0, at: place, digits: 7) }
    put(bytes, at: 124, digits: 11)
    put(0, at: 136, digits: 11)
    block[156] = kind.rawValue
    put(target, at: 157, most: Self.longestName)
    put("ustar", at: 257, most: 5)
    put("00", at: 263, most: 2)
    put(Self.sum(of: block), at: 148, digits: 6)
    block[155] = 0x20
    return block
  }

  /// The extended header for too long names, or nothing.
  var overflow: [UInt8] {
    let records = [("path", name), ("linkpath", target)].filter { $0.1.utf8.count > Self.longestName }
    let text = records.map { Self.record($0.0, $0.1) }.joined()
    guard !text.isEmpty else { return [] }
    return TarHeader(.extended, "extended", bytes: text.utf8.count).block + Self.padded(Array(text.utf8))
  }

  mutating func extend(_ text: [UInt8]) {
    var rest = text[...]
    while let space = rest.firstIndex(of: 0x20),
      let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
      length > space - rest.startIndex, length <= rest.count
    {
      let record = String(decoding: rest[(space + 1)..<(rest.startIndex + length)], as: UTF8.self)
      let parts = record.dropLast().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == "path" { name = String(parts[1]) }
      if parts.count == 2, parts[0] == "linkpath" { target = String(parts[1]) }
      rest = rest.dropFirst(length)
    }
  }

  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: padding(behind: bytes.count))
  }

  static func padding(behind bytes: Int) -> Int { (size - bytes % size) % size }

  /// A pax record begins with its own length.
  private static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while length != rest.utf8.count + String(length).utf8.count {
      length = rest.utf8.count + String(length).utf8.count
    }
    return "\(length)\(rest)"
  }

  /// The checksum counts its own field as spaces.
  private static func sum(of block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    text(field).flatMap { Int($0.split(separator: " ").first ?? "0", radix: 8) }.flatMap {
      $0 >= 0 ? $0 : nil
    }
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String? {
    String(validating: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
