import Foundation
import Testing

/// docs/architecture.md says in which order the folders of a target stand; each uses those before it only.
@Suite struct BordersTests {
  private let borders: Borders

  init() throws {
    borders = Borders(
      document: try String(contentsOf: ThisPackage.file("docs/architecture.md"), encoding: .utf8),
      sources: ThisPackage.file("Sources"))
  }

  @Test func noFolderUsesATypeOfAHigherOne() throws {
    for violation in try borders.violations() { Issue.record("\(violation)") }
  }

  @Test func everyFolderOfATargetIsInTheOrder() throws {
    #expect(!borders.order.isEmpty)
    for target in try borders.incompleteTargets() { Issue.record("Sources/\(target)") }
  }

  @Test func noTypeOfATargetHasTheNameOfAnother() throws {
    for repetition in try borders.repeatedTypes() { Issue.record("\(repetition)") }
  }
}

/// What the test of the borders finds in a small tree.
@Suite struct BordersFindingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("struct Low {}\n", to: "House/Cellar/Low.swift")
    try folder.write(
      "public final class High {}\nprivate struct Own {}\nstruct Also { struct Nested {} }\n",
      to: "House/Attic/High.swift")
    try folder.write("enum Roof {}\n", to: "House/Roof.swift")
  }

  private var borders: Borders {
    Borders(
      document: "Words.\n\n| target | folders |\n|---|---|\n| `House` | `Cellar`, `Attic` |\n",
      sources: folder.url)
  }

  @Test func theTableIsRead() {
    #expect(borders.order.map(\.target) == ["House"])
    #expect(borders.order.map(\.folders) == [["Cellar", "Attic"]])
  }

  @Test func aTreeInOrderHasNone() throws {
    try folder.write("let low = Low()\nlet nested = Nested()\nlet own = Own()\n", to: "House/Attic/Use.swift")
    try folder.write("let all: (Low, High) = (Low(), High())\n", to: "House/Top.swift")
    #expect(try borders.violations() == [])
    #expect(try borders.incompleteTargets() == [])
    #expect(try borders.repeatedTypes() == [])
  }

  @Test func aUseOfALaterFolderIsNamedWithFileAndLine() throws {
    try folder.write("let a = Low()\n\nlet b: [High] = []\n", to: "House/Cellar/Deep/Use.swift")
    #expect(
      try borders.violations()
        == ["Sources/House/Cellar/Deep/Use.swift:3 uses High, which stands higher."])
  }

  @Test func whatLiesBesideTheFoldersStandsAboveThemAll() throws {
    try folder.write("func f(_ roof: Roof, _ also: Also) {}\n", to: "House/Cellar/Use.swift")
    try folder.write("typealias Shape = Roof\n", to: "House/Attic/Use.swift")
    #expect(
      try Set(borders.violations()) == [
        "Sources/House/Cellar/Use.swift:1 uses Roof, which stands higher.",
        "Sources/House/Cellar/Use.swift:1 uses Also, which stands higher.",
        "Sources/House/Attic/Use.swift:1 uses Roof, which stands higher.",
      ])
  }

  @Test(arguments: [
    "// A High one.", "/// See `High`.", "let a = Low()  // not High", #"let text = "High""#,
    #"let text = "a \"High\" one" // High"#, "let highest = Higher()", "let aHigh_b = 1",
    "/* A High one. */", "/*\n High\n */", "let text = \"\"\"\n  High\n  \"\"\"",
  ])
  func commentsAndTextsDoNotCount(line: String) throws {
    try folder.write(line + "\n", to: "House/Cellar/Use.swift")
    #expect(try borders.violations() == [])
  }

  @Test func whatFollowsACommentOrATextCounts() throws {
    try folder.write(
      "/* a\n b */ let a = High()\nlet t = \"//\"; let b = High()\nlet u = \"\"\"\n  x\n  \"\"\"\nlet c = High()\n",
      to: "House/Cellar/Use.swift")
    #expect(
      try borders.violations()
        == [2, 3, 7].map { "Sources/House/Cellar/Use.swift:\($0) uses High, which stands higher." })
  }

  @Test func aFolderThatIsNotInTheOrderIsNamed() throws {
    try folder.write("", to: "House/Shed/Tool.swift")
    #expect(try borders.incompleteTargets() == ["House"])
  }

  @Test func aNameThatIsDeclaredTwiceIsNamed() throws {
    try folder.write("package enum Low {}\n", to: "House/Attic/Low.swift")
    #expect(
      try borders.repeatedTypes()
        == ["Low is declared in House/Attic/Low.swift and House/Cellar/Low.swift."])
  }
}
