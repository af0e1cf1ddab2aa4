import Foundation
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// Names and values that mean harm, limits, and reports without rows.
@Suite struct HostileFindingsTests {
  @Test(arguments: [
    ("t", "a"), ("a\"b", "c'd"), ("<script>alert(1)</script>", "a & b"), ("line\nbreak", "tab\t\u{202E}rtl"),
    ("t; DROP TABLE p; --", "a, (SELECT 1)"), ("rowid", "oid"), ("%s\\n", "[x]`y`"),
    (String(repeating: "long ", count: 190), String(repeating: "é", count: 450)),
  ])
  func namesAreQuotedAndOnOneLine(table: String, column: String) throws {
    let found = try findings(in: SchemaSQL.everything(table: table, column: column))
    #expect(
      Set(found.findings.map(\.kind)) == [
        .brokenForeignKey, .numberAsText, .mixedTypes, .nullBesideEmpty, .mixedDates, .equalKeys, .equalRows,
        .conflictingTriggers,
      ])
    #expect(found.unexamined == [])
    for finding in found.findings {
      #expect(!finding.sentence.contains("\n") && !finding.remedy.contains("\n"))
      #expect(!finding.sentence.contains("\u{202E}") && finding.sentence.count < 800)
    }
    #expect(found.findings.first { $0.kind == .numberAsText }?.table == table)
    #expect(found.findings.first { $0.kind == .numberAsText }?.columns == [column])
  }

  @Test func withoutRowsNoValueAndNoKeyIsTold() throws {
    let found = try findings(in: SchemaSQL.everything(), rows: false)
    #expect(found.findings.count == 8)
    for finding in found.findings {
      #expect(finding.rows == [])
      for value in ["secret", "12,50", "01.05", "row 1", "row 2", "77"] {
        #expect(!"\(finding)".lowercased().contains(value), "\(finding)")
      }
    }
    let counts = Dictionary(uniqueKeysWithValues: found.findings.map { ($0.kind, $0.count) })
    #expect(counts[.mixedTypes] == 1 && counts[.equalKeys] == 2 && counts[.brokenForeignKey] == 1)
  }

  @Test func theSameFileGivesTheSameFindings() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("a.sqlite", SchemaSQL.everything())
    let inspection = inspectDatabase(at: path, rows: true)
    let first = examineDatabase(at: path, inspection, rows: true)
    for _ in 0..<3 { #expect(examineDatabase(at: path, inspection, rows: true) == first) }
    var limits = InspectionLimits()
    limits.examinedSteps = 900
    let cut = examineDatabase(at: path, inspection, rows: true, limits: limits)
    #expect(cut != first && !cut.unexamined.isEmpty && !cut.isCutByTime)
    for _ in 0..<3 { #expect(examineDatabase(at: path, inspection, rows: true, limits: limits) == cut) }
  }

  @Test func whatALimitLeavesUnlookedAtIsSaid() throws {
    let sql =
      "CREATE TABLE t (a REAL); \(numbers(500)) INSERT INTO t SELECT i FROM n; INSERT INTO t VALUES ('x');"
    var limits = InspectionLimits()
    limits.examinedRows = 500
    #expect(
      try findings(in: sql, limits: limits).unexamined == ["Only the first 500 rows of t were looked at."])
    #expect(try findings(in: sql, limits: limits).findings == [])
    limits.examinedRows = 501
    #expect(try findings(in: sql, limits: limits).unexamined == [])
    #expect(try findings(in: sql, limits: limits).findings.count == 1)
    limits.examinedSteps = 500
    #expect(
      try findings(in: sql, limits: limits).unexamined == [
        "Not all rows of t were looked at within the limit of steps."
      ])
  }

  @Test func manyTablesAreLookedAtAsLongAsThereIsRoomAndThoseOfTheTestFirst() throws {
    let sql = (1...6).map {
      "CREATE TABLE t\($0) (a REAL, b REAL); INSERT INTO t\($0) VALUES ('x', 'y'), (1, 1), (2, 2);"
    }.joined()
    var limits = InspectionLimits()
    (limits.findings, limits.tableFindings) = (2, 1)
    let found = try findings(in: sql, written: WrittenRows([1], of: "t5"), limits: limits)
    #expect(
      found.findings.map(\.table) == ["t5", "t1"] && found.findings.map(\.origin) == [.lastStep, .unknown])
    #expect(
      found.unexamined == [
        "t5 has 1 more finding.", "t1 has 1 more finding.", "4 more tables were not looked at.",
      ])
    limits = InspectionLimits()
    limits.totalSteps = 2000
    let spent = try findings(
      in: "CREATE TABLE big (a REAL); \(numbers(2000)) INSERT INTO big SELECT i FROM n;" + sql, limits: limits
    )
    #expect(spent.unexamined.last == "6 more tables were not looked at." && spent.unexamined.count < 6)
  }

  @Test func kindsThatAreNotAskedForAreNotLookedFor() throws {
    for kind in Finding.Kind.allCases {
      let found = try findings(in: SchemaSQL.everything(), kinds: [kind])
      #expect(found.findings.allSatisfy { $0.kind == kind })
    }
    #expect(try findings(in: SchemaSQL.everything(), kinds: []) == .init())
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func theEncodingOfTheDatabaseDoesNotMatter(encoding: String) throws {
    #expect(
      try findings(in: "PRAGMA encoding = '\(encoding)';" + SchemaSQL.everything())
        == findings(in: SchemaSQL.everything()))
  }

  @Test func bytesThatAreNoTextAreHeldForOne() throws {
    let found = try findings(
      in:
        "CREATE TABLE t (k TEXT PRIMARY KEY, a REAL); \(numbers(30)) INSERT INTO t SELECT CAST(x'FF' || i AS TEXT), CAST(x'C328' AS TEXT) FROM n;"
    )
    #expect(found.unexamined == [])
  }

  /// 60 of them, or 10,000 with `EXHIBIT_LONG_TESTS=1`.
  @Test func mutatedDatabasesEndInTheSameFindingsEachTime() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("a.sqlite", SchemaSQL.everything())
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SeededRandom(seed: 15)
    var limits = InspectionLimits()
    (limits.examinedSteps, limits.tableSteps, limits.checkSteps) = (100_000, 100_000, 100_000)
    for _ in 0..<(LongTests.areAsked ? 10_000 : 60) {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place =
          Bool.random(using: &random) ? 4096 * Int.random(in: 0..<bytes.count / 4096, using: &random) : 0
        mutated[min(bytes.count - 1, place + Int.random(in: 0..<120, using: &random))] =
          .random(in: 0...255, using: &random)
      }
      let file = try folder.write(mutated, to: "b.sqlite")
      let inspection = inspectDatabase(at: file, rows: true, limits: limits)
      let found = examineDatabase(at: file, inspection, rows: true, limits: limits)
      #expect(found.findings.count < 1000)
      #expect(examineDatabase(at: file, inspection, rows: true, limits: limits) == found)
    }
  }
}

/// Xorshift: the same numbers in every run.
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
