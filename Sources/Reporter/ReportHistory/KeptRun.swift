package import Collector
import ExhibitSystem
package import ReportModel

/// A test's names in the history.
struct KeptTest: Hashable, Sendable {
  var identity: String
  var module: String
  var suite: String
  var name: String
  var argument: String?

  init(_ test: TestCaseID) {
    identity = test.historyIdentity
    module = test.module.cutToBeKept
    suite = test.suite.joined(separator: "/").cutToBeKept
    name = test.name.cutToBeKept
    argument = test.argument?.description.cutToBeKept
  }

  init(_ rows: any HistoryRows) {
    identity = rows.shortText(at: 0) ?? ""
    module = rows.shortText(at: 1) ?? ""
    suite = rows.shortText(at: 2) ?? ""
    name = rows.shortText(at: 3) ?? ""
    argument = rows.shortText(at: 4)
  }

  static let columns = "tests.identity, tests.module, tests.suite, tests.name, tests.argument"
}

extension TestCaseID {
  /// Identifies the test; PostgreSQL does not store zero characters.
  package var historyIdentity: String { description.withoutZeros.cutToBeKept }
}

extension String {
  /// Replaces each zero by U+FFFD.
  var withoutZeros: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }

  /// A long text is truncated and gets a hash.
  fileprivate var cutToBeKept: String {
    guard utf8.count > HistoryFile.mostTextBytes else { return self }
    return String(decoding: utf8.prefix(HistoryFile.mostTextBytes - 32), as: UTF8.self) + "…"
      + StableHash(self).hexadecimal
  }
}

/// A run with everything stored of it.
package struct KeptRun: Sendable {
  struct Outcome: Sendable, Equatable {
    var test: KeptTest
    /// A raw value, possibly of another version.
    var outcome: String
    var isFlaky: Bool
    var duration: Double?
    var message: String?
  }

  struct Pass: Sendable {
    var test: KeptTest
    var began: Double?
    var story: [UInt8]
  }

  package var run: HistoryRun
  var outcomes: [Outcome] = []
  var passes: [Pass] = []
  /// The gzip-compressed `places.json` of the passes, or empty.
  var places: [UInt8] = []
  package var variations: [TestCaseID: [PassVariation]] = [:]
  var differences: [(test: KeptTest, sentence: String)] = []

  package init(run: HistoryRun, tests: [TestResult]) {
    self.run = run
    // Tests of a report can share an identity.
    var seen: Set<String> = []
    for result in tests {
      let test = KeptTest(result.id)
      guard seen.insert(test.identity).inserted else { continue }
      outcomes.append(
        Outcome(
          test: test, outcome: result.outcome.rawValue, isFlaky: result.isFlaky, duration: result.duration,
          message: FoldedMessage(of: result)?.text.withoutZeros))
    }
  }

  package mutating func add(pass story: [UInt8], of test: TestCaseID, began: Double?) {
    guard let story = Self.packed(story) else { return }
    passes.append(Pass(test: KeptTest(test), began: began, story: story))
  }

  package mutating func set(places file: [UInt8]) {
    if !file.isEmpty { places = Self.packed(file) ?? [] }
  }

  private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer(gzip).flatMap { isKept($0) ? $0 : nil }
  }

  private static func isKept(_ packed: [UInt8]) -> Bool { packed.count < Int(HistoryFile.mostValueBytes) }

  // MARK: - Reading

  /// Reads a run; `nil` if it is missing.
  init?(key: String, from connection: any HistoryConnection) throws {
    let rows = try connection.rows("SELECT \(HistoryRun.columns), id FROM runs WHERE key = ?", .text(key))
    guard try rows.step() else { return nil }
    run = HistoryRun(rows)
    // It may be too long for `shortText`.
    run.key = key
    let id = HistoryValue.integer(rows.integer(at: HistoryRun.columnCount))
    outcomes = try Self.outcomes(ofRun: id, in: connection)
    passes = try connection.all(
      """
      SELECT \(KeptTest.columns), passes.began, passes.story FROM recorded_passes AS passes
      JOIN tests ON tests.id = passes.test WHERE passes.run = ?
      """, [id]
    ) { Pass(test: KeptTest($0), began: $0.optionalReal(at: 5), story: $0.blob(at: 6)) }
    .filter { Self.isKept($0.story) }
    let places = try connection.rows("SELECT places FROM run_places WHERE run = ?", id)
    if try places.step() { self.places = places.blob(at: 0) }
    differences = try connection.all(
      """
      SELECT \(KeptTest.columns), differences.sentence FROM differences JOIN tests ON tests.id = differences.test
      WHERE differences.run = ?
      """, [id]
    ) { (KeptTest($0), $0.shortText(at: 5) ?? "") }
  }

  static func outcomes(ofRun id: HistoryValue, in connection: any HistoryConnection) throws -> [Outcome] {
    try connection.all(
      """
      SELECT \(KeptTest.columns), outcomes.outcome, outcomes.flaky, outcomes.duration, messages.text
      FROM outcomes JOIN tests ON tests.id = outcomes.test LEFT JOIN messages ON messages.id = outcomes.message
      WHERE outcomes.run = ?
      """, [id]
    ) { rows in
      Outcome(
        test: KeptTest(rows), outcome: rows.shortText(at: 5) ?? "", isFlaky: rows.integer(at: 6) != 0,
        duration: rows.optionalReal(at: 7), message: rows.shortText(at: 8))
    }
  }
}
