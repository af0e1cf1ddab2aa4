import Foundation
import Testing

@testable import Reporter

@Suite struct XMLRepairTests {
  private func repair(_ text: String) -> (text: String, repairs: Set<XMLRepair.Repair>) {
    let repair = XMLRepair(Data(text.utf8))
    return (String(decoding: repair.bytes, as: UTF8.self), repair.repairs)
  }

  @Test func wellFormedXMLStaysAsItIs() {
    let xml = "<a b=\"1 &lt; 2 &#8594; &quot;\" c='d'><!-- < & --><![CDATA[<&>]]>text &amp; more</a>"
    #expect(repair(xml).text == xml)
    #expect(repair(xml).repairs.isEmpty)
  }

  @Test func rawIdentifiersInNamesAreEscaped() {
    let (text, repairs) = repair("<testcase name=\"`raw & <passing> \"name\"`()\" time=\"1\" />")
    #expect(text == "<testcase name=\"`raw &amp; &lt;passing> &quot;name&quot;`()\" time=\"1\" />")
    #expect(repairs == [.escaping])
  }

  @Test func aRawIdentifierMayLookLikeAttributes() {
    let (text, _) = repair("<testcase name=\"`x\" time=\"3`()\" time=\"1\" />")
    #expect(text == "<testcase name=\"`x&quot; time=&quot;3`()\" time=\"1\" />")
  }

  @Test func controlCharactersAreRemovedAlsoAsReferences() {
    let (text, repairs) = repair("<a b=\"\u{1B}[31mred&#27;&#x1b;&#9;\">\u{07}</a>")
    #expect(text == "<a b=\"[31mred&#9;\"></a>")
    #expect(repairs == [.controlCharacters])
  }

  @Test func bytesThatAreNotUTF8AreReplaced() {
    let repair = XMLRepair(Data([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]))
    #expect(String(decoding: repair.bytes, as: UTF8.self) == "<a>\u{FFFD}</a>")
    #expect(repair.repairs == [.encoding])
  }

  @Test func aDocumentTypeIsLeftOutAndItsEntitiesAreText() {
    let bomb = """
      <!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;"><!ENTITY e SYSTEM "file:///etc/passwd">]><a>&m;&e;</a>
      """
    let (text, repairs) = repair(bomb)
    #expect(text == "<a>&amp;m;&amp;e;</a>")
    #expect(repairs == [.documentType, .escaping])
  }

  @Test(arguments: [
    "<", "<a", "<a b=\"", "<a b=\"`", "&", "&#", "<!--", "<![CDATA[", "<?", "<!DOCTYPE [", "<a b='1",
  ])
  func whatStopsAnywhereIsReadToItsEnd(text: String) {
    #expect(repair("<t>\(text)").text.hasPrefix("<t>"))
  }
}
