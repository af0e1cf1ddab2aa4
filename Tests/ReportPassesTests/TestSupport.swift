import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
// For every file of these tests.
@_exported public import TestSupport
import Testing

@testable import ReportCauses
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// Two runs of one test, and what their comparison says.
struct Runs {
  var message = #"XCTAssertEqual failed: ("5") is not equal to ("4") - "#
  var schema = """
    CREATE TABLE bin (id INTEGER PRIMARY KEY, code TEXT, units INTEGER);
    CREATE TABLE move (id INTEGER PRIMARY KEY, bin INTEGER REFERENCES bin(id), units INTEGER, at TEXT);
    CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
    """
  /// Seconds since 1970.
  var (began, passedAt): (Double?, Double?) = (nil, nil)
  var origin = PassOrigin.rerun
  /// Whether the first one is a failed run, and no pass.
  var hasFailed = true
  /// What is known to vary.
  var varied: Set<PassVariation> = []

  typealias Written = (inout WrittenStory) -> Void

  /// - Parameters:
  ///   - failed: Writes the failed run.
  ///   - passes: Write the passes.
  func compare(
    _ failed: Written, _ passes: Written...
  ) throws -> (comparison: PassComparison, explanation: Explanation?) {
    let folder = try TemporaryFolder()
    let path = try folder.database("shop.sqlite", schema)
    let captured = CapturedSchema(
      of: path, evidence: "shop.sqlite", source: "/tmp/shop.sqlite", isUncommitted: false)
    let told = try self.told(failed, failing: true, [captured])
    let causes = Causes(
      told, files: [CapturedFile(database: 0, schema: captured)], message: message)
    let passed = try passes.map {
      ToldPass(origin: origin, began: passedAt, told: try self.told($0, failing: false, []), varied: varied)
    }
    let compare = ComparePasses(told, causes.failingReads, began: began, hasFailed: hasFailed) { _ in nil }
    guard let found = compare.compare(with: passed) else { throw NothingCompared() }
    for pieces in found.comparison.rows.map(\.words) + [found.explanation?.pieces ?? []] {
      let values = ([told] + passed.map(\.told)).flatMap { valuesTold(by: pieces, of: $0, message: message) }
      #expect(values.isEmpty, "\(pieces)")
    }
    return found
  }

  struct NothingCompared: Error {}

  /// What differs between two passes, a later one and an earlier one, and what was known.
  func variations(_ later: Written, _ earlier: Written) throws -> [PassVariation]? {
    let pass = ToldPass(origin: origin, began: nil, told: try told(later, failing: false, []))
    let other = ToldPass(origin: origin, began: nil, told: try told(earlier, failing: false, []))
    return pass.variations(to: other, known: varied)
  }

  private func told(_ write: Written, failing: Bool, _ schemas: [CapturedSchema]) throws -> ToldSteps {
    var written = WrittenStory()
    write(&written)
    if failing { written.issue(0) }
    written.end()
    let file = StoryFile(written.bytes)
    guard let recorded = file.story, file.problems.isEmpty else {
      throw WrittenStory.Unreadable(problems: file.problems)
    }
    let issue = TestIssue(message: message, location: nil, severity: .error, isKnown: false)
    return StoryBuilder(
      recorded, issues: failing ? [issue] : [], schemas: schemas, inspections: [:], path: { $0 }
    ).toldSteps()
  }
}

extension ComparePasses {
  func compare(with passes: [ToldPass]) -> Answer? {
    compare(with: passes.map { pass in PassCandidate(origin: pass.origin) { pass } })
  }
}

extension WrittenStory {
  /// A read of one number.
  mutating func read(_ sql: String, _ number: Int, on connection: Int = 1) {
    step(sql, on: connection, rows: 1, results: "[[\(number)]]", columns: #"["n"]"#)
  }

  mutating func log(_ text: String) {
    step("INSERT INTO log (text) VALUES (?)", changed: 1)
    change(.insert, "log", 1, new: #"[1,"\#(text)"]"#)
  }

  mutating func bin(_ id: Int, _ code: String, _ units: Int) {
    step("INSERT INTO bin (code, units) VALUES (?, ?)", changed: 1)
    change(.insert, "bin", id, new: #"[\#(id),"\#(code)",\#(units)]"#)
  }
}
