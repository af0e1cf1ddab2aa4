import Foundation
import Testing

@testable import ReportExperiments
@testable import ReportInspection
@testable import ReportStory
@testable import TestSupport

/// What the captured database says of its columns, and which changes that leaves out.
@Suite struct CapturedValuesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func values(_ statements: [String]) throws -> CapturedValues {
    CapturedValues([try captured(statements)])
  }

  private func captured(
    _ statements: [String], as name: String = "captured"
  ) throws -> (path: String, schema: CapturedSchema) {
    let path = folder.path + "/\(name).sqlite"
    _ = try MemoryDatabase(statements + ["VACUUM INTO '\(path)'"])
    let connection = try InspectionConnection(path: path, limits: InspectionLimits())
    let schema = DatabaseSchema(of: connection, leading: [], limits: InspectionLimits())
    return (path, CapturedSchema(schema))
  }

  @Test func whatAColumnHoldsIsKnown() throws {
    let values = try values([
      "CREATE TABLE t (n INTEGER, m TEXT, word TEXT, mixed, u TEXT, r REAL, none TEXT)",
      "INSERT INTO t VALUES (1, '2026-03-01', ' a ', x'00', '8aea98e1-c0ff-40fe-8aea-98e1c0ff40fe', 1.5, NULL)",
      "INSERT INTO t VALUES (2, '2026-03-01 08:00', '', 7, NULL, 2, NULL)",
    ])
    let n = values.values(of: "N", in: "T")
    #expect(n.isKnown && n.holdsNumbers && !n.holdsTexts && !n.holdsNull && !n.holdsFractions)
    let m = values.values(of: "m", in: "t")
    #expect(m.holdsMoments && m.holdsTexts && m.holdsDigits && !m.holdsWords && !m.holdsPadded)
    let word = values.values(of: "word", in: "t")
    #expect(
      word.holdsWords && word.holdsPadded && word.holdsEmptyTexts && !word.holdsMoments && !word.holdsDigits)
    let mixed = values.values(of: "mixed", in: "t")
    #expect(mixed.holdsBlobs && mixed.holdsNumbers && !mixed.holdsTexts)
    #expect(values.values(of: "u", in: "t").holdsUUIDs && values.values(of: "r", in: "t").holdsFractions)
    let none = values.values(of: "none", in: "t")
    #expect(none.holdsNull && !none.holdsTexts)
    // Of what is not known all may be true.
    #expect(values.values(of: "x", in: "t") == ColumnValues() && !ColumnValues().isKnown)
    #expect(values.values(of: "n", in: "elsewhere").holdsBlobs)
  }

  @Test func whatCannotBeReadIsNotKnown() throws {
    let path = folder.path + "/broken.sqlite"
    try Data("SQLite format 3".utf8).write(to: URL(fileURLWithPath: path))
    let schema = CapturedSchema(DatabaseSchema())
    for path in [path, folder.path + "/gone.sqlite"] {
      #expect(CapturedValues([(path, schema)]).values(of: "a", in: "t") == ColumnValues())
    }
    #expect(try values(["CREATE TABLE t (a)"]).values(of: "a", in: "t") == ColumnValues())
  }

  @Test func aTableThatSeveralHaveIsNotKnownThoughOneHasNoneOrCannotBeRead() throws {
    let filled = try captured(["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"], as: "filled")
    let empty = try captured(["CREATE TABLE t (a)"], as: "empty")
    let gone = (path: folder.path + "/gone.sqlite", schema: filled.schema)
    for other in [empty, gone] {
      for files in [[filled, other], [other, filled]] {
        #expect(CapturedValues(files).values(of: "a", in: "t") == ColumnValues())
      }
    }
    #expect(CapturedValues([filled]).values(of: "a", in: "t").isKnown)
  }

  @Test func whatDoesNothingToAColumnsValuesIsLeftOut() {
    func names(_ change: (inout ColumnValues) -> Void) -> Set<String> {
      var values = ColumnValues()
      change(&values)
      let column = OperatorContext.Column(name: "a", collectsTexts: true, values: values)
      let context = OperatorContext(tables: ["t": [column]])
      return Set(
        StatementOperators.variants(of: "SELECT a FROM t WHERE a = ?", in: context).map(\.operatorName))
    }
    let all = names { _ in }
    #expect(
      all.isSuperset(of: ["null equality", "trimmed", "day of moment", "column test", "case of letters"]))
    #expect(!names { $0.holdsNull = false }.contains("null equality"))
    #expect(!names { $0.holdsWords = false }.contains("trimmed"))
    #expect(!names { $0.holdsMoments = false }.contains("day of moment"))
  }
}
