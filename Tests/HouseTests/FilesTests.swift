import Foundation
import Testing

/// A source file tells one thing whole: it is named by its subject, and is short enough to be read at once.
@Suite struct FilesTests {
  @Test func noFileIsNamedAsAnExtensionOfAType() throws {
    for folder in ["Sources", "Tests", "Benchmarks", "Examples", "templates"] {
      for name in try SourceTree(ThisPackage.file(folder)).namedAsExtensions {
        Issue.record("\(folder)/\(name)")
      }
    }
  }

  @Test func noFileIsTooLong() throws {
    for folder in ["Sources", "Tests"] {
      for name in try SourceTree(ThisPackage.file(folder)).tooLong { Issue.record("\(folder)/\(name)") }
    }
  }
}

/// What the tests of the files find in a small tree.
@Suite struct FilesFindingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("struct Wall {}\n", to: "House/Wall.swift")
    try folder.write("int wall;\n", to: "House/wall.c")
  }

  private var tree: SourceTree { SourceTree(folder.url) }

  @Test func aTreeInOrderHasNone() throws {
    #expect(try tree.namedAsExtensions == [])
    #expect(try tree.tooLong == [])
  }

  @Test(arguments: ["Wall+Door.swift", "wall+door.c", "wall+door.h"])
  func anExtensionIsNamed(name: String) throws {
    try folder.write("", to: "House/Deep/\(name)")
    #expect(try tree.namedAsExtensions == ["House/Deep/\(name)"])
  }

  @Test(arguments: ["Long.swift", "long.c", "long.h"]) func aLongFileIsNamed(name: String) throws {
    let line = "// a line\n"
    try folder.write(String(repeating: line, count: SourceTree.longest), to: "House/\(name)")
    #expect(try tree.tooLong == [])
    let lines = String(repeating: line, count: SourceTree.longest)
    try folder.write(lines + "// no line break", to: "House/\(name)")
    #expect(try tree.tooLong == ["House/\(name)"])
  }

  @Test(arguments: [
    "House/.build/A+B.swift", "House/.build-release/checkouts/A+B.swift", "House/A+B.md",
    "House/run.1+2.jsonl",
  ])
  func whatIsNoSourceOfOursDoesNotCount(path: String) throws {
    try folder.write(String(repeating: "\n", count: SourceTree.longest + 1), to: path)
    #expect(try tree.namedAsExtensions == [])
    #expect(try tree.tooLong == [])
  }
}
