import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// What a history keeps beside the stories of passes: the places of their stacks, and what varied between them.
@Suite struct KeptPassTests {
  private let history: WrittenHistory
  private let first = WrittenHistory.first
  private let second = WrittenHistory.second

  init() throws {
    history = try WrittenHistory()
  }

  @discardableResult private func add(
    _ hour: Double, passes: [TestCaseID], places: String = "", variations: [TestCaseID: [PassVariation]] = [:]
  ) throws -> Bool {
    var run = KeptRun(
      run: WrittenHistory.run(hour),
      tests: [first, second].map { WrittenHistory.result($0, .passed) })
    for test in passes { run.add(pass: Array("story \(hour)".utf8), of: test, began: hour) }
    run.set(places: Array(places.utf8))
    run.variations = variations
    return try history.file.add(run)
  }

  private func pass(_ test: TestCaseID) throws -> EarlierPass? {
    try history.file.passes(of: [test], label: WrittenHistory.label)[test]
  }

  private func variation(_ statement: String, _ kind: String = "rows read") -> PassVariation {
    PassVariation(statement: statement, kind: kind)
  }

  // MARK: - Places

  @Test func thePlacesOfARunAreKeptWhileAPassOfItIs() throws {
    try add(1, passes: [first, second], places: "one")
    try add(2, passes: [second], places: "two")
    let (one, two) = (try #require(try pass(first)), try #require(try pass(second)))
    #expect(one.run != two.run)
    for pass in [one, two] {
      #expect(try history.file.places(ofRun: pass.run)?.prefix(2) == [0x1F, 0x8B])
    }
    #expect(try history.file.places(ofRun: one.run) != history.file.places(ofRun: two.run))
    try add(3, passes: [first], places: "three")
    #expect(try history.file.places(ofRun: one.run) == nil)
    #expect(try history.value("SELECT count(*) FROM run_places") == "2")
    _ = try history.file.prune(keptRuns: 1, keptDays: nil, now: WrittenHistory.run(3).began)
    #expect(try history.value("SELECT count(*) FROM run_places") == "1")
  }

  @Test func aRunThatIsAddedAgainHasThePlacesOfItsPasses() throws {
    try add(1, passes: [first], places: "one")
    #expect(try !add(1, passes: [first], places: "one"))
    // Numbers in stories of before are others.
    #expect(try add(1, passes: [second], places: "other"))
    #expect(try pass(first) == nil && pass(second) != nil)
    #expect(try history.value("SELECT count(*) FROM run_places") == "1")
  }

  @Test func withoutPlacesThereAreNone() throws {
    try add(1, passes: [first])
    #expect(try history.file.places(ofRun: #require(try pass(first)).run) == nil)
  }

  // MARK: - What varied

  @Test func whatVariedIsKeptByTestAndLabel() throws {
    let varied = [variation("SELECT 1"), variation("UPDATE \"t\" SET a = ?", "column 2 of t")]
    try add(1, passes: [first, second], variations: [first: varied, second: []])
    #expect(try pass(first)?.varied == Set(varied))
    #expect(
      try history.value(
        "SELECT varied FROM variations JOIN tests ON tests.id = test WHERE name = 'testTotal'")
        == #"[{"kind":"rows read","statement":"SELECT 1"},{"kind":"column 2 of t","statement":"UPDATE \"t\" SET a = ?"}]"#
    )
    let all = try history.file.variations(label: WrittenHistory.label)
    #expect(all[first.description]?.varied == Set(varied) && all[second.description]?.varied == [])
    #expect(try history.file.variations(label: "another").isEmpty)
    try add(2, passes: [], variations: [first: [variation("SELECT 2")]])
    #expect(try pass(first)?.varied == [variation("SELECT 2")])
    let numbers = try history.file.variations(label: WrittenHistory.label).mapValues(\.number)
    #expect(
      (numbers[first.description] ?? 0) > (numbers[second.description] ?? 0), "the later one is greater")
  }

  @Test func theyAreBoundedInNumberAndSize() throws {
    let many = (0..<1000).map { variation("SELECT \($0)") }
    let long = (0..<100).map { variation("SELECT \($0) " + String(repeating: "\u{1}", count: 900)) }
    try add(1, passes: [first, second], variations: [first: many, second: long])
    #expect(try pass(first)?.varied == Set(many.prefix(100)))
    let kept = try #require(try pass(second)).varied
    #expect(!kept.isEmpty && kept.isSubset(of: long))
    #expect(
      try Int(history.value("SELECT max(length(CAST(varied AS BLOB))) FROM variations")) ?? .max
        <= HistoryFile.mostTextBytes)
  }

  @Test(arguments: ["", "{", "7", "[7,null,{}]", #"[{"statement":7,"kind":"x"}]"#, "x'00'"])
  func whatIsNoneOfOursSaysNothing(text: String) throws {
    try add(1, passes: [first], variations: [first: [variation("SELECT 1")]])
    let value = text == "x'00'" ? text : "'\(text)'"
    try TestConnection(history.file.path, "UPDATE variations SET varied = \(value)").close()
    #expect(try pass(first)?.varied == [])
  }

  @Test func theyGoWithTheirTest() throws {
    try add(1, passes: [first], variations: [first: [variation("SELECT 1")]])
    try history.add(WrittenHistory.run(90), WrittenHistory.result(second, .passed))
    _ = try history.file.prune(keptRuns: 1, keptDays: nil, now: WrittenHistory.run(90).began)
    #expect(try history.value("SELECT count(*) FROM variations") == "0")
  }
}
