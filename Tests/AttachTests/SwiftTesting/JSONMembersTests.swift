import Foundation
import Testing

@testable import Attach

/// Records are scanned, not decoded: what is read of one is what a JSON decoder reads of it.
@Suite struct JSONMembersTests {
  @Test(arguments: [
    (#"{}"#, [:]),
    (#"{"a":1}"#, ["a": "1"]),
    (#"{"a":"b","c":true,"d":null,"e":-1.5e3}"#, ["a": #""b""#, "c": "true", "d": "null", "e": "-1.5e3"]),
    (#"{"a":{"b":{"a":1}},"c":[{"d":[1,2]},[]]}"#, ["a": #"{"b":{"a":1}}"#, "c": #"[{"d":[1,2]},[]]"#]),
    (#"{"a":"}],{[","b":"\",\\","c":"\\\""}"#, ["a": #""}],{[""#, "b": #""\",\\""#, "c": #""\\\"""#]),
    (
      "{\n  \"a\" : 12,\n  \"b\" : {\n    \"c\" : 3\n  },\n\t\"d\" : true\r\n}\n",
      ["a": "12", "b": "{\n    \"c\" : 3\n  }", "d": "true"]
    ),
  ]) func membersAreTheBytesOfTheirValues(object: String, members: [String: String]) {
    #expect(Self.members(of: object) == members)
  }

  @Test(arguments: [
    "", " ", "[1]", "1", #""a""#, "{", #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":""#, #"{"a":"\"#, "{,}", "{]",
  ])
  func whatIsNoObjectHasNoMembers(text: String) {
    #expect(Self.members(of: text).isEmpty)
  }

  @Test func aTruncatedObjectHasTheMembersBeforeItsEnd() {
    #expect(Self.members(of: #"{"a":1,"b":{"c":2"#) == ["a": "1"])
    #expect(Self.members(of: #"{"a":"x","b":"y"#) == ["a": #""x""#])
  }

  @Test(arguments: [
    ("[]", []), ("[ 1 , \"a,]\" ,{\"b\":[2]}]", ["1", #""a,]""#, #"{"b":[2]}"#]),
    ("[[1],[2]]", ["[1]", "[2]"]),
    ("[1", []), ("{}", []), ("", []),
  ]) func elementsAreTheBytesOfTheirValues(array: String, elements: [String]) {
    #expect(
      scan(array) { JSONMembers.elements(of: $0).map { $0.written } } == elements)
  }

  /// RFC 8259, section 7: every escape, those that JSONEncoder writes and those that it does not.
  @Test(arguments: [
    (#""""#, ""), (#""plain é 😀""#, "plain é 😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#""\u0000a\u001b[31m\u2028""#, "\u{0}a\u{1b}[31m\u{2028}"), (#""\ud83d\ude00""#, "😀"),
    (#""é\ud83d\ude00é""#, "é😀é"),
    // Half a pair, the other half first, and a pair of one half.
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
  ]) func stringsAreReadWithTheirEscapes(string: String, text: String) {
    #expect(scan(string) { $0.text } == text)
  }

  @Test func everyCharacterComesBackFromJSONEncoder() throws {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).lazy.filter { $0 < 0x3000 || $0 % 97 == 0 }
      .compactMap { Unicode.Scalar($0) }
    let text = String(String.UnicodeScalarView(scalars))
    let json = try String(decoding: JSONEncoder().encode(text), as: UTF8.self)
    #expect(scan(json) { $0.text } == text)
  }

  @Test(arguments: ["true", "12", "null", "{}", "\"", "", #""\uzzzz""#, #""\u+041""#, #""\u00""#])
  func otherValuesHaveNoText(value: String) {
    #expect(scan(value) { $0.text } == nil)
  }

  @Test(arguments: [
    ("12", 12), ("-3", -3), ("1.5", nil), ("99999999999999999999", nil), (#""1""#, nil), ("", nil),
  ])
  func integersAreRead(value: String, number: Int?) {
    #expect(scan(value) { $0.integer } == number)
  }

  private static func members(of object: String) -> [String: String] {
    scan(object) { bytes in
      JSONMembers(of: bytes).reduce(into: [:]) { members, member in
        members[member.name.written] = member.value.written
      }
    }
  }
}

private func scan<Result>(_ text: String, _ read: (JSONBytes) -> Result) -> Result {
  Array(text.utf8).withUnsafeBytes { read(JSONBytes($0)) }
}
