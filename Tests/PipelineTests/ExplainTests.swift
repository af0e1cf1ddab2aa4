import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import Testing

/// `reporter test --explain`: failing tests run again with one thing changed, and judge.
@Suite struct ExplainTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs tests of the fixture and explains those that fail.
  ///
  /// Experiments need no package, so that others have it meanwhile.
  private func explain(_ filter: String, seconds: Int) async throws -> Explained {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "ExplainTests.\(filter)"], environment: ["EXPLAIN": folder.path])
    #expect(run.status == 1, "\(run.output)")
    let shell = try await Shell.run(
      [try ThisPackage.program("reporter"), "explain", "--seconds", "\(seconds)"],
      in: FixturePackage.recorded.folder,
      environment: ["EXHIBIT_ARTIFACTS": run.artifacts.path, "EXPLAIN": folder.path])
    #expect(shell.status == 0, "\(shell.output)")
    return try Explained(run, shell.output)
  }

  /// What a run has of experiments, by the name of a test.
  private struct Explained {
    let run: FixtureRun
    let output: String
    let tests: [String: ExplainedTest]
    let why: [String: [String]]

    init(_ run: FixtureRun, _ output: String) throws {
      (self.run, self.output) = (run, output)
      let path = try #require(try run.runs.first)
      let found = try ExperimentsFile.read(of: RunFolder(path: path))
      tests = Dictionary(
        found.map { ($0.test.caseName(longest: 100), $0) }, uniquingKeysWith: { first, _ in first })
      let document = try JSONDecoder().decode(
        Document.self, from: Data(contentsOf: URL(fileURLWithPath: run.reportFolder + "/report.json")))
      why = Dictionary(
        document.tests.map { test in
          (test.name, test.story?.why.map { "\($0.certainty): \($0.sentence)" } ?? [])
        }, uniquingKeysWith: { $0 + $1 })
    }

    /// A part of report.json.
    private struct Document: Decodable {
      struct Test: Decodable {
        struct Story: Decodable { var why: [Sentence] }
        struct Sentence: Decodable { var certainty, sentence: String }
        var name: String
        var story: Story?
      }
      var tests: [Test]
    }

    func reason(_ name: String) -> String? {
      switch tests[name]?.control {
      case .differs(let reason): "differs: \(reason)"
      case .refused(let reason): "refused: \(reason)"
      default: nil
      }
    }
  }

  /// The folders that runs had and that are still there.
  private func leftovers() throws -> [String] {
    let places = Set(try folder.read("places").split(separator: "\n").map(String.init))
    #expect(places.count > 10)
    return places.filter { FileManager.default.fileExists(atPath: $0) }
  }

  // MARK: - Proven

  @Test func whatATestPassesWithLeadsWhyWithItsEffect() async throws {
    let explained = try await explain("Proven", seconds: 150)
    let bound = try #require(explained.tests["testBound"])
    #expect(bound.control == .fails && bound.statements > 3 && bound.changing > 0)
    let proven = try #require(bound.proven.first)
    #expect(proven.sql == "SELECT count(*) FROM visit WHERE day <= ?", "\(bound)")
    #expect(proven.number <= 60)
    let why = try #require(explained.why["testBound"]?.first)
    #expect(why.hasPrefix("proven: With “<” for “<=” in “day <= ?”"), "\(why)")
    #expect(why.contains("before(_:) ExplainTests.swift:"), "\(why)")
    #expect(why.contains("the test passes, but 2 others of its target fail with it:"), "\(why)")
    #expect(proven.others?.failed.contains { $0.hasSuffix("testNeedsTheBound") } == true, "\(proven)")
    #expect(why.contains("returned something else than when it passed: 3, then 2"), "\(why)")
    #expect(why.contains("it passed with that change"), "\(why)")
    // An async test, and the one case of a function that failed.
    #expect(explained.tests["testAsync"]?.proven.first?.sql == proven.sql)
    #expect(
      explained.tests["visits(day:expected:) with 4, 3"]?.proven.first?.sql == proven.sql,
      "\(explained.tests.keys)")
    #expect(
      explained.tests.keys.sorted() == [
        "testAsync", "testBound", "testNothingHelps", "visits(day:expected:) with 4, 3",
      ])
    // What is in Swift alone.
    let nothing = try #require(explained.tests["testNothingHelps"])
    #expect(nothing.proven.isEmpty && nothing.tried > 20 && nothing.changing > 0)
    let remainder = try #require(explained.why["testNothingHelps"]?.first { $0.hasPrefix("tried: ") })
    #expect(remainder.contains("With none of "), "\(remainder)")
    #expect(try leftovers().isEmpty)
    try await isToldEverywhere(explained.run)
  }

  @Test func whatBreaksOthersIsNotProven() async throws {
    let explained = try await explain("Lonely", seconds: 60)
    let why = explained.why["testIsWrong"] ?? []
    #expect(!why.contains { $0.hasPrefix("proven: ") }, "\(why)")
    let sentence = why.first { $0.hasPrefix("tried: ") } ?? ""
    #expect(sentence.contains("Nothing passes without breaking others. With “"), "\(why)")
    #expect(sentence.contains("others of its target fail with it: "), "\(why)")
  }

  @Test func theWriteThatForgetsAConditionLeadsNotTheReadBehindIt() async throws {
    let explained = try await explain("Forgotten", seconds: 60)
    let why = explained.why["testSettlesOneTab"] ?? []
    #expect(
      why.first?.hasPrefix("proven: With the condition “share.tab = 1” more at ") == true
        && why.first?.contains("settle(tab:person:)") == true, "\(why)")
    #expect(why.first?.contains("and so does the other one of its target") == true, "\(why)")
  }

  @Test func whatNoStatementSaysIsFoundAndWhatTakesTheQuestionAwayStandsBehind() async throws {
    let explained = try await explain("Added", seconds: 160)
    func first(_ name: String) -> String { explained.why[name]?.first ?? "\(explained.why)" }
    #expect(
      first("testLostTrigger").hasPrefix(
        "proven: With the trigger “counted” made again on “visit”, which was made anew,"),
      "\(first("testLostTrigger"))")
    let snapshot = try #require(
      explained.tests["testOldSnapshot"]?.proven.first { $0.operatorName == "snapshot" })
    #expect(snapshot.words == "With a transaction begun anew before this read")
    #expect(first("testOldSnapshot").hasPrefix("proven: "), "\(first("testOldSnapshot"))")
    let found = try #require(explained.tests["testNothingIsFound"]?.proven.first)
    #expect(found.operatorName == "bounds" && found.more > 0, "\(found)")
    let twice = first("testIsDoneTwice")
    #expect(
      twice.hasPrefix("proven: Without run 2 of “UPDATE visit”, which repeats an earlier one, at "),
      "\(twice)")
    // Another question of the test's own is no other answer of the app.
    let own = first("testItsOwnQuestion")
    #expect(own.contains("move(upTo:)") && own.contains("“<=” for “<” in “day < ?”"), "\(own)")
  }

  /// Also where only what the run left is read, and without values.
  private func isToldEverywhere(_ run: FixtureRun) async throws {
    let shown = try await FixturePackage.recorded.show(["testBound", "--format", "markdown"], of: run)
    #expect(shown.output.contains("Proven") && shown.output.contains("With “<” for “<=”"), "\(shown.output)")
    let summary = try String(contentsOfFile: run.reportFolder + "/summary.md", encoding: .utf8)
    #expect(summary.contains("Why (proven)"), "\(summary)")
    let comment = try String(contentsOfFile: run.reportFolder + "/comment.md", encoding: .utf8)
    #expect(comment.contains("Why (proven): With ") && !comment.contains("2026-03-03"), "\(comment)")
    let bare = try await FixturePackage.recorded.reportAgain(on: run, ["--no-rows"])
    #expect(bare.output.contains("failed"), "\(bare.output)")
    let page = try String(contentsOfFile: run.reportFolder + "/report.json", encoding: .utf8)
    #expect(page.contains("With “<” for “<=” in “day <= ?”") && !page.contains("2026-03-03"))
  }

  @Test func aCrashThatGoesAwayIsAPassOnlyIfTheTestPasses() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "ExplainTests.FatalXCTests"], options: ["--explain=40"],
      environment: ["EXPLAIN": folder.path])
    #expect(run.status == 1, "\(run.output)")
    let explained = try Explained(run, run.output)
    let crash = try #require(explained.tests["testCrash"])
    #expect(crash.control == .fails, "\(crash)")
    #expect(crash.proven.first?.sql == "SELECT count(*) FROM visit WHERE day <= ?", "\(crash)")
  }

  // MARK: - Without ground

  @Test func whatHasNoGroundIsToldAndHarmsNothing() async throws {
    let shared = folder("shared.sqlite")
    try Data().write(to: URL(fileURLWithPath: shared))
    let handle = try #require(FileHandle(forReadingAtPath: shared))
    let explained = try await explain("GroundlessXCTests", seconds: 100)
    try handle.close()
    #expect(
      explained.reason("testFlaky")?.hasPrefix("differs: Alone, it passes") == true, "\(explained.tests)")
    #expect(
      explained.reason("testOrderB")?.hasPrefix("differs: Alone, it passes") == true, "\(explained.tests)")
    #expect(
      explained.reason("testOtherMessageEachTime")?.hasPrefix("differs: Alone, it fails with another") == true
    )
    let outside = try #require(explained.reason("testOutside"))
    #expect(
      outside.hasPrefix("refused: ") && outside.contains("/outside.sqlite lies outside of temporary folders"),
      "\(outside)")
    #expect(try folder.read("outside").utf8.count == 1, "it ran once, by swift test")
    let used = try #require(explained.reason("testShared"))
    #expect(used.contains("/shared.sqlite is open in another process"), "\(used)")
    // Its parent is a shell that runs it alone, and whose end is no pass.
    let killer = try #require(explained.tests["testKillsItsParent"])
    #expect(killer.proven.isEmpty, "\(killer)")
    let hostile = try #require(explained.tests["testHostileOutput"])
    #expect(hostile.control == .fails && hostile.proven.isEmpty && hostile.tried > 20, "\(hostile)")
    let own = explained.output.split(separator: "\n").filter { $0.hasPrefix("reporter: ") }
    #expect(!own.isEmpty && own.allSatisfy { !$0.contains("\u{1B}") })
    #expect(try leftovers().isEmpty)
    #expect(explained.why["testFlaky"]?.contains { $0.contains("Alone, it passes") } == true)
  }

  @Test func aTestThatNeverEndsIsEndedWithAllThatItStarted() async throws {
    let explained = try await explain("EndlessXCTests", seconds: 30)
    let endless = try #require(explained.tests["testEndless"])
    #expect(endless.proven.first?.sql == "SELECT count(*) FROM visit WHERE day <= ?", "\(endless)")
    let pids = try folder.read("pids").split(separator: "\n").compactMap { Int32($0) }
    #expect(pids.count > 4)
    let running = try processes(startedWith: "EXPLAIN", folder.path)
    #expect(pids.filter(running.contains).isEmpty)
    #expect(try leftovers().isEmpty)
  }

  @Test func anExecutableThatWasBuiltAgainIsRefused() async throws {
    let run = try await FixturePackage.recorded.report(["--filter", "ProvenXCTests/testBound"])
    let path = try #require(try run.runs.first)
    // As a later build would have it.
    let story = try #require(
      FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }.first {
        $0.hasSuffix("story.jsonl")
      })
    let text = try String(contentsOfFile: path + "/" + story, encoding: .utf8)
    try text.replacing(/"buildID":"[0-9a-f]+"/, with: #""buildID":"00""#)
      .write(toFile: path + "/" + story, atomically: false, encoding: .utf8)
    let shell = try await Shell.run(
      [try ThisPackage.program("reporter"), "explain", "--seconds", "20"], in: FixturePackage.recorded.folder,
      environment: ["EXHIBIT_ARTIFACTS": run.artifacts.path])
    #expect(shell.output.contains("was built again since the run"), "\(shell.output)")
    #expect(shell.status == 0)
  }
}
