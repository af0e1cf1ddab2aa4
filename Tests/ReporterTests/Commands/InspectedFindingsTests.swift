import Foundation
import Testing

@testable import ReportTestSupport

/// What `reporter inspect` says is suspicious in a file.
@Suite struct InspectedFindingsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func inspect(_ arguments: String...) throws -> String {
    let result = try ReporterProcess.run(["inspect", "a.sqlite"] + arguments, in: folder.path)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    return result.output
  }

  @Test func aCleanDatabaseHasNone() throws {
    try folder.database("a.sqlite", "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2);")
    #expect(try !inspect("--all-findings").contains("indings"))
    #expect(try inspect("--json").contains(#""findings":[]"#))
  }

  @Test func minorOnesAreCountedUnlessAllAreAskedFor() throws {
    try folder.database("a.sqlite", SchemaSQL.everything())
    let text = try inspect()
    #expect(text.contains("✓ quick_check · ✗ foreign keys"))
    #expect(text.contains("! t.p refers to no row of p in row 1 (77).\n    row 1: p 77\n"))
    #expect(text.contains("more minor findings: --all-findings prints what.\n"))
    #expect(!text.contains("The triggers") && !text.contains("nobody"))
    let all = try inspect("--all-findings")
    #expect(all.contains("! The triggers tr<i>1 and tr⏎2 both run") && !all.contains("--all-findings"))
    let json = try JSONSerialization.jsonObject(with: Data(try inspect("--json").utf8)) as? [String: Any]
    let found = try #require(json?["findings"] as? [[String: Any]])
    #expect(found.count == 8 && Set(found.map { $0["origin"] as? String }) == ["unknown"])
    #expect(found.filter { $0["folded"] as? Bool == true }.count == 6)
  }

  @Test func ofManyBrokenKeysTheFirstAreToldAndTheRestCounted() throws {
    try folder.database("a.sqlite", SchemaSQL.brokenKeys(tables: 42))
    let text = try inspect()
    #expect(text.components(separatedBy: " refers to no row of parent in row ").count == 6)
    #expect(text.contains("! t3.b refers to no row of parent in row 7 (43)."))
    #expect(text.contains("! 79 more foreign keys of 40 tables refer to no row, in 79 rows."))
    #expect(text.contains("\n79 more findings: --all-findings prints what."), "\(text)")
    let all = try inspect("--all-findings")
    #expect(all.components(separatedBy: " refers to no row of parent in row ").count == 85)
    #expect(!all.contains("more foreign keys") && !all.contains("--all-findings"))
    let json = try JSONSerialization.jsonObject(with: Data(try inspect("--json").utf8)) as? [String: Any]
    let found = try #require(json?["findings"] as? [[String: Any]])
    #expect(found.count == 85 && found.filter { $0["folded"] as? Bool == false }.count == 6)
    #expect(found.compactMap { $0["gathers"] as? Int } == [79])
    #expect(Set(found.compactMap { $0["table"] as? String }).count == 42)
  }

  @Test func withoutRowsNoValueAndNoKeyIsTold() throws {
    try folder.database("a.sqlite", SchemaSQL.everything())
    for arguments in [["--all-findings"], ["--json"]] {
      let result = try ReporterProcess.run(
        ["inspect", "a.sqlite", "--no-rows", "--table", "p"] + arguments, in: folder.path)
      #expect(result.status == 0 && result.output.contains("refers to no row of p in 1 row"))
      for value in ["12,50", "row 1", "77", "01.05", "1,5"] {
        // The name of the folder is random.
        #expect(!result.output.replacing(folder.path, with: "").contains(value), "\(value)")
      }
    }
  }

  @Test func namesAndValuesDoNotReachTheTerminal() throws {
    try folder.database(
      "a.sqlite",
      SchemaSQL.everything(table: "t\u{1B}[2J\u{202E}", column: "::error::x\n")
        .replacing("'12,50'", with: "'12,50' || char(27) || ']0;x'"))
    for arguments in [["--all-findings"], ["--json"]] {
      let output = try ReporterProcess.run(["inspect", "a.sqlite"] + arguments, in: folder.path).output
      #expect(
        output.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.value >= 0x20 && ($0.value != 0x202E || arguments == ["--json"])
        })
    }
  }
}
