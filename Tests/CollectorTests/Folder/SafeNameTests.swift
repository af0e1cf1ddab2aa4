import Collector
import Testing

/// Names made from outside text: they cannot leave their folder, and different texts keep different names.
@Suite struct SafeNameTests {
  @Test(arguments: ["Orders.testTotal", "a", "A-Z_0.9"]) func safeTextStaysAsItIs(text: String) {
    #expect(SafeName(text).description == text)
  }

  @Test(arguments: [
    "../../etc/passwd", "/absolute", ".hidden", "", "a b", "x\ny", "<script>", "\u{202E}gpj", "e\u{301}",
    "日本語",
    String(repeating: "x", count: 4000), "..", ".", "a/../b", "nul\u{0}byte", "-rf\\",
  ])
  func everythingElseIsMadeSafe(text: String) {
    for keepsExtension in [false, true] {
      let name = SafeName(text, keepsExtension: keepsExtension).description
      #expect(name.utf8.allSatisfy { SafeNameTests.allowed.contains($0) })
      #expect((1...SafeName.maximumLength).contains(name.utf8.count))
      #expect(!name.hasPrefix("."))
      #expect(name != text)
    }
  }

  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8)

  @Test func differentTextsKeepDifferentNames() {
    let texts = ["a b", "a/b", "a\\b", "a\u{1B}b", "a-b"]
    #expect(Set(texts.map { SafeName($0).description }).count == texts.count)
  }

  @Test func theSameTextHasTheSameNameInEveryProcess() {
    #expect(SafeName("a b").description == "a-b-e63f9919")
  }

  @Test func theExtensionStaysOne() {
    #expect(SafeName("../a.txt", keepsExtension: true).description.hasSuffix(".txt"))
    #expect(SafeName("log file.JSON", keepsExtension: true).description.hasSuffix(".JSON"))
    #expect(!SafeName("a b.<x>", keepsExtension: true).description.contains("<"))
    #expect(SafeName.numbered("a.txt", 2) == "a-2.txt")
    #expect(SafeName.numbered("archive", 3) == "archive-3")
  }

  @Test func aTestsFolderIsNamedAfterIt() {
    let test = TestCaseID(module: "M", suite: ["Outer", "Inner"], name: "adds()")
    #expect(test.folderName.description == "M.Outer.Inner.adds")
    var first = test
    first.argument = .init(description: "1")
    var second = first
    second.argument?.ordinal = 1
    #expect(first.folderName.description == "M.Outer.Inner.adds-1")
    #expect(second.folderName.description == "M.Outer.Inner.adds-1-2")
  }
}
