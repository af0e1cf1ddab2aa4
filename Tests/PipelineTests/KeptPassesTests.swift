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
      try value("SELECT group_concat(identity) FROM passes JOIN tests ON tests.id = passes.test")
        == "StoryTests.PassTests/testOrders")
    let packed = try value("SELECT hex(story) FROM passes")
    let bytes = stride(from: 0, to: packed.count, by: 2).compactMap { index in
      UInt8(packed.dropFirst(index).prefix(2), radix: 16)
    }
    let path = try history.write(bytes, to: "story.gz")
    let story = try Command(["gzip", "-dc", path]).run().output
    #expect(story.contains(#""kind":"step""#) && story.hasSuffix("{\"kind\":\"end\"}\n"))
    // A test of 24 statements is to take 2 KB.
    #expect(bytes.count < story.utf8.count / 2)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    _ = try await add(run)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func withoutRowsNoneIsKept() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(
      ["StoryTests.PassTests/testOrders"], environment: ["EXHIBIT_RECORD_PASSES": "on"])
    _ = try await add(run, "--no-rows")
    #expect(try value("SELECT count(*) FROM passes") == "0")
    #expect(try value("SELECT count(*) FROM outcomes") == "1")
  }
}
