import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// XML is read as UTF-8; what is in another known encoding is converted, and of others it is a fault what that loses.
@Suite struct XMLEncodingTests {
  private static func xml(_ declaration: String) -> String {
    "\(declaration)<testsuite><testcase classname='M.S' name='ä'/></testsuite>"
  }

  private func read(_ bytes: Data?) throws -> InputTests {
    XUnitInput.read(LoadedFile(name: "a's x.xml", path: "/x", bytes: try #require(bytes)))
  }

  @Test(arguments: [
    (String.Encoding.utf16LittleEndian, []), (.utf16BigEndian, []), (.utf16LittleEndian, [0xFF, 0xFE]),
    (.utf16BigEndian, [0xFE, 0xFF]),
  ])
  func utf16IsConverted(encoding: String.Encoding, mark: [UInt8]) throws {
    for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"] {
      let bytes = Data(mark) + (try #require(Self.xml(declaration).data(using: encoding)))
      #expect(XUnitInput.recognises(bytes))
      let input = try read(bytes)
      #expect(input.outcomes == ["M.S/ä": .passed])
      #expect(input.remarks == Remarks())
    }
  }

  @Test func halfACharacterOfUTF16IsNoticed() throws {
    let bytes = try #require(Self.xml("").data(using: .utf16LittleEndian))
    #expect(try read(bytes + [0x20]).remarks.noticeKinds == ["repairedXML"])
    #expect(try read(Data([0xFF, 0xFE]) + [0x00, 0xD8] + bytes).remarks.noticeKinds == ["repairedXML"])
    #expect(try read(bytes.dropLast(8)).remarks.faultKinds == ["truncatedXML"])
  }

  @Test(arguments: ["ISO-8859-1", "windows-1252", "UTF-16", "US-ASCII", "Shift_JIS", "UTF-8", "utf8"])
  func whateverADeclarationSaysUTF8IsReadWithoutARemark(name: String) throws {
    let input = try read(Data(Self.xml("<?xml version='1.0' encoding='\(name)'?>").utf8))
    #expect(input.outcomes == ["M.S/ä": .passed])
    #expect(input.remarks.faults.isEmpty && input.remarks.notices.isEmpty)
    #expect(input.endedProperly)
  }

  @Test(arguments: [("ISO-8859-1", String.Encoding.isoLatin1), ("Windows-1252", .windowsCP1252)])
  func westernEncodingsAreConverted(name: String, encoding: String.Encoding) throws {
    let text = Self.xml("<?xml version=\"1.0\" encoding=\"\(name)\" standalone=\"yes\"?>\n")
    let input = try read(text.data(using: encoding))
    #expect(input.outcomes == ["M.S/ä": .passed])
    #expect(input.remarks == Remarks())
  }

  @Test func bytesOfAnotherDeclaredEncodingAreAFaultThatSaysHowToConvertThem() throws {
    let input = try read(Self.xml("<?xml version=\"1.0\" encoding=\"KOI8-R\"?>\n").data(using: .isoLatin1))
    #expect(input.outcomes == ["M.S/\u{FFFD}": .passed])
    #expect(
      input.remarks.faults.map(\.message) == [
        "The XML declares KOI8-R, and bytes of it that are not UTF-8 were replaced; "
          + "convert it to UTF-8: iconv -f KOI8-R -t UTF-8 'a'\\''s x.xml' > utf-8.xml"
      ])
    #expect(input.remarks.faultKinds == ["malformedXML"])
    #expect(input.remarks.notices.isEmpty)
    #expect(!input.endedProperly)
  }

  @Test(arguments: [
    "", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-8'?>",
    "<?xml version='1.0' encoding='US-ASCII'?>",
    "<?xml version='1.0' encoding='`rm x`'?>", "<?xml version='1.0' encoding='UTF-16'?>",
    "<?xml version='1.0'?><!-- encoding='ISO-8859-1' -->",
  ])
  func bytesThatAreNotUTF8AreReplacedAndNoticedWhereNoOtherEncodingIsDeclared(declaration: String) throws {
    let input = try read(Self.xml(declaration).data(using: .isoLatin1))
    #expect(input.outcomes == ["M.S/\u{FFFD}": .passed])
    #expect(input.remarks.faults.isEmpty)
    #expect(
      input.remarks.notices.map(\.message) == [
        "The XML is not well-formed as its writer left it: bytes that are not UTF-8 were replaced."
      ])
  }
}
