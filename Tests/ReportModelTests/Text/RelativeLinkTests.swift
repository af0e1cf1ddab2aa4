import Testing

@testable import ReportModel

@Suite struct RelativeLinkTests {
  @Test func everyUnusualByteIsEncoded() {
    #expect(relativeLink(to: "evidence/a b#c?d%\"é.sqlite") == "evidence/a%20b%23c%3Fd%25%22%C3%A9.sqlite")
    #expect(relativeLink(to: "evidence/x", from: "../") == "../evidence/x")
  }

  @Test(arguments: ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a/.", "a/"])
  func pathsOutOfTheReportAreNotLinked(path: String) {
    #expect(relativeLink(to: path) == nil)
  }

  @Test func theAddressOfAFileIsEncodedToo() {
    #expect(fileAddress(of: "/a b/#1/é?.html") == "file:///a%20b/%231/%C3%A9%3F.html")
  }

  @Test func noSchemeComesFromAName() {
    #expect(relativeLink(to: "javascript:alert(1)") == "javascript%3Aalert%281%29")
  }

  @Test func onlyTheWebIsLinked() {
    #expect(webLink("https://ci.example.org/job/1?x=1#y") == "https://ci.example.org/job/1?x=1#y")
    #expect(webLink("https://ci.example.org/\"><b>") == "https://ci.example.org/%22%3E%3Cb%3E")
    for address in [
      "javascript:alert(1)", "data:text/html,x", "//evil", "https:///x", "HTTPS://x", " https://x", "",
    ] {
      #expect(webLink(address) == nil)
    }
  }
}
