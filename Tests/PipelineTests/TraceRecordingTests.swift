import Collector
import ExhibitSystem
import Foundation
import Testing

/// The ring of a test process: how much it keeps, what may happen to it, and what a crash leaves of it.
@Suite struct TraceRecordingTests {
  private static func name(_ test: String) -> String { "StoryTests.RingTests/\(test)" }

  private static func run(_ test: String, _ environment: [String: String] = [:]) async throws -> FixtureRun {
    try await FixturePackage.recorded.testXCTestsDirectly([name(test)], environment: environment)
  }

  private static func story(of test: String, in run: FixtureRun) throws -> [String] {
    let path = try #require(try run.story(of: name(test)), "\(run.output)")
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static func rings(of run: FixtureRun) throws -> [String] {
    let folder = try #require(try run.runs.first) + "/trace"
    return FileSystem.status(folder) == nil ? [] : try FileSystem.entries(of: folder)
  }

  @Test func allStepsOfATestAreToldAndTheRingGoes() async throws {
    let run = try await Self.run("testManySteps")
    let lines = try Self.story(of: "testManySteps", in: run)
    #expect(lines.first?.contains(#""missing":0"#) == true)
    #expect(lines.count { $0.contains(#""kind":"change""#) } == 3010)
    #expect(lines.last == #"{"kind":"end"}"#)
    let issue = try #require(lines.firstIndex { $0.contains(#""kind":"issue""#) })
    #expect(lines[issue...].count { $0.contains(#""kind":"change""#) } == 10, "what follows the failure")
    #expect(try Self.rings(of: run) == [])
    let story = try #require(try run.story(of: Self.name("testManySteps")))
    let sizes = run.stories(of: Self.name("testManySteps")).map(\.bytes)
    #expect(sizes.count == 2 && sizes.last == FileSystem.status(story).map { Int($0.st_size) })
  }

  @Test func aSmallRingKeepsTheLatestAndSaysHowManyAreMissing() async throws {
    let run = try await Self.run("testManySteps", ["EXHIBIT_TRACE_SIZE": "64 KiB"])
    let lines = try Self.story(of: "testManySteps", in: run)
    let told = lines.filter { $0.contains(#""kind":"change""#) }
    #expect(told.count >= 100)
    for value in 2900..<3010 { #expect(told.contains { $0.contains("\"new\":[\(value)]") }, "\(value)") }
    let steps = lines.count { $0.contains(#""kind":"step""#) }
    let missing = try #require(lines.first?.firstMatch(of: /"missing":(\d+)/).flatMap { Int($0.1) })
    let whole = try await Self.story(of: "testManySteps", in: Self.run("testManySteps"))
    #expect(missing + steps == whole.count { $0.contains(#""kind":"step""#) })
  }

  /// However much is left of a lap, where older records lie, nothing is called damaged.
  @Test(arguments: [65536, 66000, 70008, 75000])
  func aRingThatGoesRoundManyTimesIsWhole(_ size: Int) async throws {
    let run = try await Self.run("testManySteps", ["EXHIBIT_TRACE_SIZE": "\(size)"])
    #expect(run.storyFailures(of: Self.name("testManySteps")).map(\.message) == [])
  }

  @Test func asMuchIsToldAsIsWanted() async throws {
    let statements = try await Self.run("testManySteps", ["EXHIBIT_TRACE": "statements"])
    let lines = try Self.story(of: "testManySteps", in: statements)
    #expect(lines.count { $0.contains(#""kind":"step""#) } > 3010)
    #expect(!lines.contains { $0.contains(#""kind":"change""#) || $0.contains(#""results""#) })
    #expect(lines.first?.contains("EXHIBIT_TRACE is statements") == true)
    for variable in [["EXHIBIT_TRACE": "off"], ["EXHIBIT_CAPTURE": "registered"], ["EXHIBIT_CAPTURE": "off"]]
    {
      let run = try await Self.run("testManySteps", variable)
      #expect(try run.story(of: Self.name("testManySteps")) == nil, "\(variable)")
      #expect(run.issues(of: Self.name("testManySteps")).count == 1)
    }
  }

  @Test func stepsTellTheirPlacesUnlessThatIsOff() async throws {
    let lines = try await Self.story(of: "testManySteps", in: Self.run("testManySteps"))
    let steps = lines.filter { $0.contains(#""kind":"step""#) }
    #expect(steps.count > 3010 && steps.allSatisfy { $0.contains(#""stack":"#) })
    for kind in ["code", "stack"] {
      #expect(lines.contains { $0.hasPrefix(#"{"kind":"\#(kind)""#) }, "\(kind)")
    }
    let opened = lines.filter { $0.hasPrefix(#"{"kind":"opened""#) }
    #expect(!opened.isEmpty && opened.allSatisfy { $0.contains(#""stack":"#) })
    let off = ["EXHIBIT_TRACE_PLACES": "off"]
    let without = try await Self.story(of: "testManySteps", in: Self.run("testManySteps", off))
    #expect(without.count { $0.contains(#""kind":"step""#) } == steps.count)
    #expect(!without.contains { $0.contains(#""stack""#) || $0.contains(#""kind":"code""#) })
  }

  @Test func aRingThatSomebodyRemovesIsWrittenOn() async throws {
    let run = try await Self.run("testItsRingIsRemoved")
    #expect(run.issues(of: Self.name("testItsRingIsRemoved")).map(\.message) == ["failed - without its ring"])
    let lines = try Self.story(of: "testItsRingIsRemoved", in: run)
    #expect(lines.count { $0.contains(#""kind":"change""#) } == 20)
  }

  @Test func theChildOfAForkWritesNothing() async throws {
    let run = try await Self.run("testAChildOfAForkTellsNothing")
    let lines = try Self.story(of: "testAChildOfAForkTellsNothing", in: run)
    #expect(run.issues(of: Self.name("testAChildOfAForkTellsNothing")).count == 1, "\(run.output)")
    #expect(lines.count { $0.contains(#""kind":"change""#) } == 2)
    #expect(!lines.contains { $0.contains("of the child") })
  }

  @Test func theChildOfAForkPastAllHandlersWritesNothingAndWaitsForNobody() async throws {
    let run = try await Self.run("testAChildOfARawForkTellsNothing")
    let test = Self.name("testAChildOfARawForkTellsNothing")
    #expect(run.issues(of: test).map(\.message) == ["failed - beside a child of a raw fork"], "\(run.output)")
    let lines = try Self.story(of: "testAChildOfARawForkTellsNothing", in: run)
    let told = lines.filter { $0.contains(#""kind":"change""#) }
    #expect(told.count == 5000 && told.allSatisfy { $0.contains("of the parent") })
    #expect(run.storyFailures(of: test).isEmpty)
  }

  /// Nothing that others write into the file steers the process, which says what they did.
  @Test func aRingThatAnotherProcessOverwritesIsWrittenOn() async throws {
    let run = try await Self.run("testAnotherProcessOverwritesItsRing")
    let test = Self.name("testAnotherProcessOverwritesItsRing")
    #expect(
      run.issues(of: test).map(\.message) == ["failed - while its ring was overwritten"], "\(run.output)")
    #expect(run.end(of: test)?.outcome == .failed)
    let lines = try Self.story(of: "testAnotherProcessOverwritesItsRing", in: run)
    #expect(lines.count { $0.contains(#""kind":"change""#) } >= 3000, "what was written last")
    let failures = run.storyFailures(of: test).map(\.message)
    #expect(failures.count == 1)
    #expect(
      failures.first?.hasPrefix("Somebody else has written into the trace of this process. From byte") == true
    )
  }

  /// An app that closes descriptors it does not own has files of its own under their numbers.
  @Test func whatTheAppClosesIsNotWrittenToAnyMore() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(["StoryTests.DescriptorTests"])
    let test = "StoryTests.DescriptorTests/testNothingIsWrittenIntoItsDatabases"
    #expect(
      run.issues(of: test).map(\.message) == ["failed - after all descriptors were closed"], "\(run.output)")
    #expect(run.end(of: test)?.outcome == .failed)
    let story = try String(contentsOfFile: try #require(try run.story(of: test)), encoding: .utf8)
    let lines = story.split(separator: "\n")
    #expect(lines.count { $0.contains(#""kind":"change""#) } == 2009)
    #expect(lines.last == #"{"kind":"end"}"#)
    #expect(run.failures(of: test).isEmpty && run.storyFailures(of: test).isEmpty)
    let other = "StoryTests.DescriptorTests/testAnotherFileIsNotTakenForWhatWasHeld"
    #expect(run.issues(of: other).map(\.message) == ["failed - after the held one was closed"])
    let failure = try #require(run.failures(of: other).first)
    #expect(
      failure.reason == .closed && failure.message.contains("a file descriptor that the app has closed"))
    #expect(!run.evidence(of: other).contains { $0.name.hasPrefix("gone") })
  }

  @Test func aCrashLeavesTheStatementThatWasRunning() async throws {
    let run = try await FixturePackage.recorded.report(["--filter", "RingTests/testDiesInAStatement$"])
    #expect(try Self.rings(of: run) == [], "its steps are in the story")
    let page = try run.page("testDiesInAStatement")
    #expect(page.contains("INSERT INTO number SELECT die()"))
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: Self.name("testDiesInAStatement")) == "crashed")
    let folder = try #require(try run.runs.first) + "/evidence"
    let test = try #require(try FileSystem.entries(of: folder).first)
    let story = try String(contentsOfFile: "\(folder)/\(test)/story.jsonl", encoding: .utf8)
    let last = try #require(story.split(separator: "\n").last { $0.contains(#""kind":"step""#) })
    #expect(last.contains("SELECT die()") && last.contains(#""running":true"#))
    // Where the fixture runs it.
    let source = try String(
      contentsOf: run.package.appendingPathComponent("Tests/StoryTests/RingTests.swift"), encoding: .utf8)
    let line = try #require(
      source.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
        $0.contains("SELECT die()")
      })
    #expect(page.contains("RingTests.testDiesInAStatement() RingTests.swift:\(line + 1)"))
    #expect(page.contains("in memory was opened in RingTests.queue() RingTests.swift:"))
    #expect(story.contains(#""new":[7]"#))
    #expect(!story.contains(#""withoutChanges""#))
    #expect(!page.contains("out of reach"))
  }

  /// Where the disk may not be filled, the ring is in memory, and goes with the process.
  @Test func aRingInMemoryLeavesNothingOfACrash() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "RingTests/testDiesInAStatement$"], environment: ["EXHIBIT_MIN_FREE": "1000000 GiB"])
    #expect(try Self.rings(of: run) == [])
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: Self.name("testDiesInAStatement")) == "crashed")
    let notices = report.document.notices.filter { $0.kind.hasPrefix("trace") }
    #expect(notices.map(\.kind) == ["traceInMemory"])
    let message = try #require(notices.first?.message)
    #expect(
      message.hasPrefix("A test process could keep its steps in memory only, so that the one that died"))
    #expect(message.contains("leave enough of the disk free"))
    for file in ["index.html", "summary.md"] {
      let text = try String(contentsOfFile: run.artifacts.path + "/report/" + file, encoding: .utf8)
      #expect(text.contains("in memory only"), "\(file)")
    }
    #expect(try !FileSystem.entries(of: #require(try run.runs.first)).contains("trace"))
    let sentence =
      "What the test did to databases was kept in memory and went with its process: Could not leave enough"
    #expect(try run.page("testDiesInAStatement").contains(sentence))
  }

  @Test func keysAreNotTold() async throws {
    let run = try await FixturePackage.recorded.report(["--filter", "RingTests/testKeys"])
    for test in ["testKeys", "testKeysBesideExclusions"] {
      let story = try Self.story(of: test, in: run).joined(separator: "\n")
      for told in [
        "PRAGMA key = ?", "ATTACH ? AS ? KEY ?", "VACUUM INTO ?", "?mode=rwc&cache=private' AS harmless",
        "PRAGMA harmless.table_info(keys)", #""new":[7]"#,
      ] {
        #expect(story.contains(told), "\(told) in \(test)")
      }
      #expect(run.issues(of: Self.name(test)).map(\.message) == ["failed - after keys"])
    }
    #expect(run.output.contains("Tests failed; what they left is in "))
    #expect(!run.output.contains("swift run reporter report"), "the report is being written")
    for path in try FileManager.default.subpathsOfDirectory(atPath: run.artifacts.path) {
      guard let bytes = FileManager.default.contents(atPath: run.artifacts.path + "/" + path) else {
        continue
      }
      for key in ["geheim", "67656865696d"] { #expect(bytes.range(of: Data(key.utf8)) == nil, "\(path)") }
    }
  }

  @Test func whyRowsOfAConnectionAreNotToldIsSaid() async throws {
    let run = try await FixturePackage.recorded.report(["--filter", "RingTests/testRowsBesideHooks$"])
    let lines = try Self.story(of: "testRowsBesideHooks", in: run)
    let changes = lines.compactMap {
      $0.firstMatch(of: /"kind":"change".*"operation":"(\w+)".*"table":"(?:number|emptied)"/)?.1
    }
    let told = ["insert", "insert", "insert", "insert", "insert", "update", "update", "insert", "delete"]
    #expect(changes.map(String.init) == told, "\(lines)")
    func step(_ text: String) throws -> String { try #require(lines.first { $0.contains(text) }) }
    #expect(try step("beside an update hook").contains(#""untold":"updateHook""#))
    #expect(try step("beside a progress handler").contains(#""untold":"progressHandler""#))
    #expect(try step("VALUES (5)").contains(#""untold":"updateHook""#))
    #expect(lines.count { $0.contains(#""untold""#) } == 3)
    let page = try run.page("testRowsBesideHooks")
    #expect(page.contains("are not told: the app has an update hook on it"))
    #expect(page.contains("are not told: the app has a progress handler on it"))
    #expect(page.contains("Its rows are not told. SQLite counted 2."))
    #expect(page.contains("Not all of its rows are told."))
    let report = try ReportJSON(of: run)
    #expect(!report.document.notices.contains { $0.kind == "storyContradicted" })
  }

  @Test func whatIsNotThereIsNotTold() async throws {
    let run = try await Self.run("testWhatIsNotThere")
    #expect(run.issues(of: Self.name("testWhatIsNotThere")).count == 1, "\(run.output)")
    let lines = try Self.story(of: "testWhatIsNotThere", in: run)
    let changes = lines.filter { $0.contains(#""kind":"change""#) }
    #expect(
      changes.map {
        String($0.firstMatch(of: /"table":"(\w+)"/)?.1 ?? "") + " "
          + String($0.firstMatch(of: /"key":(\d+)/)?.1 ?? "-")
      }
        == ["code -", "number 0", "code -", "number 1", "code -", "code -"])
    let triggers = lines.compactMap { $0.firstMatch(of: /"triggers":\[(.*?)\]/)?.1 }
    #expect(
      triggers.map { $0.split(separator: ",").sorted() } == [[#""always""#], [#""always""#, #""seldom""#]])
    let idle = lines.filter { $0.contains(#""idle":true"#) }
    #expect(idle.count == 2 && idle[0].contains("CREATE TABLE") && idle[1].contains("absent"), "\(idle)")
  }

  /// SQLite deletes all rows of a table at once, and tells none, unless somebody listens.
  @Test func allRowsThatGRDBDeletesAreTold() async throws {
    let run = try await FixturePackage.recorded.report(["--filter", "RingTests/testDeletesAllRows$"])
    let lines = try Self.story(of: "testDeletesAllRows", in: run)
    let changes = lines.filter { $0.contains(#""table":"player""#) && $0.contains(#""kind":"change""#) }
    #expect(
      changes.compactMap { $0.firstMatch(of: /"operation":"(\w+)"/)?.1 }
        == ["insert", "insert", "delete", "delete", "insert"])
    #expect(!lines.contains { $0.contains(#""untold""#) })
    let page = try run.page("testDeletesAllRows")
    #expect(!page.contains("was not recorded") && !page.contains("is not in the captured database"))
    let report = try ReportJSON(of: run)
    #expect(!report.document.notices.contains { $0.kind == "storyContradicted" })
  }

  @Test func namesOfColumnsInUTF16StayWhereTheyAre() async throws {
    let run = try await Self.run("testNamesInUTF16")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func sizesThatNobodyExpectsTakeNoTimeOrMemory() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(["StoryTests.LongValueTests"])
    func messages(_ test: String) -> [String] {
      run.issues(of: "StoryTests.LongValueTests/\(test)").map(\.message)
    }
    #expect(messages("testALongValueIsNotWrittenOut") == ["failed - after a long value"])
    #expect(messages("testALongTextIsNotReadAtEachStep") == [])
    #expect(messages("testLongRowsLeaveNoMemoryToTheirConnections") == [])
    #expect(messages("testALongMessageIsToldUpToSomePlace") == ["failed - after a long message"])
    #expect(run.outcomes.count == 4, "\(run.output)")
    func story(_ test: String) throws -> String {
      let path = try #require(try run.story(of: "StoryTests.LongValueTests/\(test)"), "\(run.output)")
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let value = try story("testALongValueIsNotWrittenOut")
    #expect(value.contains(#""expanded":"SELECT length(x'0707'), NULL""#))
    #expect(value.contains(#""expanded":"SELECT length(NULL), 3""#))
    let message = try story("testALongMessageIsToldUpToSomePlace")
    #expect(message.contains(#""error":{"code":1,"message":"refused !!!"#))
  }
}
