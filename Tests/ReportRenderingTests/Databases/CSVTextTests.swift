import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering
@testable import ReportTestSupport

/// A table as CSV: the same bytes from `reporter inspect` and from a page.
@Suite struct CSVTextTests {
  /// The examples that `Tests/Scripts/csv.test.mjs` has of the pages, too.
  @Test func fieldsAreWhatAPageSavesToo() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.folder)/CSV/fields.json"))
    let examples = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(examples.count > 30)
    for example in examples {
      let value = try value(try #require(example["value"]))
      var text = CSVText()
      text.append(row: [value])
      let field = try #require(example["field"] as? String)
      #expect(text.bytes == Array("\(field)\r\n".utf8), "\(value)")
    }
  }

  /// A value as docs/rows-data.md has it.
  private func value(_ json: Any) throws -> DatabaseValue {
    switch json {
    case is NSNull: return .null
    case let text as String: return .text(text)
    case let number as NSNumber:
      return number.doubleValue == number.doubleValue.rounded()
        ? .integer(number.int64Value) : .real(number.doubleValue)
    default: break
    }
    let list = try #require(json as? [Any])
    let text = try #require(list[1] as? String)
    switch list[0] as? String {
    case "i": return .integer(try #require(Int64(text)))
    case "r": return .real(try #require(Double(text)))
    default: return .blob(Array(try #require(Data(base64Encoded: text))), of: try #require(list[2] as? Int))
    }
  }

  @Test func onATerminalNoTextIsObeyed() {
    var text = CSVText(isForTerminal: true)
    text.append(row: [.text("a\u{1B}[2J\u{9B}b"), .integer(1)])
    #expect(String(decoding: text.take(), as: UTF8.self) == "\"a⟨ESC⟩[2J⟨U+009B⟩b\",1\r\n")
    #expect(text.bytes.isEmpty)
  }
}
