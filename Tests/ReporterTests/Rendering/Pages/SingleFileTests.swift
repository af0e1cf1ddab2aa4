import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// What `report.html` holds of the evidence, and what it names.
@Suite struct SingleFileTests {
  private static let sizes = [
    "evidence/a/store.sqlite": 3000, "evidence/a/store.baseline.sqlite": 2000,
    "evidence/a/store.history/store.sqlite": 1000, "evidence/a/store.history/store.sqlite-wal": 600_000,
    "evidence/a/chart-expected.png": 500, "evidence/a/chart-actual.png": 700,
  ]

  private func report() throws -> ReportContents {
    let folder = try TemporaryFolder()
    let database = inspectDatabase(
      at: try folder.database("store.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)"), rows: true)
    func image(_ name: String) -> TestEvidence {
      let path = "evidence/a/\(name)"
      return TestEvidence(kind: .file, name: name, path: path, bytes: Self.sizes[path])
    }
    let history = "evidence/a/store.history"
    let store = TestEvidence(
      kind: .database, name: "store.sqlite", path: "evidence/a/store.sqlite", bytes: 3000,
      details: .database(
        DatabaseCapture(
          method: .readTransaction, databaseBytes: 3000, history: history,
          baseline: "evidence/a/store.baseline.sqlite")),
      rawFiles: ["store.sqlite", "store.sqlite-wal"].map {
        RawFile(path: "\(history)/\($0)", bytes: Self.sizes["\(history)/\($0)"] ?? 0)
      })
    let test = TestResult(
      id: .store("testA"), outcome: .failed,
      evidence: [store, image("chart-expected.png"), image("chart-actual.png")])
    var contents = ReportContents(
      report: Report(title: "One", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    for name in ["store", "store.baseline"] { contents.databases["evidence/a/\(name).sqlite"] = database }
    return contents
  }

  private func file(limit: Int, withEvidence: Bool = true) throws -> String {
    let file = SingleFile(
      context: PageContext(try report()), templates: try TemplateLibrary(), limit: limit
    ) { path, limit in
      Self.sizes[path].flatMap {
        withEvidence && $0 <= limit ? [UInt8](repeating: UInt8($0 % 251), count: $0) : nil
      }
    }
    var bytes: [UInt8] = []
    try file.write { bytes += $0 }
    #expect(bytes.count <= limit)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func reference(_ path: String, _ type: String = "application/octet-stream") throws -> String {
    let size = try #require(Self.sizes[path])
    return "data:\(type);base64," + base64([UInt8](repeating: UInt8(size % 251), count: size))
  }

  @Test func everythingThatHasRoomIsInIt() throws {
    let html = try file(limit: 5_000_000)
    for path in Self.sizes.keys where !path.hasSuffix(".png") {
      let name = try #require(path.split(separator: "/").last)
      #expect(html.contains("href=\"\(try reference(path))\" download=\"\(name)\""), "\(path)")
    }
    #expect(!html.contains("Not in this file"))
  }

  @Test func aPairOfImagesIsComparedAndEachOfThemShownOnceBeside() throws {
    let html = try file(limit: 5_000_000)
    #expect(html.contains("Difference, black where both are equal"))
    for name in ["chart-expected.png", "chart-actual.png"] {
      let image = "<img src=\"\(try reference("evidence/a/\(name)", "image/png"))\""
      #expect(html.components(separatedBy: image).count == 3, "itself and the difference")
    }
    #expect(!html.contains("<a href=\"data:"))
  }

  @Test func whatHasNoRoomIsNamedWithItsPlace() throws {
    let html = try file(limit: 1_000_000)
    #expect(html.contains("Difference, black where both are equal"))
    let wal = "evidence/a/store.history/store.sqlite-wal"
    #expect(html.components(separatedBy: "Not in this file").count == 2)
    #expect(html.contains("Not in this file (600.0 kB): it lies in the report’s folder as \(wal)."))
    #expect(!html.contains(try reference(wal)))
  }

  @Test func theLimitHoldsForTheWholeFile() throws {
    let whole = try file(limit: 5_000_000, withEvidence: false).utf8.count
    for less in [0, 1, 3000] {
      let html = try file(limit: whole - less, withEvidence: false)
      #expect(html.contains("Left out to keep to") == (less > 0), "\(less)")
    }
  }

  @Test func withoutRowsNoDatabaseIsInIt() throws {
    let folder = try TemporaryFolder()
    let arguments = ["report", Fixture.recording("recorded-evidence"), "--output", "out", "--single-file"]
    _ = try ReporterProcess.run(arguments, in: folder.path)
    #expect(try folder.read("out/report.html").contains("href=\"data:application/octet-stream"))
    _ = try ReporterProcess.run(arguments + ["--no-rows"], in: folder.path)
    #expect(try folder.read("out/report.html").contains("Not in this file"))
    #expect(try !folder.read("out/report.html").contains("data:application/octet-stream"))
  }
}
