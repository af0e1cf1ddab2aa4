import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// Of many findings of a kind the first ones are told, the rest is counted and folded, and none is lost.
@Suite struct GatheredFindingsTests {
  private func finding(
    _ number: Int, _ origin: Finding.Origin = .unknown, kind: Finding.Kind = .brokenForeignKey
  ) -> Finding {
    Finding(
      kind: kind, weight: .strong, table: "t\(number / 2)", columns: ["c\(number)"], sentence: "\(number)",
      rows: [.init(key: .rowid(7))], count: 3, remedy: "r", origin: origin)
  }

  private func gathered(_ findings: [Finding]) -> [Finding] {
    DatabaseFindings(findings: findings).gathered.findings
  }

  @Test func theFirstOfManyAreToldAndTheRestIsCountedAndKept() throws {
    let all = (0..<84).map { finding($0) }
    let found = gathered(all)
    #expect(found.count == 85 && found.filter { !$0.isFolded }.count == 6)
    #expect(found.prefix(5).map(\.sentence) == ["0", "1", "2", "3", "4"])
    #expect(found[5].sentence == "79 more foreign keys of 40 tables refer to no row, in 237 rows.")
    #expect(found[5].gathers == 79 && found[5].count == 237 && found[5].rows == [] && found[5].table == nil)
    #expect(found.dropFirst(6).map(\.sentence) == (5..<84).map(String.init))
    #expect(found.dropFirst(6).allSatisfy { $0.isFolded && $0.isOneOfMany })
  }

  @Test func fewAreToldWhole() {
    let few = (0..<6).map { finding($0) }
    #expect(gathered(few) == few)
  }

  @Test func eachOriginAndEachKindIsCountedByItself() {
    let found = gathered(
      (0..<8).map { finding($0, .lastStep) } + (0..<6).map { finding($0, .test) }
        + (0..<7).map { finding($0, .test, kind: .numberAsText) } + (0..<50).map { finding($0, .baseline) })
    #expect(found.compactMap(\.gathers) == [3, 2])
    #expect(found.filter { $0.gathers != nil }.map(\.origin) == [.lastStep, .test])
    #expect(
      found.first { $0.gathers == 2 }?.sentence == "2 more findings of this kind, in 2 tables.")
    #expect(found.filter(\.isOneOfMany).count == 5)
  }

  @Test func whereNotAllRowsWereCountedThereAreAtLeastSoMany() {
    var cut = finding(9)
    cut.hasMore = true
    let found = gathered((0..<6).map { finding($0) } + [cut])
    #expect(found[5].sentence == "2 more foreign keys of 2 tables refer to no row, in at least 6 rows.")
    #expect(found[5].hasMore)
  }

  @Test func aDatabaseWithManyTellsNoneTwiceWithItsBaseline() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("a.sqlite", SchemaSQL.brokenKeys(tables: 42))
    let examined = examineDatabase(at: path, inspectDatabase(at: path, rows: true), rows: true)
    #expect(examined.findings.count == 84)
    let compared = examined.compared(with: examined, WrittenRows()).gathered.findings
    #expect(compared.count == 84 && compared.allSatisfy { $0.origin == .baseline && !$0.isOneOfMany })
  }

  @Test func inAReportThePageCountsThemAndReportJSONHasThemAll() {
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)],
      evidence: [
        TestEvidence(
          kind: .database, name: "s", path: "s", source: "s",
          details: .database(DatabaseCapture(method: .immutable, databaseBytes: 1)))
      ])
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.findings = ["s": DatabaseFindings(findings: (0..<84).map { finding($0) })]
    let found = TestFindings(test, contents)
    #expect(found.leading.count == 6 && found.folded.count == 79)
    #expect(found.paths(of: found.leading[5]) == ["s"])
    #expect(
      found.lines.last?.text == "79 more findings, of a kind of which there are many",
      "\(found.lines.last?.text ?? "")")
    let json = String(decoding: ReportDocument(contents).file().contents, as: UTF8.self)
    for number in 0..<84 { #expect(json.contains("[\"c\(number)\"]"), "\(number)") }
    #expect(json.contains("\"gathers\":79"))
  }
}
