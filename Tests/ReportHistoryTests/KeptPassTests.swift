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
    return try history.file.add(run) != nil
  }

  private func pass(_ test: TestCaseID) throws -> EarlierPass? {
    try history.file.passes(of: [test], label: WrittenHistory.label)[test]?.first
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
    #expect(try history.value("SELECT count(*) FROM run_places") == "3")
    // Each test has two newer ones.
    try add(4, passes: [first, second], places: "four")
    #expect(try history.file.places(ofRun: one.run) == nil)
    #expect(try history.value("SELECT count(*) FROM run_places") == "3")
    _ = try history.file.prune(keptRuns: 1, keptDays: nil, now: WrittenHistory.run(4).began)
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

  // MARK: - Which ones

  private func add(
    _ hour: Double, branch: String?, bytes: Int = 10, of tests: [TestCaseID]? = nil, label: String? = nil
  ) throws -> AddedRun? {
    var run = KeptRun(
      run: WrittenHistory.run(hour),
      tests: [first, second].map { WrittenHistory.result($0, .passed) })
    run.run.branch = branch
    if let label { run.run.label = label }
    var random = SystemRandomNumberGenerator()
    for test in tests ?? [first] {
      run.add(pass: (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) }, of: test, began: hour)
    }
    return try history.file.write(isMaking: true) { connection in
      try RunWriting(connection: connection, kept: run, mostPassBytes: 40_000).add()
    }
  }

  private func kept(_ test: TestCaseID) throws -> [Double] {
    try history.file.passes(of: [test], label: WrittenHistory.label)[test]?.compactMap(\.began) ?? []
  }

  @Test func theLastOneOfAnotherBranchStaysBesideTheLastTwo() throws {
    for (hour, branch) in [
      (1.0, "main"), (2, "main"), (3, "topic"), (4, "topic"), (5, nil), (6, "topic"), (7, "topic"),
    ]
      as [(Double, String?)]
    {
      _ = try add(hour, branch: branch)
    }
    #expect(try kept(first) == [7, 6, 5, 2])
    _ = try add(8, branch: "other")
    #expect(try kept(first) == [8, 7, 5, 2])
    _ = try add(9, branch: "another")
    #expect(try kept(first) == [9, 8, 7, 5], "not more than four")
    _ = try add(10, branch: "main", label: "mac")
    #expect(try kept(first) == [9, 8, 7, 5, 10], "those of another label stand behind")
  }

  @Test func withoutRoomTheOlderOnesGoThenTheOldestAndTheLargest() throws {
    #expect(try add(1, branch: "main", bytes: 5000, of: [first, second]) == AddedRun())
    #expect(try add(2, branch: "main", bytes: 5000, of: [first, second]) == AddedRun())
    #expect(try kept(first) == [2, 1] && kept(second) == [2, 1])
    // The older ones of both make room for it.
    #expect(try add(3, branch: "main", bytes: 25_000) == AddedRun())
    #expect(try kept(first) == [3, 2] && kept(second) == [2])
    #expect(try add(4, branch: "main", bytes: 36_000) == AddedRun(passesWithoutRoom: 1))
    #expect(try kept(first) == [4] && kept(second) == [])
    #expect(try add(5, branch: "main", bytes: 60_000) == AddedRun(passesWithoutRoom: 1))
    #expect(try kept(first) == [])
  }

  @Test func aHistoryThatIsToKeepNoneHasNoneFromThenOn() throws {
    #expect(try add(1, passes: [first], places: "one"))
    #expect(try history.file.keepsPasses())
    try history.file.setKeepsPasses(false)
    try history.file.setKeepsPasses(false)
    #expect(try !history.file.keepsPasses())
    try add(2, passes: [first], places: "two")
    for table in ["recorded_passes", "run_places"] {
      #expect(try history.value("SELECT count(*) FROM \(table)") == "0")
    }
    #expect(try history.value("SELECT count(*) FROM outcomes") == "4")
    try history.file.setKeepsPasses(true)
    try add(3, passes: [first])
    #expect(try history.value("SELECT count(*) FROM recorded_passes") == "1")
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
