import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// XML is read as UTF-8; what that loses, and how not to lose it, is a fault.
@Suite struct XMLEncodingTests {
  private static func xml(_ declaration: String) -> String {
    "\(declaration)<testsuite><testcase classname='M.S' name='ä'/></testsuite>"
  }

  private func read(_ bytes: Data?) throws -> InputTests {
    XUnitInput.read(LoadedFile(name: "a's x.xml", path: "/x", bytes: try #require(bytes)))
  }

  @Test(arguments: [
    (String.Encoding.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16LE"), (.utf16BigEndian, "UTF-16BE"),
  ])
  func utf16IsAFaultThatSaysHowToConvertIt(encoding: String.Encoding, name: String) throws {
    for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"] {
      let bytes = try #require(Self.xml(declaration).data(using: encoding))
      #expect(XUnitInput.recognises(bytes), "found in a folder, so that it is not passed over")
      let input = try read(bytes)
      #expect(input.observations.isEmpty && !input.endedProperly && input.coverage == [])
      #expect(input.remarks.notices.isEmpty)
      #expect(
        input.remarks.faults.map(\.message) == [
          "The XML is in UTF-16, and nothing of it was read; convert it to UTF-8: "
            + "iconv -f \(name) -t UTF-8 'a'\\''s x.xml' > utf-8.xml"
        ])
      #expect(input.remarks.faultKinds == ["malformedXML"])
    }
  }

  @Test func utf16WithAByteOrderMarkOfEitherKindIsFound() throws {
    let text = Self.xml("")
    let little = try #require(text.data(using: .utf16LittleEndian))
    let big = try #require(text.data(using: .utf16BigEndian))
    #expect(try read(Data([0xFF, 0xFE]) + little).remarks.faultKinds == ["malformedXML"])
    #expect(try read(Data([0xFE, 0xFF]) + big).remarks.faultKinds == ["malformedXML"])
  }

  @Test(arguments: ["ISO-8859-1", "windows-1252", "UTF-16", "US-ASCII", "Shift_JIS", "UTF-8", "utf8"])
  func whateverADeclarationSaysUTF8IsReadWithoutARemark(name: String) throws {
    let input = try read(Data(Self.xml("<?xml version='1.0' encoding='\(name)'?>").utf8))
    #expect(input.outcomes == ["M.S/ä": .passed])
    #expect(input.remarks.faults.isEmpty && input.remarks.notices.isEmpty)
    #expect(input.endedProperly)
  }

  @Test(arguments: ["ISO-8859-1", "windows-1252"])
  func bytesOfAnotherDeclaredEncodingAreAFaultThatSaysHowToConvertThem(name: String) throws {
    let text = Self.xml("<?xml version=\"1.0\" encoding=\"\(name)\" standalone=\"yes\"?>\n")
    let input = try read(text.data(using: .isoLatin1))
    #expect(input.outcomes == ["M.S/\u{FFFD}": .passed])
    #expect(
      input.remarks.faults.map(\.message) == [
        "The XML declares \(name), and bytes of it that are not UTF-8 were replaced; "
          + "convert it to UTF-8: iconv -f \(name) -t UTF-8 'a'\\''s x.xml' > utf-8.xml"
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
