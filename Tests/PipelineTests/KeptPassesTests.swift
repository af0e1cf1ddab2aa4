import Foundation
import Testing

/// What real tests did that passed goes into the history, and only where values may be kept.
@Suite struct KeptPassesTests {
  private let history: TemporaryFolder
  private var file: String { history("history.sqlite") }

  init() throws {
    history = try TemporaryFolder()
  }

  private func add(_ run: FixtureRun, _ options: String...) async throws -> CommandResult {
    try await FixturePackage.recorded.reportAgain(
      on: run, ["--history", file, "--history-access", "add"] + options)
  }

  private func value(_ sql: String) throws -> String { try TestConnection(file).text(sql) }

  @Test func theStoryOfEachPassIsKeptOnce() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(
      ["StoryTests.PassTests/testOrders", "StoryTests.PassTests/testWithoutSteps"],
      environment: ["EXHIBIT_RECORD_PASSES": "on"])
    let result = try await add(run)
    #expect(result.status == 0, "\(result.output)")
    #expect(
      try value("SELECT group_concat(identity) FROM recorded_passes JOIN tests ON tests.id = test")
        == "StoryTests.PassTests/testOrders")
    let packed = try value("SELECT hex(story) FROM recorded_passes")
    let bytes = stride(from: 0, to: packed.count, by: 2).compactMap { index in
      UInt8(packed.dropFirst(index).prefix(2), radix: 16)
    }
    let path = try history.write(bytes, to: "story.gz")
    _ = try Command(["gzip", "-d", path]).run()
    let entry = try Data(contentsOf: URL(fileURLWithPath: history("story")))
    #expect(entry.starts(with: Data("Exhibit pass 1\n".utf8)))
    // A test of 24 statements is to take 2 KB.
    #expect(bytes.count < entry.count / 2)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    _ = try await add(run)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func withoutRowsNoneIsKept() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(
      ["StoryTests.PassTests/testOrders"], environment: ["EXHIBIT_RECORD_PASSES": "on"])
    _ = try await add(run, "--no-rows")
    #expect(try value("SELECT count(*) FROM recorded_passes") == "0")
    #expect(try value("SELECT count(*) FROM outcomes") == "1")
  }

  // MARK: - Places, and what varied

  private static let varies = "StoryTests.PassTests/testVaries"

  private func record(
    _ test: String = varies, _ environment: [String: String] = ["EXHIBIT_RECORD_PASSES": "on"],
    into artifacts: TemporaryFolder? = nil
  ) async throws -> FixtureRun {
    let run = artifacts == nil ? [:] : ["EXHIBIT_RUN": "one"]
    return try await FixturePackage.recorded.testXCTestsDirectly(
      [test], into: artifacts, environment: environment.merging(run) { $1 })
  }

  /// Notes in a run's manifest that it is of a commit without changes.
  private func call(_ run: FixtureRun, commit: String) throws {
    let url = URL(fileURLWithPath: try #require(try run.runs.first) + "/run.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    var manifest = try #require(object as? [String: Any])
    (manifest["commit"], manifest["dirty"]) = (commit, false)
    try JSONSerialization.data(withJSONObject: manifest).write(to: url)
  }

  /// All that is packed into the history.
  private func unpacked() throws -> String {
    let texts = try ["SELECT hex(story) FROM recorded_passes", "SELECT hex(places) FROM run_places"].map {
      sql in
      let packed = try value(sql)
      let bytes = stride(from: 0, to: packed.count, by: 2).compactMap { index in
        UInt8(packed.dropFirst(index).prefix(2), radix: 16)
      }
      let path = try history.write(bytes, to: "packed.gz")
      _ = try Command(["gzip", "-df", path]).run()
      return String(decoding: try Data(contentsOf: URL(fileURLWithPath: history("packed"))), as: UTF8.self)
    }
    return texts.joined()
  }

  /// The rows of the comparison of a failed run with the history's pass.
  private func differences() async throws -> [(failed: String, passed: String)] {
    let failed = try await record(Self.varies, ["PASS_FAILS": "1"])
    let result = try await FixturePackage.recorded.reportAgain(
      on: failed, ["--history", file, "--history-access", "read"])
    let data = try Data(contentsOf: URL(fileURLWithPath: ReportJSON(of: failed).folder + "/report.json"))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let test = try #require((report["tests"] as? [[String: Any]])?.first, "\(result.output)")
    let passed = (test["story"] as? [String: Any])?["passed"] as? [String: Any]
    let rows = try #require(passed?["rows"] as? [[String: Any]])
    func side(_ row: [String: Any], _ name: String) -> String? {
      guard let step = row[name] as? [String: Any], let sql = step["sql"] as? String else { return nil }
      let place = step["place"].map { "\($0)" } ?? ""
      return "\(sql.prefix(11)) \(place.contains("PassTests.swift") ? "has a place" : place)"
    }
    return rows.compactMap { row in
      side(row, "failed").map { ($0, side(row, "passed") ?? "") }
    }
  }

  @Test func aPassOfTheHistoryHasPlaces() async throws {
    let result = try await add(try await record())
    #expect(result.status == 0, "\(result.output)")
    let kept = try unpacked()
    #expect(kept.contains("PassTests.testVaries()") && kept.contains("Tests/StoryTests/PassTests.swift"))
    let rows = try await differences()
    #expect(rows.map(\.failed) == ["INSERT INTO has a place", "UPDATE run  has a place"])
    #expect(rows.map(\.passed) == rows.map(\.failed))
  }

  /// A run that passes compares nothing; a failure asks for two passes of one commit.
  @Test func whatVariesBetweenTwoPassesOfACommitIsNoDifference() async throws {
    let commits = [String(repeating: "a", count: 40), String(repeating: "b", count: 40)]
    let both = ["INSERT INTO has a place", "UPDATE run  has a place"]
    for (commit, different) in [(commits[0], both), (commits[1], both), (commits[1], [both[1]])] {
      let run = try await record()
      try call(run, commit: commit)
      _ = try await add(run)
      #expect(try value("SELECT count(*) FROM variations") == "0")
      #expect(try await differences().map(\.failed) == different)
    }
  }

  @Test func whatIsExcludedIsInNoPartOfTheHistory() async throws {
    let artifacts = try TemporaryFolder()
    let test = "StoryTests.PassTests/testExcludes"
    _ = try await record(test, into: artifacts)
    let run = try await record(test, into: artifacts)
    _ = try await add(run)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(try !(unpacked() + String(decoding: bytes, as: UTF8.self)).contains("sentinel"))
    let other = history("other.sqlite")
    _ = try await FixturePackage.recorded.reportAgain(
      on: run, ["--history", other, "--history-access", "add", "--no-rows"])
    for table in ["recorded_passes", "run_places", "variations"] {
      #expect(try TestConnection(other).text("SELECT count(*) FROM \(table)") == "0")
    }
  }
}
