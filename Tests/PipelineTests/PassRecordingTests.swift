import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportReading
import Testing

/// `EXHIBIT_RECORD_PASSES=on`: what tests did that passed, in whatever state the process, the disk and the budget are.
@Suite struct PassRecordingTests {
  private static let on = ["EXHIBIT_RECORD_PASSES": "on"]

  private static func name(_ test: String) -> String { "StoryTests.PassTests/\(test)" }

  private static func id(_ test: String) -> TestCaseID {
    TestCaseID(module: "StoryTests", suite: ["PassTests"], name: test)
  }

  private static func run(
    _ tests: [String], _ environment: [String: String] = on, into artifacts: TemporaryFolder? = nil,
    launcher: [String] = []
  ) async throws -> FixtureRun {
    try await FixturePackage.recorded.testXCTestsDirectly(
      tests.map(name), into: artifacts, environment: environment, launcher: launcher)
  }

  private static func passes(of run: FixtureRun) throws -> RecordedPasses {
    RecordedPasses(of: RunFolder(path: try #require(try run.runs.first)), origin: .rerun)
  }

  private static func lines(of test: TestCaseID, in run: FixtureRun) throws -> [String] {
    let passes = try passes(of: run)
    #expect(passes.remarks.notices.map(\.message) == [])
    let pass = try #require(passes.passes(of: test).first, "\(run.output)")
    return String(decoding: pass.lines, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func bytes(of run: FixtureRun) throws -> [UInt8] {
    let folder = try #require(try run.runs.first) + "/passes"
    guard FileSystem.status(folder) != nil else { return [] }
    return try FileSystem.entries(of: folder).flatMap {
      Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
    }
  }

  private static func leftOut(of run: FixtureRun) -> [PassesLeftOut] {
    run.records.compactMap { $0.payload as? PassesLeftOut }
  }

  /// Without what differs from run to run, and what only a failure adds.
  private static func comparable(_ lines: [String]) -> [String] {
    var names: [Substring: Int] = [:]
    return lines.filter { !$0.hasPrefix(#"{"kind":"issue""#) }.map { line in
      line.replacing(/"(time|duration)":[-0-9.e]+,?/, with: "").replacing(/pass-[-0-9A-F]+/, with: "pass")
        .replacing(/"(stack|code)":(\d+)/) { match in
          names[match.2] = names[match.2] ?? names.count
          return "\"\(match.1)\":\(names[match.2, default: 0])"
        }
        .replacing(/"frames":\[[^\]]*\]/, with: "")
    }
  }

  @Test func aPassTellsWhatAFailureWouldTell() async throws {
    let run = try await Self.run(["testOrders"])
    #expect(run.status == 0, "\(run.output)")
    let pass = try Self.lines(of: Self.id("testOrders"), in: run)
    let failed = try await Self.run(["testOrders"], ["PASS_FAILS": "1"])
    let path = try #require(try failed.story(of: Self.name("testOrders")), "\(failed.output)")
    let story = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    // Stacks are in the order of their numbers.
    #expect(Self.comparable(pass).sorted() == Self.comparable(story).sorted())
    #expect(pass.count { $0.contains(#""kind":"step""#) && $0.contains(#""stack":"#) } > 20)
    #expect(
      pass.contains { $0.contains(#""triggers":["noted"]"#) } && pass.contains { $0.contains(#""error""#) })
    #expect(pass.last == #"{"kind":"end"}"#)
  }

  @Test func eachTestHasItsOwnStepsAndAnEntryOnlyWithSteps() async throws {
    let run = try await Self.run(["testOrders", "testWithoutSteps", "testFails", "testManySteps"])
    let passes = try Self.passes(of: run)
    #expect(passes.tests == [Self.id("testOrders"), Self.id("testManySteps")])
    let many = try Self.lines(of: Self.id("testManySteps"), in: run)
    #expect(many.count { $0.contains(#""kind":"change""#) } == 3000)
    #expect(!many.contains { $0.contains("orders") } && many.first?.contains(#""missing":0"#) == true)
    let start = run.records(of: Self.name("testOrders")).first?.time ?? 0
    let began = try #require(passes.passes(of: Self.id("testOrders")).first?.began)
    #expect(abs(began - start) < 0.5)
    let files = try FileSystem.entries(of: try #require(try run.runs.first) + "/passes")
    let logs = try FileSystem.entries(of: try #require(try run.runs.first) + "/logs")
    #expect(files.map { $0.replacing(".passes", with: ".jsonl") } == logs)
    let folder = try #require(try run.runs.first) + "/passes/"
    let status = try #require(FileSystem.status(folder + files[0]))
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func nothingIsRecordedUnlessItIsAskedFor() async throws {
    for environment in [
      [:], ["EXHIBIT_RECORD_PASSES": "off"], Self.on.merging(["EXHIBIT_TRACE": "off"]) { $1 },
      Self.on.merging(["EXHIBIT_CAPTURE": "registered"]) { $1 },
      Self.on.merging(["EXHIBIT_CAPTURE": "off"]) { $1 },
    ] {
      let run = try await Self.run(["testOrders"], environment)
      let folder = try #require(try run.runs.first) + "/passes"
      #expect(FileSystem.status(folder) == nil, "\(environment)")
    }
    let unknown = try await Self.run(["testOrders"], ["EXHIBIT_RECORD_PASSES": "yes"])
    #expect(unknown.output.contains("$EXHIBIT_RECORD_PASSES is neither on nor off; passes are not recorded."))
    #expect(unknown.status == 0)
  }

  @Test func statementsAloneHaveNoRows() async throws {
    let run = try await Self.run(["testOrders"], Self.on.merging(["EXHIBIT_TRACE": "statements"]) { $1 })
    let lines = try Self.lines(of: Self.id("testOrders"), in: run)
    #expect(lines.first?.contains("EXHIBIT_TRACE is statements") == true)
    #expect(!lines.contains { $0.contains(#""kind":"change""#) || $0.contains(#""results""#) })
    #expect(!String(decoding: try Self.bytes(of: run), as: UTF8.self).contains("note 3"))
  }

  @Test func casesAndFunctionsOfSwiftTestingHaveTheirOwn() async throws {
    let run = try await FixturePackage.recorded.test(["--filter", "PassSuite"], environment: Self.on)
    #expect(run.status == 0, "\(run.output)")
    let passes = try Self.passes(of: run)
    #expect(passes.remarks.notices.isEmpty && passes.tests.count == 305)
    for test in passes.tests {
      let pass = try #require(passes.passes(of: test).first)
      let text = String(decoding: pass.lines, as: UTF8.self)
      let (table, rows) =
        switch test.name {
        case "single()": ("single", 2)
        case "cases(number:)":
          ("case\(test.argument?.description ?? "")", Int(test.argument?.description ?? "") ?? 0)
        default: ("once\(test.argument?.description ?? "")", 5)
        }
      #expect(text.components(separatedBy: #""kind":"change""#).count - 1 == rows, "\(test)")
      #expect(text.contains("INSERT INTO \(table) VALUES"), "\(test)")
      #expect(text.components(separatedBy: "CREATE TABLE").count == 2, "\(test)")
    }
  }

  // MARK: - Privacy

  @Test func whatIsExcludedIsInNoFile() async throws {
    let run = try await Self.run(["testExcludes"])
    #expect(run.status == 0, "\(run.output)")
    let lines = try Self.lines(of: Self.id("testExcludes"), in: run)
    #expect(
      lines.contains { $0.contains("INSERT INTO person VALUES (?)") && $0.contains(#""withheld":true"#) })
    #expect(lines.contains { $0.contains("seen") })
    let missing = try #require(lines.first?.firstMatch(of: /"missing":(\d+)/).flatMap { Int($0.1) })
    #expect(missing >= 2, "what came before the exclusion")
    #expect(!String(decoding: try Self.bytes(of: run), as: UTF8.self).contains("sentinel"))
  }

  @Test(.enabled(if: getuid() == 0, "only root writes outside of the package and of temporary folders"))
  func databasesThatMayNotBeCapturedHaveNoValues() async throws {
    let folder = "/srv/exhibit-pass-\(UUID().uuidString)"
    try FileSystem.createFolder(folder)
    defer { try? FileSystem.remove(folder) }
    let run = try await Self.run(["testOutside"], Self.on.merging(["PASS_OUTSIDE": folder]) { $1 })
    let lines = try Self.lines(of: Self.id("testOutside"), in: run)
    #expect(
      lines.contains { $0.contains("INSERT INTO person VALUES (?)") && $0.contains(#""withheld":true"#) })
    #expect(!String(decoding: try Self.bytes(of: run), as: UTF8.self).contains("sentinel"))
  }

  // MARK: - Trouble

  @Test func aSmallRingSaysWhatIsMissing() async throws {
    let run = try await Self.run(["testManySteps"], Self.on.merging(["EXHIBIT_TRACE_SIZE": "64 KiB"]) { $1 })
    let lines = try Self.lines(of: Self.id("testManySteps"), in: run)
    let steps = lines.count { $0.contains(#""kind":"step""#) }
    let missing = try #require(lines.first?.firstMatch(of: /"missing":(\d+)/).flatMap { Int($0.1) })
    let whole = try await Self.lines(of: Self.id("testManySteps"), in: Self.run(["testManySteps"]))
    #expect(missing > 0 && missing + steps == whole.count { $0.contains(#""kind":"step""#) })
    #expect(lines.contains { $0.hasPrefix(#"{"kind":"passed""#) && $0.contains("INSERT INTO number") })
  }

  /// One that is too large leaves room for a smaller one.
  @Test func aFullBudgetIsSaidOnce() async throws {
    let environment = Self.on.merging(["EXHIBIT_PASSES_BUDGET": "100 KiB"]) { $1 }
    let run = try await Self.run(
      ["testExcludes", "testManySteps", "testOrders", "testWithoutSteps"], environment)
    #expect(run.status == 0, "\(run.output)")
    #expect(try Self.passes(of: run).tests == [Self.id("testExcludes"), Self.id("testOrders")])
    #expect(Self.leftOut(of: run).map(\.tests) == [1])
    #expect(Self.leftOut(of: run).allSatisfy { $0.reason == .overBudget })
    #expect(try Self.bytes(of: run).count <= 100 << 10)
    #expect(run.records.last?.isOf(ProcessEnd.self) == true)
    _ = try await FixturePackage.recorded.reportAgain(on: run)
    let report = try ReportJSON(of: run)
    #expect(
      report.document.notices.filter { $0.kind == "passesLeftOut" }.map(\.message) == [
        "The pass of 1 test was not recorded: The run's passes would exceed 102400 bytes ($EXHIBIT_PASSES_BUDGET)."
      ])
  }

  /// Where hardly any byte is left, each test that follows is counted.
  @Test func whereNoneHasRoomAllAreCounted() async throws {
    let environment = Self.on.merging(["EXHIBIT_PASSES_BUDGET": "600"]) { $1 }
    let run = try await Self.run(["testExcludes", "testManySteps", "testOrders"], environment)
    #expect(try Self.passes(of: run).tests.isEmpty)
    #expect(Self.leftOut(of: run).last?.tests == 3)
  }

  /// What one process did not use, another one may.
  @Test func allProcessesOfARunShareTheBudget() async throws {
    let artifacts = try TemporaryFolder()
    let environment = Self.on.merging(["EXHIBIT_PASSES_BUDGET": "100 KiB", "EXHIBIT_RUN": "one"]) { $1 }
    for _ in 0..<3 { _ = try await Self.run(["testExcludes"], environment, into: artifacts) }
    let run = try await Self.run(["testManySteps"], environment, into: artifacts)
    let passes = try Self.passes(of: run)
    #expect(passes.tests == [Self.id("testExcludes")])
    let latest = passes.passes(of: Self.id("testExcludes"))
    #expect(latest.count == 2 && (latest[0].began ?? 0) > (latest[1].began ?? 0))
    let counted = try String(contentsOfFile: artifacts.path + "/runs/one/.passes-bytes", encoding: .utf8)
    #expect(try Int(counted.dropLast()) == Self.bytes(of: run).count)
  }

  @Test func aFullDiskIsSaid() async throws {
    let run = try await Self.run(["testOrders"], Self.on.merging(["EXHIBIT_MIN_FREE": "100000 GiB"]) { $1 })
    #expect(run.status == 0)
    #expect(Self.leftOut(of: run).map(\.reason) == [.tooLittleFree])
    #expect(try Self.bytes(of: run).isEmpty)
  }

  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "write", "mkdir", "stat", "close"])
  func everyCallFails(kind: String) async throws {
    let tests = ["testExcludes", "testOrders"]
    let free = Self.on.merging(["EXHIBIT_MIN_FREE": "0"]) { $1 }
    func run(_ number: Int, stays: Bool) async throws -> (FixtureRun, Int) {
      let artifacts = try TemporaryFolder()
      let faults = FaultLibrary.environment(kind, number, stays: stays, below: artifacts.path)
      let run = try await Self.run(tests, free.merging(faults) { $1 }, into: artifacts)
      return (run, try FaultLibrary.calls(below: artifacts.path))
    }
    let (_, calls) = try await run(0, stays: false)
    for stays in [false, true] {
      for number in stride(from: 1, through: calls, by: LongTests.areAsked ? 1 : max(1, calls / 6)) {
        let (run, _) = try await run(number, stays: stays)
        let what: Comment = "\(kind) \(number) of \(calls)\(stays ? ", for good" : "")"
        #expect(run.status == 0, what)
        guard let folder = try run.runs.first else { continue }
        let passes = RecordedPasses(of: RunFolder(path: folder), origin: .rerun)
        for test in passes.tests {
          #expect(passes.passes(of: test).count == 1, what)
        }
      }
    }
  }

  /// Those that wait are written before what the failed test does next.
  @Test func aTestThatFailsHasEarlierPassesWritten() async throws {
    let run = try await Self.run(["testExcludes", "testFails", "testOrders", "testZDies"])
    #expect(try Self.passes(of: run).tests == [Self.id("testExcludes")])
    #expect(try Self.lines(of: Self.id("testExcludes"), in: run).last == #"{"kind":"end"}"#)
  }

  /// Killed at any moment: what was written before is read, and only whole passes are there.
  @Test func aProcessThatDiesLeavesItsPasses() async throws {
    let many = Self.id("testManySteps")
    let run = try await Self.run(["testExcludes", "testManySteps", "testOrders", "testZDies"])
    #expect(try Self.passes(of: run).tests == [Self.id("testExcludes"), many], "one waited for its writing")
    #expect(try Self.lines(of: Self.id("testExcludes"), in: run).last == #"{"kind":"end"}"#)
    #expect(try Self.lines(of: many, in: run).last == #"{"kind":"end"}"#)
    // As if it had died in the middle of the second write.
    let folder = try #require(try run.runs.first) + "/passes"
    let name = try #require(try FileSystem.entries(of: folder).first)
    let path = folder + "/" + name
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try (whole + whole.prefix(whole.count / 2)).write(to: URL(fileURLWithPath: path))
    let passes = try Self.passes(of: run)
    #expect(passes.passes(of: many).count == 1)
    #expect(passes.remarks.notices.map(\.kind) == ["passesUnreadable"])
    #expect(passes.remarks.notices.first?.message.contains("are no whole pass") == true)
  }
}
