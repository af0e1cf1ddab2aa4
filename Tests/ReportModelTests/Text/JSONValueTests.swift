import Foundation
import Testing

@testable import Collector
@testable import ReportTestSupport

/// JSON that anybody may have written.
@Suite struct JSONValueTests {
  private func read(_ text: String) -> JSONValue? { read(Data(text.utf8)) }

  private func read(_ bytes: Data) -> JSONValue? {
    bytes.withUnsafeBytes { JSONValue($0.bindMemory(to: UInt8.self)) }
  }

  @Test func everyKindOfValueIsRead() throws {
    let value = try #require(read(#" { "a" : [1, -2.5e2, true, null, "x\n\u00e9\ud83d\ude00\\"], "b":{} } "#))
    #expect(
      value["a"]
        == .array([.integer(1), .number(-250), .bool(true), .null, .string("x\né😀\\")]))
    #expect(value["b"] == .object([]) && value["c"] == nil)
  }

  @Test func integersAreExact() {
    #expect(read("9223372036854775807") == .integer(.max) && read("-9223372036854775808") == .integer(.min))
    #expect(read("9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(read("1.0") == .number(1) && read("-0") == .integer(0))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "1.", "-", "+1", "nul", "\"", "\"\\x\"", "\"\\u12\"",
    "\"\u{1}\"",
    "[1] 2", "1e", ".5", "{\"a\":1,}", "\u{FEFF}1",
  ])
  func whatIsNoJSONIsNotRead(text: String) {
    #expect(read(text) == nil)
  }

  @Test func halvesOfPairsAndBytesThatAreNoTextAreReplaced() {
    #expect(read(#""\ud800x\udc00""#) == .string("\u{FFFD}x\u{FFFD}"))
    #expect(read(Data([0x22, 0xFF, 0x22])) == .string("\u{FFFD}"))
  }

  @Test func nestingHasALimit() {
    #expect(read(String(repeating: "[", count: 16) + String(repeating: "]", count: 16)) != nil)
    #expect(read(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func anotherReaderAgreesOnMutatedTexts() throws {
    let seed = Data(#"{"a":[1,2.5,{"b":"c\nd"}],"e":null,"f":true,"g":-12,"h":"é"}"#.utf8)
    var mutation = Mutation(seed: 7)
    var count = 0
    for _ in 0..<3000 {
      let text = mutation.mutated(seed, with: [seed])
      // What is read must be JSON for another reader too; of bytes that are no UTF-8 that one reads nothing.
      guard read(text) != nil, String(validating: text, as: UTF8.self) != nil else { continue }
      count += 1
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
      }
    }
    #expect(count > 20)
  }
}
