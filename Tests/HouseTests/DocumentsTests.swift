import Foundation
import Testing

/// The documents for those who work on Exhibit name what is there, and nothing that is not.
@Suite struct DocumentsTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: ThisPackage.file(path), encoding: .utf8)
  }

  /// The folders in a folder; what a build leaves is not meant.
  private func folders(in path: String) throws -> Set<String> {
    let folder = ThisPackage.file(path)
    let entries = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    let found = try entries.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
    return Set(found.map(\.lastPathComponent).filter { !$0.hasPrefix(".") })
  }

  /// The names between backticks that begin the rows of a document's tables.
  private func rows(of document: String) throws -> [String] {
    try text(document).matches(of: /(?m)^\| `([^`]+)` \|/).map { String($0.1) }
  }

  @Test func everyFolderOfTestsHasARow() throws {
    #expect(try Set(rows(of: "Tests/README.md")) == folders(in: "Tests"))
  }

  @Test func everyFixtureHasARow() throws {
    let rows = try rows(of: "Tests/Fixtures/README.md")
    let packages = try folders(in: "Tests/Fixtures").subtracting(["Inputs"])
    let inputs = try folders(in: "Tests/Fixtures/Inputs")
    #expect(Set(rows) == packages.union(inputs))
    #expect(rows.count == Set(rows).count)
  }

  @Test(arguments: [
    "CONTRIBUTING.md", "docs/architecture.md", "docs/porting.md", "Tests/README.md",
    "Tests/Fixtures/README.md",
  ])
  func everyFileThatItNamesExists(document: String) throws {
    let text = try text(document)
    let folder = ThisPackage.file(document).deletingLastPathComponent()
    for link in text.matches(of: /\]\(([^):#]+)\)/) {
      let file = folder.appendingPathComponent(String(link.1))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(document) links to \(link.1)")
    }
    for path in text.matches(of: /`((?:Sources|Tests|docs|ci|\.ci)\/[\w.\/-]+)`/) {
      let file = ThisPackage.file(String(path.1))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(document) names \(path.1)")
    }
  }

  @Test func everySuiteThatContributingNamesExists() throws {
    let sources = try texts(below: "Tests", endings: [".swift"])
    let names = try text("CONTRIBUTING.md").matches(of: /`(\w+Tests)[`\/]/).map { String($0.1) }
    #expect(!names.isEmpty)
    for name in names {
      let isTarget = FileManager.default.fileExists(
        atPath: ThisPackage.file("Tests/\(name)").path)
      #expect(isTarget || sources.contains { $0.contains("struct \(name) ") }, "\(name)")
    }
  }
}

// MARK: - Porting

extension DocumentsTests {
  /// The contents of the files below a folder, other packages and what builds leave aside.
  private func texts(below path: String, endings: [String]) throws -> [String] {
    let folder = ThisPackage.file(path)
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    var texts: [String] = []
    for case let name as String in names where endings.contains(where: name.hasSuffix) {
      if name.contains(".build") || name.hasPrefix("Fixtures/") { continue }
      texts.append(try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
    return texts
  }

  @Test func whatPortingSaysIsUsedIsUsed() throws {
    let sources = try texts(below: "Sources", endings: [".swift", ".c", ".h"]).joined()
    let rows = try text("docs/porting.md").matches(of: /(?m)^\| ([^|]*`[^|]*) \|/)
    let names = rows.flatMap { row in row.1.matches(of: /`([A-Za-z_.\/0-9-]+)/).map { String($0.1) } }
    #expect(names.count > 30)
    for name in names {
      // `/proc/PID/stat` stands for the path of some process.
      let literal = name.replacing("PID", with: "\\(pid)").replacing("fd/N", with: "fd/")
      #expect(sources.contains(literal), "docs/porting.md names \(name), which no source has")
    }
  }

  @Test func whatOnlyLinuxHasIsInPorting() throws {
    let sources = try texts(below: "Sources", endings: [".swift", ".c"]).joined()
    let document = try text("docs/porting.md")
    let words =
      /"(\/proc\/[a-z_\/]*)|\b(O_PATH|RTLD_NEXT|RTLD_DL_LINKMAP|F_OFD_\w+|FICLONE|copy_file_range|statx|renameat2|memfd_create|inotify_\w+|epoll_\w+|O_TMPFILE|dl_iterate_phdr|pipe2|posix_spawn\w*_np|CLOCK_BOOTTIME|\w+_SUPER_MAGIC)\b/
    let used = Set(sources.matches(of: words).compactMap { $0.1 ?? $0.2 }.map(String.init))
    #expect(used.count > 10)
    for word in used.sorted() {
      #expect(document.contains(word), "docs/porting.md does not name \(word)")
    }
  }
}
