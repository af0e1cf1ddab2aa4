import Testing

@testable import ReportModel
@testable import ReportRendering

/// Addresses that open a place in an editor.
@Suite struct EditorTests {
  private func link(_ template: String, _ file: String, line: Int? = 12, root: String = "/home/a b") throws
    -> String?
  {
    Editor(try EditorTemplate(template), root: SourceRoot(path: root))
      .link(to: SourceReference(file: file, line: line))
  }

  @Test func aPlaceIsAnAbsolutePathWithItsLine() throws {
    #expect(try link("vscode", "Tests/A b.swift") == "vscode://file/home/a%20b/Tests/A%20b.swift:12")
    #expect(try link("vscode", "A.swift", line: nil, root: "/") == "vscode://file/A.swift:1")
    #expect(
      try link("idea://open?file={path}&line={line}", "A&B=+#?.swift")
        == "idea://open?file=/home/a%20b/A%26B%3D%2B%23%3F.swift&line=12")
    #expect(try link("zed://file{path}", "A.swift") == "zed://file/home/a%20b/A.swift")
  }

  @Test(arguments: [
    "javascript:alert(1)//{path}", "javascript://%0aalert(1){path}", "JavaScript://{path}",
    "data:text/html,{path}",
    "data://{path}", "vbscript://{path}", "file://{path}", "blob://{path}", "view-source://{path}", "{path}",
    "//{path}", "://{path}", " vscode://{path}", "vs code://{path}", "java\tscript://{path}", "{path}://x",
    "emacs", "", "x://", "x://{file}", "x://{path}{", "x://{path}\"onclick=1", "x://{path}'", "x://{path}<b>",
    "x://{path} y", "x://{path}\\", "x://{path}\u{0}", "x://{path}é", "x://{path}`",
  ])
  func whatIsNoAddressOfAnEditorIsRefused(template: String) {
    #expect(throws: EditorTemplate.Problem.self) { try EditorTemplate(template) }
  }

  @Test(arguments: [
    "/etc/passwd", "../secret.swift", "a/../b.swift", "a//b.swift", "", "./a.swift", "https://x.org/a.swift",
  ])
  func whatLiesOutsideOfTheSourceRootOpensNothing(file: String) throws {
    #expect(try link("vscode", file) == nil)
  }

  @Test func aHostilePathStaysAPath() throws {
    let file = "a\"><script>'{line}{path}\u{1B}]8;;\u{7}é.swift"
    let address = try #require(try link("vscode", file))
    #expect(
      address
        == "vscode://file/home/a%20b/a%22%3E%3Cscript%3E%27%7Bline%7D%7Bpath%7D%1B%5D8%3B%3B%07%C3%A9.swift:12"
    )
  }
}
