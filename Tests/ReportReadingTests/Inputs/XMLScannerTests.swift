import Foundation
import Testing

@testable import ReportReading

@Suite struct XMLScannerTests {
  /// What the scanner makes of a document, written as well-formed XML with brackets in place of the angles.
  private func scan(_ bytes: Data) -> (text: String, repairs: Set<XMLRepair>) {
    bytes.withUnsafeBytes { buffer in
      guard let bytes = XMLBytes(buffer) else { return ("", []) }
      var (scanner, texts, result) = (XMLScanner(bytes), XMLText(), "")
      while true {
        switch scanner.next() {
        case .start(let isEmpty):
          result += "[" + texts.string(bytes[scanner.name])
          for attribute in scanner.attributes {
            result += " \(texts.string(bytes[attribute.name]))=«\(texts.string(bytes[attribute.value]))»"
          }
          result += isEmpty ? "/]" : "]"
        case .end: result += "[/\(texts.string(bytes[scanner.name]))]"
        case .text(let isCDATA): result += texts.string(bytes[scanner.text], hasReferences: !isCDATA)
        case .finished: return (result, scanner.repairs.union(texts.repairs))
        }
      }
    }
  }

  private func scan(_ text: String) -> (text: String, repairs: Set<XMLRepair>) { scan(Data(text.utf8)) }

  @Test func wellFormedXMLIsReadAsItIs() {
    let (text, repairs) = scan(
      "<?xml version='1.0'?><a b=\"1 &lt; 2 &#8594; &quot;\" c='d'><!-- < & --><![CDATA[<&amp;>]]>text &amp; more</a>"
    )
    #expect(text == "[a b=«1 < 2 → \"» c=«d»]<&amp;>text & more[/a]")
    #expect(repairs.isEmpty)
  }

  @Test func rawIdentifiersInNamesAreText() {
    let (text, repairs) = scan("<testcase name=\"`raw & <passing> \"name\"`()\" time=\"1\" />")
    #expect(text == "[testcase name=«`raw & <passing> \"name\"`()» time=«1»/]")
    #expect(repairs == [.escaping])
  }

  @Test func aRawIdentifierMayLookLikeAttributes() {
    let (text, _) = scan("<testcase name=\"`x\" time=\"3`()\" time=\"1\" />")
    #expect(text == "[testcase name=«`x\" time=\"3`()» time=«1»/]")
  }

  @Test func backticksOfWellFormedNamesAreNoQuotes() {
    let (text, repairs) = scan("<a name=\"x ` y\" classname=\"z ` z\"/>")
    #expect(text == "[a name=«x ` y» classname=«z ` z»/]")
    #expect(repairs.isEmpty)
  }

  @Test func quotesInMessagesAreText() {
    let (text, repairs) = scan("<a message=\"said \"yes\" & <b>\" type=\"t\"/>")
    #expect(text == "[a message=«said \"yes\" & <b>» type=«t»/]")
    #expect(repairs == [.escaping])
  }

  @Test func anAngleThatBeginsNoTagIsText() {
    #expect(scan("<a>1 < 2 <3></a>").text == "[a]1 < 2 <3>[/a]")
  }

  @Test func controlCharactersAreRemovedAlsoAsReferences() {
    let (text, repairs) = scan("<a b=\"\u{1B}[31mred&#27;&#x1b;&#9;\">\u{07}</a>")
    #expect(text == "[a b=«[31mred\t»][/a]")
    #expect(repairs == [.controlCharacters])
  }

  @Test func lineBreaksStayAndAreOfOneKind() {
    #expect(scan("<a b=\"1\r\n2\n3\">4\r5</a>").text == "[a b=«1\n2\n3»]4\n5[/a]")
  }

  @Test func bytesThatAreNotUTF8AreReplaced() {
    let (text, repairs) = scan(Data([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]))
    #expect(text == "[a]\u{FFFD}[/a]")
    #expect(repairs == [.encoding])
  }

  @Test func aDocumentTypeIsLeftOutAndItsEntitiesAreText() {
    let bomb = """
      <!DOCTYPE a [<!ENTITY l "lol>]>"><!ENTITY m "&l;&l;&l;"><!-- ]> ' --><!ENTITY e SYSTEM "file:///etc/passwd">
      ]><a>&m;&e;</a>
      """
    let (text, repairs) = scan(bomb)
    #expect(text == "[a]&m;&e;[/a]")
    #expect(repairs == [.documentType, .entities, .escaping])
  }

  @Test(arguments: [
    "<", "<a", "<a b=\"", "<a b=\"`", "&", "&#", "<!--", "<![CDATA[", "<?", "<!DOCTYPE [", "<a b='1", "</a",
    "<a b", "<a b=", "<a/", "<a b=\"1\"", "]]>", "&#xD800;", "&#99999999;",
  ])
  func whatStopsAnywhereIsReadToItsEnd(text: String) {
    #expect(scan("<t>\(text)").text.hasPrefix("[t]"))
  }

  @Test func aLongTextIsCutBetweenCharacters() {
    var texts = XMLText()
    let long = Array(String(repeating: "ä", count: XMLText.limit).utf8)
    let cut = long.withUnsafeBufferPointer { texts.string($0) }
    #expect(cut.utf8.count == XMLText.limit)
    #expect(cut.allSatisfy { $0 == "ä" })
    #expect(texts.cutCount == 1)
    #expect(texts.repairs.isEmpty)
  }
}
