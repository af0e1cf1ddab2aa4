import Collector
import ExhibitSystem
import Foundation
import Testing

/// Each failed test case has a folder of its own, and each piece of evidence a name of its own in it.
@Suite struct TestEvidenceFolderTests {
  private func withRun(_ body: (RunFolder) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileSystem.createFolder(path)
    try body(RunFolder(path: path))
  }

  @Test func aTestThatRunsAgainHasANewFolder() throws {
    try withRun { run in
      let test = TestCaseID(module: "M", suite: ["S"], name: "run()")
      let folders = try (0..<3).map { _ in try TestEvidenceFolder(for: test, in: run).relativePath }
      #expect(folders == ["evidence/M.S.run", "evidence/M.S.run-2", "evidence/M.S.run-3"])
    }
  }

  @Test func namesAreSafeAndUnique() throws {
    try withRun { run in
      var folder = try TestEvidenceFolder(for: TestCaseID(module: "M", suite: [], name: "t"), in: run)
      #expect(folder.claim("Library.sqlite", isStem: true) == "Library")
      #expect(folder.claim("Library.db", isStem: true) == "Library-2")
      #expect(folder.claim("default.store", isStem: true) == "default")
      #expect(folder.claim("log.txt", isStem: false) == "log.txt")
      #expect(folder.claim("log.txt", isStem: false) == "log-2.txt")
      let escaping = folder.claim("../../etc/passwd", isStem: false)
      #expect(!escaping.contains("/") && !escaping.hasPrefix("."))
    }
  }
}
