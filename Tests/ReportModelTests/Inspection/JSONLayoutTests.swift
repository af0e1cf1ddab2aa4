import Testing

@testable import ReportModel

@Suite struct JSONLayoutTests {
  @Test func everyMemberHasItsLine() {
    #expect(
      laidOutJSON(#"{"b":1.0,"a":[1,{"x":"{,}\" :"}],"e":{},"f":[ ]}"#) == """
        {
          "b": 1.0,
          "a": [
            1,
            {
              "x": "{,}\\" :"
            }
          ],
          "e": {},
          "f": []
        }
        """)
  }

  @Test(arguments: ["", "7", "\"{}\"", "{", "{]", "[1 2]", "hello {}", "{\n  \"a\": 1\n}"])
  func whatIsNoJSONOrLaidOutAlreadyStays(text: String) {
    #expect(laidOutJSON(text) == nil)
  }
}
