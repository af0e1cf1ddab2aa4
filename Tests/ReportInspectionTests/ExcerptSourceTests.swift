import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel

@Suite struct ExcerptSourceTests {
  @Test func linesAroundTheOneNamedAreShown() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write((1...20).map { "line \($0)" }.joined(separator: "\n").utf8, to: "Sources/A.swift")
    let excerpt = excerptSource(
      reference: .init(file: "Sources/A.swift", line: 10), root: SourceRoot(path: folder.path), context: 2)
    #expect(
      excerpt
        == SourceExcerpt(
          firstLine: 8, lines: ["line 8", "line 9", "line 10", "line 11", "line 12"], markedLine: 10,
          call: (10...20).map { "line \($0)" }))
  }

  @Test(arguments: [(1, 1, 3), (2, 1, 4), (5, 3, 3)])
  func theFilesEndsAreRespected(line: Int, first: Int, count: Int) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("1\r\n2\r\n3\r\n4\r\n5".utf8, to: "A.swift")
    let excerpt = try #require(
      excerptSource(
        reference: .init(file: "A.swift", line: line), root: SourceRoot(path: folder.path), context: 2))
    #expect(excerpt.firstLine == first && excerpt.lines.count == count)
    #expect(excerpt.lines[line - first] == "\(line)")
  }

  @Test func anAbsolutePathBelowTheRootIsRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("only".utf8, to: "A.swift")
    #expect(
      excerptSource(reference: .init(file: path, line: 1), root: SourceRoot(path: folder.path))?.lines == [
        "only"
      ])
  }

  @Test func linesOfTheFunctionsBeforeAndAfterAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let code = """
      struct Tests {
        @Test func before() {
          work()
        }

        @Test func reads() {
          if true {
            work()
          }

          #expect(total == 2)
        }

        /// Later.
        @Test func after() {
          work()
        }
      }
      """
    _ = try folder.write(code.utf8, to: "A.swift")
    func shown(_ line: Int) throws -> ClosedRange<Int> {
      let excerpt = try #require(
        excerptSource(
          reference: .init(file: "A.swift", line: line), root: SourceRoot(path: folder.path), context: 8))
      #expect(excerpt.markedLine == line)
      return excerpt.firstLine...(excerpt.firstLine + excerpt.lines.count - 1)
    }
    #expect(try shown(11) == 6...12)
    // A blank line within a body ends nothing.
    #expect(try shown(8) == 6...12)
    #expect(try shown(16) == 14...18)
    #expect(try shown(3) == 1...4)
  }

  @Test func nothingOutsideTheRootIsRead() throws {
    let folder = try TemporaryFolder()
    let outside = try folder.write("secret".utf8, to: "outside.txt")
    _ = try folder.write("x".utf8, to: "root/A.swift")
    _ = try folder.write("x".utf8, to: "rootless/A.swift")
    let root = SourceRoot(path: folder.path + "/root")
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/link.swift", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(atPath: root.path + "/up", withDestinationPath: "..")
    for file in [
      "../outside.txt", outside, "link.swift", "up/outside.txt", "../rootless/A.swift", "A\0.swift",
    ] {
      #expect(excerptSource(reference: .init(file: file, line: 1), root: root) == nil, "\(file)")
    }
  }

  @Test(arguments: [nil, 0, -1, 3, Int.max])
  func aLineThatIsNotThereGivesNothing(line: Int?) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("1\n2".utf8, to: "A.swift")
    #expect(
      excerptSource(reference: .init(file: "A.swift", line: line), root: SourceRoot(path: folder.path)) == nil
    )
  }

  @Test func foldersPipesAndBinariesGiveNothing() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([0, 1, 2, 0xFF], to: "binary.swift")
    _ = try folder.write(Array(repeating: 0x61, count: 5 * 1024 * 1024), to: "huge.swift")
    mkfifo(folder.url.appendingPathComponent("pipe.swift").path, 0o600)
    for file in ["binary.swift", "huge.swift", "pipe.swift", ".", "missing.swift"] {
      #expect(
        excerptSource(reference: .init(file: file, line: 1), root: SourceRoot(path: folder.path)) == nil,
        "\(file)")
    }
  }

  @Test func aPreviewIsCutBetweenCharactersAndSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ab日本語".utf8, to: "t.txt")
    #expect(previewText(at: path) == "ab日本語")
    #expect(previewText(at: path, limit: 6) == "ab日\n… (cut; the whole is 11 bytes)")
    #expect(previewText(at: try folder.write([0xFF, 0x41], to: "b"), limit: 6) == nil)
  }

  @Test func whatAllLinesBeginWithIsLeftOut() {
    func shown(_ lines: [String]) -> [String] {
      SourceExcerpt(firstLine: 1, lines: lines, markedLine: 1).withoutCommonIndentation
    }
    #expect(shown(["    a {", "      b", "", "  ", "    }"]) == ["a {", "  b", "", "", "}"])
    #expect(shown(["\t  a", "\t\tb"]) == ["  a", "\tb"])
    #expect(shown(["a", "  b"]) == ["a", "  b"])
    #expect(shown(["", " "]) == ["", " "])
  }
}
