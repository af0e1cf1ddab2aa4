import Collector
import Foundation
import Testing

/// What is written as JSON is what a reader of JSON reads, in each style.
@Suite struct JSONTextTests {
  private static func json(_ style: JSONText.Style, _ string: String) -> String {
    var text = JSONText(style)
    text.string(string)
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (JSONText.Style.line, #""\"\\/\u000a\u0000\u001f<\#u{7F}ü""#),
    (.document, #""\"\\/\n\u0000\u001f<\#u{7F}ü""#),
    (.script, #""\"\\/\u000a\u0000\u001f\u003c\#u{7F}ü""#),
  ])
  func aStyleSaysHowAStringIsEscaped(style: JSONText.Style, expected: String) {
    #expect(Self.json(style, "\"\\/\n\u{0}\u{1F}<\u{7F}ü") == expected)
  }

  @Test(arguments: [JSONText.Style.line, .document, .script])
  func everyCharacterComesBack(style: JSONText.Style) throws {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for string in [String(scalar), "a\(scalar)b\(scalar)"] {
        let read = try JSONDecoder().decode([String].self, from: Data("[\(Self.json(style, string))]".utf8))
        #expect(read.first?.unicodeScalars.elementsEqual(string.unicodeScalars) == true, "U+\(value)")
      }
    }
  }

  @Test func whatWasTakenOutLeavesItsComma() {
    var text = JSONText(.document)
    text.open(nil, UInt8(ascii: "["))
    text.separate()
    text.string("a")
    var pieces = [text.withBytes { String(decoding: $0, as: UTF8.self) }]
    text.removeAll()
    text.startLine()
    text.string("b")
    text.close(UInt8(ascii: "]"))
    pieces.append(text.withBytes { String(decoding: $0, as: UTF8.self) })
    #expect(pieces == [#"["a""#, ",\n\"b\"]"])
  }

  @Test func aMemberMayHaveAnyName() {
    var text = JSONText(.document)
    text.open(nil, UInt8(ascii: "{"))
    for name in ["a\"", "b"] {
      text.open(member: name, UInt8(ascii: "["))
      text.element("c")
      text.close(UInt8(ascii: "]"))
    }
    text.close(UInt8(ascii: "}"))
    #expect(text.withBytes { String(decoding: $0, as: UTF8.self) } == #"{"a\"":["c"],"b":["c"]}"#)
  }
}
