import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// What the program read and wrote on: the same in nearly all rows.
@Suite struct CopiesTests {
  /// Forty amounts as texts, written as whole cents by `write`; every tenth is marked as `late`.
  private func amounts(
    _ message: String = unequal(700, 900), count: Int = 40, write: (Int) -> Int
  ) throws -> [Explanation] {
    var sql = """
      CREATE TABLE file (id INTEGER PRIMARY KEY, sku TEXT, amount TEXT, late INTEGER);
      CREATE TABLE price (id INTEGER PRIMARY KEY, sku TEXT, cents INTEGER);

      """
    func amount(_ id: Int) -> String { "\(id + 3).\(id % 90 + 10)" }
    for id in 1...count {
      sql += "INSERT INTO file VALUES (\(id), 'K-\(id)', '\(amount(id))', \(id % 10 == 0 ? 1 : 0));"
    }
    return try why(message, sql) { story in
      let rows = (1...3).map { #"[\#($0),"K-\#($0)","\#(amount($0))",0]"# }
      story.step(
        "SELECT * FROM file ORDER BY id", rows: count, results: "[\(rows.joined(separator: ","))]",
        columns: #"["id","sku","amount","late"]"#)
      for id in 1...count {
        story.step("INSERT INTO price(sku, cents) VALUES (?, ?)", changed: 1)
        story.change(.insert, "price", id, new: #"[\#(id),"K-\#(id)",\#(write(id))]"#)
      }
      story.read("SELECT sum(cents) FROM price", 700)
    }
  }

  private func cents(_ id: Int) -> Int { (id + 3) * 100 + id % 90 + 10 }

  @Test func valuesThatDifferFromTheirSourceAreNamedWithWhatTheyHaveInCommon() throws {
    let first = try #require(try amounts { $0 % 10 == 0 ? cents($0) - 1 : cents($0) }.first)
    #expect(first.certainty == .likely && first.steps == [11])
    #expect(
      first.text.contains(
        "writes to price.cents what “SELECT * FROM file ORDER BY id” read as amount, times 100, in 36 of 40 rows; in 4 it wrote another value, each 1 lower (first in step 11); only these have late 1."
      ))
    #expect(first.rows?.columns == ["id read", "amount read", "cents written"])
    #expect(first.rows?.rows.first == [.integer(10), .text("13.20"), .integer(1319)])
  }

  @Test func aFewOtherValuesAreNamedWithoutACommonAmount() throws {
    let first = try #require(try amounts { [7, 9].contains($0) ? cents($0) - $0 : cents($0) }.first)
    #expect(first.text.contains("in 38 of 40 rows; in 2 it wrote another value (first in step 8)."))
    // Four without an amount in common are more than one in twenty.
    #expect(try amounts { $0 % 10 == 0 ? cents($0) - $0 : cents($0) }.isEmpty)
  }

  @Test func whatIsNoCopyIsNone() throws {
    #expect(try amounts { cents($0) }.isEmpty)
    #expect(try amounts { $0 * 7 }.isEmpty)
    #expect(try amounts { _ in 5 }.isEmpty)
    #expect(try amounts(count: 19) { $0 == 3 ? 1 : cents($0) }.isEmpty)
  }

  /// Where the captured rows are not those that were read, nothing is compared.
  @Test func rowsThatChangedSinceAreNotCompared() throws {
    let found = try why(
      unequal(700, 900),
      "CREATE TABLE file (id INTEGER PRIMARY KEY, amount TEXT); INSERT INTO file VALUES (1, '5.00'); CREATE TABLE price (id INTEGER PRIMARY KEY, cents INTEGER);"
    ) { story in
      story.step("SELECT * FROM file", rows: 30, results: #"[[1,"4.00"]]"#, columns: #"["id","amount"]"#)
      for id in 1...30 { story.insert("price", id, "[\(id),\(id * 100)]") }
      story.read("SELECT sum(cents) FROM price", 700)
    }
    #expect(found.isEmpty)
  }
}
