import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportTestSupport

/// What is suspicious in databases that start from the same one.
@Suite struct FindingsLookupTests {
  @Test func whatManyStartFromIsExaminedOnce() throws {
    let folder = try TemporaryFolder()
    let odd = "\(numbers(50)) INSERT INTO t SELECT i, 'x' FROM n; INSERT INTO t VALUES ('many', 'x');"
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [], faults: [], notices: []), nonce: "n")
    for name in ["before", "one", "other"] {
      let path = try folder.database(name, "CREATE TABLE t(a REAL, note TEXT); \(odd)")
      contents.databases[name] = inspectDatabase(at: path, rows: true)
    }
    var lookup = FindingsLookup(folder: folder.path, includesRows: true)
    for name in ["one", "other"] {
      let capture = DatabaseCapture(method: .immutable, databaseBytes: 1, baseline: "before")
      let evidence = TestEvidence(kind: .database, name: name, path: name, details: .database(capture))
      let test = TestResult(id: .store(name), outcome: .failed, evidence: [evidence])
      lookup.look(at: test, written: [:], &contents)
      #expect(contents.findings[name]?.findings.map(\.origin) == [.baseline], "\(name)")
      // What would be read of it now is something else.
      if name == "one" { try FileManager.default.removeItem(atPath: folder("before")) }
    }
  }
}
