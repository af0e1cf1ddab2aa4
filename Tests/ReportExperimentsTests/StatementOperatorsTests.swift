import Foundation
import Testing

@testable import ReportExperiments

/// The table of all operators, and what they leave alone.
@Suite struct StatementOperatorsTests {
  @Test func eachHasAName() {
    let names = StatementOperators.all.map(\.name)
    #expect(Set(names).count == names.count)
    for named in StatementOperators.all { #expect(!named.summary.isEmpty && !named.source.isEmpty) }
  }

  @Test func eachMakesVariantsOfSomeStatement() throws {
    let database = try MemoryDatabase(StatementCorpus.schema)
    var context = try database.context(StatementCorpus.all)
    let update = "UPDATE t SET a = 1 WHERE b = 2"
    context.changedRows[update] = ChangedRows(["t": [.init(column: "c", test: " = 3")]])
    let statements = StatementCorpus.all + ["SELECT a FROM t WHERE b = 1 AND c = 2 OR d = 3", update]
    for named in StatementOperators.all {
      let makes = statements.contains { sql in
        !named.make(ParsedStatement(sql, names: context.names), context).isEmpty
      }
      #expect(makes, "\(named.name)")
    }
  }

  /// A table for docs/explain.md.
  static var table: String {
    let rows =
      StatementOperators.all.map { "| \($0.name) | \($0.summary) | \($0.source) |" }
      + (AddedStatements.all + [RepeatedWrites.row] + SettingOperators.all).map {
        "| \($0.name) | \($0.summary) | \($0.source) |"
      }
    return (["| operator | changes | source |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
  }

  @Test func theDocumentHasARowForEach() throws {
    let document = try String(contentsOf: ThisPackage.file("docs/explain.md"), encoding: .utf8)
    for row in Self.table.split(separator: "\n") where !document.contains(row) { Issue.record("\(row)") }
    #expect(document.contains(Self.table), "\(Self.table)")
    for named in StatementOperators.all {
      #expect(!named.summary.contains("|") || named.summary.contains("`||`"))
    }
  }

  @Test(arguments: [
    "", ";", "RELEASE a", "PRAGMA table_info(a)", "PRAGMA journal_mode = WAL",
    "ATTACH 'a' AS b",
    "DETACH b", "VACUUM", "ANALYZE", "SELECT * FROM sqlite_master WHERE type = 'table' AND name < 'x'",
    "SELECT name FROM main.sqlite_schema", "SELECT * FROM pragma_table_info('a') WHERE cid < 3",
    "nonsense < 3",
    "SELECT (a < 3", "SELECT a) < 3", "SELECT CASE a < 3",
  ])
  func thereIsNothingToChange(sql: String) {
    #expect(StatementOperators.variants(of: sql, in: OperatorCase.context) == [])
  }

  @Test func aLongTextHasNone() {
    let sql = "SELECT id FROM loan WHERE id < 3 AND starts_at = '\(String(repeating: "a", count: 65_536))'"
    #expect(StatementOperators.variants(of: sql, in: OperatorCase.context) == [])
  }

  @Test func commentsStayAndHideNothing() {
    let sql = "-- a < b\nSELECT id /* c < d */ FROM loan -- e\nWHERE id < 3 -- f < g\n;"
    let made = StatementOperators.variants(of: sql, in: OperatorContext()).filter {
      $0.operatorName == "bounds"
    }
    #expect(made.map(\.sql) == ["-- a < b\nSELECT id /* c < d */ FROM loan -- e\nWHERE id <= 3"])
  }

  @Test func eachOperatorHasRoom() {
    let terms = (0..<200).map { "starts_at < '\($0)'" }.joined(separator: " AND ")
    let made = StatementOperators.variants(of: "DELETE FROM loan WHERE \(terms)", in: OperatorCase.context)
    #expect(made.count == StatementOperators.most)
    #expect(made.contains { $0.operatorName == "skipped" })
    #expect(made.contains { $0.operatorName == "condition less" })
  }

  @Test func wordsAreShortAndSayWhatIsNear() {
    let list = (0..<90).map { "'\($0)'" }.joined(separator: ", ")
    let sql = "SELECT id FROM loan WHERE starts_at IN (\(list)) AND id < 3"
    for variant in StatementOperators.variants(of: sql, in: OperatorCase.context) {
      #expect(variant.words.count < 260, "\(variant.words)")
    }
  }

  @Test(arguments: [
    ("SELECT \"id\" FROM loan WHERE \"starts_at\" < \"Ada\"", "With “<=” for “<” in “\"starts_at\" < ?”"),
    ("SELECT id FROM loan WHERE starts_at < x'00ff' || 12.5", "With “<=” for “<” in “starts_at < ? || ?”"),
    ("SELECT id FROM loan l WHERE \"l\".\"odd\" < 'it''s'", "With “<=” for “<” in “\"l\".\"odd\" < ?”"),
  ])
  func wordsWithoutLiterals(sql: String, bare: String) {
    let made = StatementOperators.variants(of: sql, in: OperatorCase.context)
    #expect(made.first { $0.operatorName == "bounds" }?.bare == bare)
  }
}
