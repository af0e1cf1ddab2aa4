import Foundation
import TestSupport

/// Changes files at random, the same way for the same seed.
struct Mutation {
  /// Numbers that an input can hold at the most.
  static let extremes = [
    "9223372036854775807", "9223372036854775806", "-9223372036854775808", "18446744073709551615",
    "18446744073709551616", "2147483647", "-2147483648", "4294967296", "0", "-1", "1e308", "-1e308",
    "1.7976931348623157e308", "5e-324", "1e999", "-0.0", "1e19", "9007199254740993", "1e11", "99999999999",
  ]

  private var numbers: SeededGenerator

  init(seed: UInt64) {
    numbers = SeededGenerator(seed: seed)
  }

  /// One to eight changes: bytes flipped, removed, repeated, cut off, or replaced by what breaks formats; numbers by the
  /// most extreme ones.
  mutating func mutated(_ bytes: Data, with others: [Data]) -> Data {
    var bytes = [UInt8](bytes)
    for _ in 0...below(8) where !bytes.isEmpty { change(&bytes, others) }
    return Data(bytes)
  }

  private static let tokens = [
    "<", ">", "\"", "'", "&", "&#0;", "&#x110000;", "]]>", "<![CDATA[", "<!--", "<!DOCTYPE a [",
    "</testsuite>",
    "<testcase>", "`", "\\", "{", "}", "[", "null", "-1", "1e999", "\u{0}", "\n", "\u{FEFF}", "\\ud800",
    "../",
  ].map { Array($0.utf8) }

  private mutating func change(_ bytes: inout [UInt8], _ others: [Data]) {
    let position = below(bytes.count)
    let range = position..<min(bytes.count, position + 1 + below(64))
    switch below(9) {
    case 0: bytes[position] = UInt8(truncatingIfNeeded: next())
    case 1: bytes.removeSubrange(range)
    case 2: bytes.insert(contentsOf: bytes[range], at: below(bytes.count))
    case 3: bytes.removeSubrange(position...)
    case 4: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: position)
    case 5: bytes.replaceSubrange(range, with: Self.tokens[below(Self.tokens.count)])
    case 6, 7:
      let extreme = Mutation.extremes[below(Mutation.extremes.count)]
      bytes.replaceSubrange(Self.number(in: bytes, at: position) ?? range, with: extreme.utf8)
    default:
      let other = others[below(others.count)]
      bytes.insert(contentsOf: other.prefix(below(4096)), at: position)
    }
  }

  /// Where the digits of the next number are.
  private static func number(in bytes: [UInt8], at position: Int) -> Range<Int>? {
    let isDigit: (UInt8) -> Bool = { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard let start = bytes[position...].firstIndex(where: isDigit) else { return nil }
    return start..<(bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count)
  }

  private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  private mutating func next() -> UInt64 { numbers.next() }
}
