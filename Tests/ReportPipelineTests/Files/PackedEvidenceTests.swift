import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportRendering
import Testing

@testable import ReportPipeline

/// What of the evidence lies packed in a finished report.
@Suite struct PackedEvidenceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("raw")
  }

  /// - Parameter bytes: Of each file.
  private func contents(bytes: Int) throws -> ReportContents {
    var evidence = TestEvidence(kind: .database, name: "store", path: "store.sqlite")
    evidence.details.database = DatabaseCapture(
      method: .immutable, databaseBytes: 1, baseline: "before.sqlite")
    evidence.rawFiles = ["raw/store.sqlite", "raw/store.sqlite-wal"].map { RawFile(path: $0, bytes: bytes) }
    let story = TestEvidence(kind: .story, name: "story", path: "story.jsonl", bytes: bytes)
    for file in ["store.sqlite", "before.sqlite", "story.jsonl"] + evidence.rawFiles.map(\.path) {
      try folder.write([UInt8](repeating: 7, count: bytes), to: file)
    }
    var test = TestResult(
      id: TestCaseID(module: "AppTests", suite: ["StoreTests"], name: "testOne"), framework: .xctest,
      outcome: .failed, duration: 0.1)
    test.evidence = [evidence, story]
    return ReportContents(
      report: Report(title: "App", runs: [], tests: [test]), nonce: "n")
  }

  private func unpacked(_ file: String) throws -> Int? {
    try gunzip(InputFile(path: folder(file)), to: folder("plain"), most: 1 << 20)
    defer { unlink(folder("plain")) }
    return FileSystem.status(folder("plain")).map { Int($0.st_size) }
  }

  @Test func whatIsRarelyOpenedIsPackedAndTheCapturedDatabaseIsNot() throws {
    var contents = try contents(bytes: 100_000)
    try contents.packEvidence(in: folder.path)
    let evidence = contents.report.tests[0].evidence
    #expect(evidence[0].rawFiles.map(\.path) == ["raw/store.sqlite.gz", "raw/store.sqlite-wal.gz"])
    #expect(evidence[0].rawFiles.allSatisfy { $0.bytes < 1000 } && evidence[0].path == "store.sqlite")
    #expect(evidence[1].path == "story.jsonl.gz" && contents.packedBaselines == ["before.sqlite"])
    // The pages are made of it.
    #expect(FileSystem.status(folder("before.sqlite")) != nil)
    try contents.removePackedBaselines(in: folder.path)
    #expect(try folder.names == ["before.sqlite.gz", "raw", "store.sqlite", "story.jsonl.gz"])
    for file in evidence[0].rawFiles.map(\.path) + ["before.sqlite.gz", "story.jsonl.gz"] {
      #expect(try unpacked(file) == 100_000)
    }
  }

  @Test func smallFilesStayAsTheyAre() throws {
    var small = try contents(bytes: 1000)
    try small.packEvidence(in: folder.path)
    #expect(small.packedBaselines.isEmpty && small.report.tests[0].evidence[1].path == "story.jsonl")
    #expect(try !folder.names.contains { $0.hasSuffix(".gz") })
  }

  @Test func aPackedFileHoldsNoMoreThanIsAllowedAndIsWhole() throws {
    let packed = try #require([UInt8](repeating: 7, count: 100_000).withUnsafeBufferPointer(gzip))
    for (name, bytes) in [("a.gz", packed), ("b.gz", packed.dropLast(20))] {
      try folder.write(Array(bytes), to: name)
      let error = #expect(throws: SystemError.self) {
        try gunzip(InputFile(path: folder(name)), to: folder(name + ".plain"), most: 99_999)
      }
      #expect([EFBIG, EBADMSG].contains(error?.code ?? 0))
    }
  }
}
