import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// Shards from several machines become one report, or a fault that names the one that does not fit.
@Suite struct ShardChecksTests {
  private let folder: TemporaryFolder
  private static let tests = (1...8).map { TestCaseID(module: "M", suite: ["S\($0 / 3)"], name: "test\($0)") }
  private static let now = 1_800_000_000.0

  init() throws {
    folder = try TemporaryFolder()
  }

  private func split(into count: Int) throws -> TestSplit { try #require(TestSplit(Self.tests, into: count)) }

  /// Writes an artifacts folder with a run, as `reporter test --shard` leaves it.
  private func write(
    _ number: Int, of split: TestSplit?, in name: String? = nil, run: String = "nightly",
    tests: [TestCaseID]? = nil,
    _ change: (inout RunManifest) -> Void = { _ in }
  ) throws {
    let name = name ?? "shard-\(number)"
    var log = try WrittenLog()
    for test in tests ?? split?.tests(of: number) ?? Self.tests { try log.pass(test, .xctest) }
    try log.end()
    let path = "\(name)/runs/\(run)"
    try folder.write(log.bytes, to: "\(path)/logs/7-70.jsonl")
    var manifest = RunManifest(
      run: run, start: Self.now - Double(number), package: "/machine\(number)/package", host: "host\(number)",
      toolchain: "Swift 6.3", commit: String(repeating: "a", count: 40))
    manifest.job = "test"
    change(&manifest)
    try folder.write(JSONEncoder().encode(manifest), to: "\(path)/run.json")
    if let split { try ShardRecord.write(split, shard: number, to: RunFolder(path: folder("\(path)"))) }
  }

  private func read(_ names: [String]) throws -> [RunInputs] {
    let places = try InputDiscovery().find(names.map { folder($0) })
    return try RunInputs.read(places, recovered: [:], named: names)
  }

  private func faults(_ names: [String], expected: Int? = nil) throws -> [Remark] {
    let runs = try read(names)
    return ShardChecks.check(runs, expected: expected, RunJoin(runs), now: Self.now).faults
  }

  private func missing(_ names: [String], expected: Int? = nil) throws -> [MissingShard] {
    let runs = try read(names)
    return ShardChecks.missing(from: runs, expected: expected, RunJoin(runs))
  }

  @Test func theMissingShardsAreKnownWithTheirTests() throws {
    let split = try split(into: 4)
    for number in [1, 2, 4] { try write(number, of: split) }
    let names = [1, 2, 4].map { "shard-\($0)" }
    let third = MissingShard(number: 3, count: 4, tests: split.tests(of: 3).count)
    for expected in [nil, 4] { #expect(try missing(names, expected: expected) == [third]) }
    #expect(try missing(names, expected: 5).map(\.number) == [3, 5])
    #expect(try missing(["shard-1"]) == [])
    #expect(try missing(["shard-1"], expected: 4).map(\.number) == [2, 3, 4])
  }

  @Test func runsWithoutNumbersAreCounted() throws {
    for number in 1...3 { try write(number, of: nil) }
    let names = (1...3).map { "shard-\($0)" }
    #expect(try missing(names, expected: 4) == [MissingShard(count: 4)])
    #expect(try missing(names) == [] && missing(names, expected: 2) == [])
  }

  @Test func whatBelongsTogetherIsOneReport() throws {
    let split = try split(into: 3)
    for number in 1...3 { try write(number, of: split) }
    let names = (1...3).map { "shard-\($0)" }
    for expected in [nil, 3] { #expect(try faults(names, expected: expected) == []) }
    let runs = try read(names)
    let join = RunJoin(runs)
    #expect(join.tests.map(\.id) == Self.tests.sorted() && join.remarks == Remarks() && join.repeated.isEmpty)
    #expect(join.tests.allSatisfy { $0.attempts.isEmpty && $0.labels.isEmpty })
    #expect(runs.map { join.overviews[$0.id]?.tests }.compactMap { $0 }.reduce(0, +) == 8)
    // One name is that of none of them.
    #expect(Set(runs.map(\.id.name)) == Set(names.map { "\(folder($0))/runs/nightly" }))
  }

  @Test func oneShardAloneIsNoMerge() throws {
    try write(2, of: try split(into: 3))
    #expect(try faults(["shard-2"]) == [])
  }

  @Test func aMissingShardIsNamedWithItsTests() throws {
    let split = try split(into: 3)
    for number in [1, 3] { try write(number, of: split) }
    let missing = split.tests(of: 2)
    for expected in [nil, 3] {
      let fault = try #require(try faults(["shard-1", "shard-3"], expected: expected).first)
      #expect(
        fault.kind == "shardMissing"
          && fault.message.hasPrefix("Shard 2 of 3 is missing. \(missing.count) tests"))
      #expect(fault.message.contains(missing[0].description))
    }
    #expect(try faults(["shard-1"], expected: 3)[0].message.hasPrefix("Shards 2, 3 of 3 are missing."))
  }

  @Test func anotherCountIsAFault() throws {
    let split = try split(into: 2)
    for number in 1...2 { try write(number, of: split) }
    let kinds = try faults(["shard-1", "shard-2"], expected: 4).map(\.kind)
    #expect(kinds == ["shardsDiffer", "shardsDiffer", "shardMissing"])
  }

  @Test func aShardThatIsThereTwiceIsNamed() throws {
    let split = try split(into: 2)
    for number in 1...2 { try write(number, of: split) }
    try write(2, of: split, in: "again")
    let faults = try faults(["shard-1", "shard-2", "again"])
    #expect(faults.map(\.kind) == ["shardRepeated"])
    #expect(faults[0].message.hasPrefix("Shard 2 of 2 is there twice: "))
    #expect(faults[0].message.contains("/again/runs/nightly"))
    let join = RunJoin(try read(["shard-1", "shard-2", "again"]))
    #expect(join.repeated == split.tests(of: 2).sorted() && join.tests.count == 8)
  }

  @Test func oneOfAnotherCommitIsNamed() throws {
    let split = try split(into: 3)
    for number in 1...3 {
      try write(number, of: split) { if number == 2 { $0.commit = String(repeating: "b", count: 40) } }
    }
    let faults = try faults(["shard-1", "shard-2", "shard-3"])
    #expect(faults.map(\.kind) == ["shardOfAnotherCommit"])
    #expect(faults[0].input?.hasSuffix("shard-2/runs/nightly") == true)
    #expect(faults[0].message.contains("bbbbbbbbbbbb, not of aaaaaaaaaaaa"))
  }

  @Test func oneThatWasCutOffIsNamedWithWhatItDidNotRun() throws {
    let split = try split(into: 2)
    try write(1, of: split)
    try write(2, of: split, tests: Array(split.tests(of: 2).dropLast()))
    let faults = try faults(["shard-1", "shard-2"])
    #expect(faults.map(\.kind) == ["unobservedTests"])
    #expect(faults[0].message.hasPrefix("Shard 2 of 2 ("))
    #expect(faults[0].message.hasSuffix("\(try #require(split.tests(of: 2).last))."))
    // It is told without a merge too.
    #expect(try self.faults(["shard-2"]).map(\.kind) == ["unobservedTests"])
  }

  @Test func anInvocationWithoutAnEndIsNamed() throws {
    let split = try split(into: 2)
    for number in 1...2 { try write(number, of: split) }
    try folder.write("", to: "shard-2/runs/nightly/inputs/output.txt")
    let faults = try faults(["shard-1", "shard-2"])
    #expect(faults.map(\.kind) == ["shardUnended"])
    #expect(faults[0].message.contains("shard-2/runs/nightly) is cut off"))
  }

  @Test func differentSplitsNameWhatRanTwiceAndWhatDidNotRun() throws {
    let durations = Dictionary(
      uniqueKeysWithValues: Self.tests.enumerated().map { ($1, Double($0 * $0 + 1)) })
    let other = try #require(TestSplit(Self.tests, into: 2, durations: durations))
    let split = try split(into: 2)
    try write(1, of: split)
    try write(2, of: other)
    let (twice, absent) = (
      Set(split.tests(of: 1)).intersection(other.tests(of: 2)).sorted(),
      Set(Self.tests).subtracting(split.tests(of: 1)).subtracting(other.tests(of: 2)).sorted()
    )
    try #require(split.hash != other.hash && !(twice.isEmpty && absent.isEmpty))
    let faults = try faults(["shard-1", "shard-2"])
    #expect(faults.map(\.kind) == ["shardsDiffer"])
    for test in twice + absent { #expect(faults[0].message.contains(test.description)) }
    #expect(faults[0].message.contains(twice.isEmpty ? "No test ran twice" : "ran twice"))
  }

  @Test func runsThatDoNotSayWhichShardTheyAreAreCounted() throws {
    for number in 1...2 { try write(number, of: nil, tests: [Self.tests[number]]) }
    #expect(try faults(["shard-1", "shard-2"]) == [])
    #expect(try faults(["shard-1", "shard-2"], expected: 2) == [])
    let missing = try faults(["shard-1", "shard-2"], expected: 3)
    #expect(
      missing.map(\.kind) == ["shardMissing"] && missing[0].message.hasPrefix("1 of 3 shards is missing."))
    #expect(try faults(["shard-1", "shard-2"], expected: 1).map(\.kind) == ["shardRepeated"])
    try write(1, of: nil, in: "copy", tests: [Self.tests[1]])
    #expect(try faults(["shard-1", "copy"], expected: 2).map(\.kind) == ["shardRepeated"])
    try write(3, of: try split(into: 3))
    #expect(try faults(["shard-1", "shard-3"]).map(\.kind).contains("shardUnknown"))
  }

  @Test func aClockInTheFutureIsAFault() throws {
    let split = try split(into: 2)
    for number in 1...2 { try write(number, of: split) { if number == 1 { $0.start = Self.now + 1e9 } } }
    #expect(try faults(["shard-1", "shard-2"]).map(\.kind) == ["clockAhead"])
  }

  @Test(arguments: [
    "{", "{}", #"{"format":"1.4","number":3,"count":2,"split":"a","tests":1}"#,
    #"{"format":"1.4","number":1,"count":1000000000000,"split":"a","tests":1}"#,
    #"{"format":"1.4","number":1,"count":2,"split":"","tests":1}"#,
    #"{"format":"1.4","number":-1,"count":2,"split":"a","tests":-1}"#,
  ]) func aDamagedRecordIsAFault(text: String) throws {
    try write(1, of: nil)
    try folder.write(text, to: "shard-1/runs/nightly/shard.json")
    let runs = try read(["shard-1"])
    #expect(runs[0].remarks.faultKinds == ["unreadableInput"] && runs[0].run?.shard == nil)
  }

  @Test func aSplitThatIsAnotherIsAFault() throws {
    let split = try split(into: 2)
    for number in 1...2 { try write(number, of: split) }
    // One of them suffices.
    try folder.write("1 M.S/a\n", to: "shard-1/runs/nightly/split.txt")
    #expect(try faults(["shard-1", "shard-2"]) == [])
    try folder.write("1 M.S/a\n", to: "shard-2/runs/nightly/split.txt")
    #expect(try faults(["shard-1", "shard-2"]).map(\.kind) == ["unreadableInput"])
    // A link is not followed.
    try FileManager.default.removeItem(atPath: folder("shard-2/runs/nightly/shard.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder("shard-2/runs/nightly/shard.json"),
      withDestinationPath: folder("shard-1/runs/nightly/shard.json"))
    #expect(try read(["shard-2"])[0].remarks.faultKinds == ["unreadableInput"])
  }

  @Test func placesOfAnotherMachineAreOfOnePackage() throws {
    for number in 1...2 {
      try write(number, of: nil, tests: [Self.tests[number]])
      var log = try WrittenLog()
      try log.add(
        Self.tests[number],
        TestStart(framework: .swiftTesting, file: "/machine\(number)/package/Tests/A.swift", line: 3))
      try log.add(
        Self.tests[number],
        RecordedIssue(message: "no", file: "/machine\(number)/package/Tests/A.swift", line: 5))
      try log.finish(Self.tests[number], .failed)
      try log.end()
      try folder.write(log.bytes, to: "shard-\(number)/runs/nightly/logs/7-70.jsonl")
    }
    let tests = RunJoin(try read(["shard-1", "shard-2"])).tests
    #expect(tests.map(\.location?.file) == Array(repeating: "/machine1/package/Tests/A.swift", count: 2))
    #expect(
      tests.flatMap(\.issues).map(\.location?.file)
        == Array(repeating: "/machine1/package/Tests/A.swift", count: 2))
  }
}
