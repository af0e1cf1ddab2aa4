import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// Who brought what is suspicious, and what a reader therefore sees first.
@Suite struct FindingOriginTests {
  private static let table = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL, note TEXT); \(numbers(100)) INSERT INTO t SELECT i + 10, i, 'x' FROM n;

    """

  private func found(_ now: String, before: String?, _ written: WrittenRows) throws -> [Finding] {
    let folder = try TemporaryFolder()
    func examined(_ name: String, _ sql: String, _ written: WrittenRows) throws -> DatabaseFindings {
      let path = try folder.database(name, Self.table + sql)
      return examineDatabase(at: path, inspectDatabase(at: path, rows: true), rows: true, written: written)
    }
    let baseline = try before.map { try examined("before.sqlite", $0, WrittenRows()) }
    return try examined("now.sqlite", now, written).compared(with: baseline, written).findings
  }

  @Test func whatTheLastStepBroughtComesFirst() throws {
    var written = WrittenRows([7], of: "t", step: 2)
    written.note(.rowid(8), of: "t", step: 5, columns: nil)
    let found = try found(
      "INSERT INTO t VALUES (7, 'many', 'x'), (8, 5, NULL), (9, '1,5', ''), (6, 7, '');",
      before: "INSERT INTO t VALUES (9, '1,5', ''), (6, 7, '');", written)
    #expect(found.map(\.kind) == [.nullBesideEmpty, .mixedTypes, .numberAsText])
    #expect(found.map(\.origin) == [.lastStep, .test, .baseline])
    #expect(found.map(\.isFolded) == [false, false, true])
  }

  @Test func whatTheBaselineHadIsFoldedUnlessTheTestBroughtMore() throws {
    let bad = "INSERT INTO t VALUES (9, 'many', 'x');"
    #expect(try found(bad, before: bad, WrittenRows()).map(\.origin) == [.baseline])
    let more = bad + "INSERT INTO t VALUES (200, 'more', 'x');"
    let written = WrittenRows([200], of: "t", step: 3, last: 4)
    let finding = try #require(try found(more, before: bad, written).first)
    #expect(finding.origin == .test && finding.rows.map(\.key) == [.rowid(200), .rowid(9)])
    #expect(finding.sentence.hasPrefix("t.a holds text in row 200 ('more') and 1 more row"))
  }

  @Test func ofManyRowsOneThatTheTestWroteIsEnough() throws {
    let many = "\(numbers(30)) INSERT INTO t SELECT i + 500, 'text ' || i, 'x' FROM n;"
    let finding = try #require(
      try found(
        many + "UPDATE t SET a = 'new' WHERE id = 529;", before: many,
        WrittenRows([529], of: "t", columns: ["a"])
      ).first)
    #expect(finding.rows.first?.key == .rowid(529) && finding.origin == .lastStep && finding.omitted == 20)
  }

  @Test func aChangeOfAnotherColumnBringsNothing() throws {
    let bad = "INSERT INTO t VALUES (9, 'many', 'x');"
    #expect(
      try found(bad, before: nil, WrittenRows([9], of: "t", columns: ["note"])).map(\.origin) == [.unknown])
  }

  @Test func withABaselineAndNoTraceTheTestBroughtWhatIsNew() throws {
    #expect(
      try found("INSERT INTO t VALUES (9, 'many', 'x');", before: "", WrittenRows()).map(\.origin) == [.test])
  }

  @Test func whereNobodyKnowsOnlyWhatSaysMuchIsNotFolded() throws {
    let found = try found("INSERT INTO t VALUES (9, '1,5', ''), (8, 'x', NULL);", before: nil, WrittenRows())
    #expect(found.map(\.origin) == [.unknown, .unknown, .unknown])
    #expect(found.map(\.kind) == [.numberAsText, .mixedTypes, .nullBesideEmpty])
    #expect(found.map(\.isFolded) == [false, true, true])
  }

  // MARK: - In a report

  private func contents(
    _ sql: String, baseline: String?, rows: Bool = true, story: ((inout WrittenStory) -> Void)? = nil
  ) throws -> DatabaseFindings {
    let folder = try TemporaryFolder()
    try folder.database("shop.sqlite", sql)
    if let baseline { try folder.database("before.sqlite", baseline) }
    let capture = DatabaseCapture(
      method: .immutable, wal: .absent, databaseBytes: 1,
      baseline: baseline == nil ? nil : "before.sqlite")
    var evidence = [
      TestEvidence(
        kind: .database, name: "shop.sqlite", path: "shop.sqlite", bytes: 1, source: "shop.sqlite",
        details: .database(capture))
    ]
    if let story {
      var written = WrittenStory(path: folder.path + "/shop.sqlite")
      story(&written)
      try folder.write(written.bytes, to: "story.jsonl")
      evidence.append(
        TestEvidence(kind: .story, name: "story", path: "story.jsonl", bytes: written.bytes.count))
    }
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)], evidence: evidence)
    let lookup = ContentsLookup(
      folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: rows)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    return try #require(lookup.contents(of: report, nonce: "n").findings["shop.sqlite"])
  }

  @Test func theTraceTellsWhichStepBroughtIt() throws {
    let found = try contents(
      Self.table + "INSERT INTO t VALUES (7, 'many', 'x'), (8, '1,5', 'x');", baseline: nil
    ) { story in
      story.insert("t", 7, #"[7,"many","x"]"#)
      story.insert("t", 8, #"[8,"1,5","x"]"#)
      story.issue(0)
      story.insert("t", 9, #"[9,1,"x"]"#)
    }
    #expect(found.findings.map(\.kind) == [.numberAsText, .mixedTypes])
    #expect(found.findings.map(\.origin) == [.lastStep, .test])
    #expect(found.findings.map { $0.rows.first?.writing?.step } == [2, 1])
  }

  @Test func whatWasRolledBackOrCameBeforeTheBaselineIsNotTheTests() throws {
    let bad = Self.table + "INSERT INTO t VALUES (7, 'many', 'x');"
    let found = try contents(bad, baseline: bad) { story in
      story.insert("t", 7, #"[7,"many","x"]"#)
      story.baseline()
      story.step("BEGIN")
      story.step("UPDATE t SET a = 1", changed: 1)
      story.change(.update, "t", 7, old: #"[7,"many","x"]"#, new: #"[7,1,"x"]"#)
      story.step("ROLLBACK")
      story.issue(0)
    }
    #expect(found.findings.map(\.origin) == [.baseline])
  }

  @Test func withoutATraceTheBaselineTellsWhichRowsAreNew() throws {
    let found = try contents(
      Self.table + "INSERT INTO t VALUES (7, 1e9, 'x');", baseline: Self.table)
    #expect(found.findings.map(\.kind) == [.outlier] && found.findings.map(\.origin) == [.test])
    #expect(found.findings.first?.rows.map(\.key) == [.rowid(7)])
  }

  @Test func withoutRowsTheOriginIsToldAndNoValue() throws {
    let found = try contents(
      Self.table + "INSERT INTO t VALUES (7, 'secret', 'x');", baseline: nil, rows: false
    ) { story in
      story.insert("t", 7, #"[7,"secret","x"]"#)
      story.issue(0)
    }
    #expect(found.findings.map(\.origin) == [.lastStep])
    #expect(found.findings.map(\.sentence) == ["t.a holds text in 1 row, among 100 numbers."])
    #expect(!"\(found)".contains("secret") && found.findings.allSatisfy { $0.rows == [] })
  }
}
