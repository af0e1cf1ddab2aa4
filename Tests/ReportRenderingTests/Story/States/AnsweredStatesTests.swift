import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What `reporter show --step` tells of tables: the rows that a step changed, and how many it leaves out.
@Suite struct AnsweredStatesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A table of so many rows, of which the only step settles some and removes others.
  private func answer(rows: Int, settling: [Int], removing: [Int] = []) throws -> StateAnswer {
    let values = (1...rows).filter { !removing.contains($0) }.map {
      "(\($0), \(settling.contains($0) ? 1 : 0))"
    }
    let file = try folder.database(
      "tabs-\(rows)-\(settling).sqlite",
      "CREATE TABLE share(id INTEGER PRIMARY KEY, settled); INSERT INTO share VALUES \(values.joined(separator: ","))"
    )
    let schema = CapturedSchema(
      of: file, evidence: String(file.dropFirst(folder.path.count + 1)), source: file, isUncommitted: false)
    var written = WrittenStory(path: file)
    written.step("UPDATE share SET settled = 1", changed: settling.count + removing.count)
    for key in settling { written.change(.update, "share", key, old: "[\(key),0]", new: "[\(key),1]") }
    for key in removing { written.change(.delete, "share", key, old: "[\(key),0]") }
    written.step("SELECT 1")
    written.end()
    let recorded = try #require(StoryFile(written.bytes).story)
    let builder = StoryBuilder(recorded, issues: [], schemas: [schema], inspections: [:], path: { $0 })
    return builder.answer(to: .step(1), of: [schema], in: folder.path, includesRows: true)
  }

  /// The keys of the shown rows, with the counts of those left out in brackets.
  private func shown(_ answer: StateAnswer) throws -> String {
    let table = try #require(answer.databases.first?.tables.first)
    func left(_ count: Int?) -> [String] { count == 0 ? [] : [count.map { "(\($0))" } ?? "(?)"] }
    let rows = table.rows.flatMap { row -> [String] in
      guard case .rowid(let key) = row.key else { return [] }
      return left(row.leftOut) + ["\(key)\(row.operation?.sign ?? "")"]
    }
    return (rows + left(table.leftOut)).joined(separator: " ")
  }

  @Test func aSmallTableIsShownWhole() throws {
    let answer = try answer(rows: 8, settling: [2, 7], removing: [4])
    #expect(try shown(answer) == "1 2~ 3 4− 5 6 7~ 8")
    #expect(answer.databases[0].tables[0].hasMore == false)
  }

  @Test(arguments: [
    ([20, 22], "(17) 18 19 20~ 21 22~ 23 24 (16)"), ([2, 39], "1 2~ (36) 39~ 40"),
    (Array(10...30), "(7) 8 9 10~ 11~ 12~ 13~ 14~ 15~ 16~ 17~ 18~ 19~ 20~ 21~ 22~ 23 24 (16)"),
  ])
  func ofALargerOneWhatIsLeftOutIsCounted(settling: [Int], expected: String) throws {
    let answer = try answer(rows: 40, settling: settling)
    let shown = try shown(answer)
    if settling.count > 12 {
      // The changed rows beyond the first dozen are counted as such.
      #expect(answer.databases[0].tables[0].omitted == settling.count - 12)
      #expect(answer.lines.map(\.text).contains("      9 rows of these were changed by it too"))
    } else {
      #expect(shown == expected)
      let lines = answer.lines.map(\.text)
      for count in expected.split(separator: " ") where count.hasPrefix("(") {
        #expect(lines.contains("      … \(count.dropFirst().dropLast()) rows"), "\(lines)")
      }
    }
    let table = answer.databases[0].tables[0]
    let all = table.rows.reduce(table.leftOut ?? 0) { $0 + 1 + ($1.leftOut ?? 0) }
    #expect(all == 40, "\(shown)")
  }

  @Test func ofAHugeOneNothingCountsThemAndTheyAreSaidToBeThere() throws {
    let answer = try answer(rows: 5000, settling: [2, 3000])
    #expect(try shown(answer) == "1 2~ (?) 3000~ 3001 3002 (?)")
    #expect(answer.databases[0].tables[0].hasMore)
    #expect(answer.lines.map(\.text).filter { $0 == "      … more rows" }.count == 2)
  }
}
