import Foundation
import Testing

@testable import ReportPipeline

/// Files that commands write over others: what they read, and what is no file, stays as it is.
@Suite struct ReplacedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func replace(_ name: String, _ text: String, apart sources: String...) throws {
    let file = try ReplacedFile(folder(name), apart: sources.map { folder($0) })
    try file.replace { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
  }

  @Test func aFileIsReplacedWhenAllIsWritten() throws {
    try folder.write("old", to: "file")
    let file = try ReplacedFile(folder("file"), apart: [folder("other")])
    #expect(throws: CancellationError.self) {
      try file.replace {
        try Data("new".utf8).write(to: URL(fileURLWithPath: $0))
        #expect(try folder.read("file") == "old")
        throw CancellationError()
      }
    }
    #expect(try folder.read("file") == "old")
    #expect(folder.files == ["file"])
    try replace("file", "new")
    #expect(try folder.read("file") == "new")
    #expect(folder.files == ["file"])
  }

  @Test func theFileBehindALinkIsWritten() throws {
    _ = try folder.makeFolder("real")
    try folder.write("old", to: "real/file")
    try run("ln", "-s", "real/file", folder("link"))
    try run("ln", "-s", "real", folder("folder"))
    try replace("link", "new")
    #expect(try folder.read("real/file") == "new")
    try replace("folder/other", "text")
    #expect(try folder.read("real/other") == "text")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link")) == "real/file")
  }

  @Test(arguments: [
    ["mkfifo", "place"], ["ln", "-s", "nowhere", "place"], ["mkdir", "place"],
    ["ln", "-s", "/dev/null", "place"],
  ])
  func whatIsNoFileStays(made: [String]) throws {
    try Command(made, in: folder.path).run()
    let error = try #require(throws: ReplacedFile.Problem.self) { try replace("place", "text") }
    #expect("\(error)".contains("/place is no file that could be replaced. Name another with --output."))
    #expect(folder.files.isEmpty || made[0] != "mkdir")
  }

  @Test(arguments: ["history", "runs/one/run.json", "link/one/run.json", "other"])
  func whatIsReadStays(name: String) throws {
    for folder in ["runs/one", "empty"] { _ = try self.folder.makeFolder(folder) }
    for file in ["history", "runs/one/run.json"] { try folder.write("text", to: file) }
    try run("ln", "-s", "runs", folder("link"))
    try run("ln", "-s", "history", folder("other"))
    let error = try #require(throws: ReplacedFile.Problem.self) {
      try replace(name, "", apart: "history", "runs", "empty")
    }
    #expect("\(error)".contains("/\(name) is read for it."))
    #expect(try folder.read(name) == "text")
    try replace("runs-file", "")
  }

  /// As of a job that was cancelled.
  @Test func draftsOfProcessesThatHaveEndedGo() throws {
    let ended = try Command(["sh", "-c", "echo $$"]).run().output.trimmingCharacters(in: .newlines)
    for name in ["file.new-\(ended)", "file.new-1", "file.new-x", "other.new-\(ended)"] {
      try folder.write("half", to: name)
    }
    try replace("file", "new")
    #expect(Set(folder.files) == ["file", "file.new-1", "file.new-x", "other.new-\(ended)"])
  }
}
