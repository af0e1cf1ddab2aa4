import Collector
import ExhibitSystem
import Foundation
import Testing

/// Random calls of SQLite, as an app might make them: what it can notice is the same with Exhibit's C sources and without.
@Suite(.enabled(if: CallPrograms.canBeBuilt, "clang builds the program that calls SQLite"))
struct SameCallsTests {

  private func output(of arguments: [String]) throws -> (status: Int32, text: String) {
    let databases = try TemporaryFolder()
    let result = try Command(arguments + [databases.path]).run()
    return (result.status, result.output)
  }

  @Test func whatTheAppNoticesIsTheSame() throws {
    let programs = try CallPrograms.shared.get()
    for seed in 1...(LongTests.areAsked ? 300 : 30) {
      let expected = try output(of: [programs.path("calls", isRecorded: false), "\(seed)", "200"])
      let recorded = try output(of: [programs.path("calls", isRecorded: true), "\(seed)", "200"])
      #expect(expected.status == 0 && expected.text.count > 2000, "seed \(seed)")
      #expect(recorded.status == 0, "seed \(seed)")
      let lines = zip(expected.text.split(separator: "\n"), recorded.text.split(separator: "\n"))
      let first = lines.enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        expected.text == recorded.text,
        "seed \(seed), line \(first.map { "\($0.offset + 1): \($0.element)" } ?? "of the end")")
    }
  }

  /// Blobs: the preupdate hook is called before SQLite has found the blob's row again.
  ///
  /// Deletes: with it they go row by row, unless the app would notice. Limits: values are written out under one of ours.
  @Test(arguments: [
    ("blobs", ["written 0", "written 4"]), ("deletes", ["update hook: 9 t 1", ": 0 updates", "stepped: 5"]),
    ("limits", ["always the same limit"]),
  ])
  func whatCallsOnPurposeLeadToIsTheSame(program: String, parts: [String]) throws {
    let programs = try CallPrograms.shared.get()
    let expected = try output(of: [programs.path(program, isRecorded: false)])
    let recorded = try output(of: [programs.path(program, isRecorded: true)])
    #expect(expected.status == 0 && parts.allSatisfy(expected.text.contains), "\(expected.text)")
    #expect(recorded.status == 0 && recorded.text == expected.text, "\(recorded.text)")
  }

  /// Limits of docs/attach.md: hooks hear of rows that were there, and of nothing else that was not.
  @Test func deletesThatWerePreparedBeforeTheHooksAreHeardRowByRow() throws {
    let programs = try CallPrograms.shared.get()
    func lines(isRecorded: Bool) throws -> [Substring] {
      let folder = try TemporaryFolder()
      let result = try Command([programs.path("deletes", isRecorded: isRecorded), folder.path, "early"]).run()
      #expect(result.status == 0)
      return result.output.split(separator: "\n")
    }
    let expected = try lines(isRecorded: false)
    let recorded = try lines(isRecorded: true)
    func others(_ lines: [Substring]) -> [Substring] {
      lines.filter { !$0.contains("update hook: 9") && !$0.contains("heard: ") }
    }
    #expect(others(recorded) == others(expected))
    #expect(
      recorded.prefix(8).map { $0.trimmingPrefix("  ") } == [
        "plain", "update hook: 9 t 1", "update hook: 9 t 2", "update hook: 9 t 3", "update hook: 9 t 4",
        "stepped: 101, changes 4", "heard: 4 updates, 0 calls", "changes 4, total 8",
      ])
    let heard = recorded.filter { $0.contains("frames") }
    let alone = expected.filter { $0.contains("frames") }
    #expect(alone.count == 3 && heard == Array(alone.prefix(2)), "The empty table has nothing to commit.")
  }

  @Test func theTextWithValuesIsTheOneThatSQLiteWrites() throws {
    let program = try CallPrograms.shared.get().path("expanded", isRecorded: true)
    for seed in 1...(LongTests.areAsked ? 300 : 10) {
      let result = try Command([program, "\(seed)", "400"]).run()
      #expect(result.status == 0, "seed \(seed): \(result.output)")
      let count = try #require(result.output.split(separator: "\n").last?.split(separator: " ").first)
      #expect(try #require(Int(count)) > 100, "seed \(seed)")
    }
  }

  @Test func theStacksAreThoseOfTheTablesForUnwinding() throws {
    let program = try CallPrograms.shared.get().path("frames", isRecorded: true)
    for seed in 1...(LongTests.areAsked ? 100 : 5) {
      let result = try Command([program, "\(seed)"]).run()
      #expect(
        result.status == 0 && result.output.contains(", 0 other ones"), "seed \(seed): \(result.output)")
      let numbers = result.output.split { !$0.isNumber }.compactMap { Int($0) }
      // Fibers, another signal stack and the smallest thread.
      #expect(numbers.count == 3 && numbers[0] > 1000 && numbers[1] < 50, "\(result.output)")
    }
  }

  /// Each has its latest steps, in its share of the room; one that needs less has all of them.
  @Test func testsThatRunAtOnceKeepTheirSteps() throws {
    let folder = try TemporaryFolder()
    let program = try CallPrograms.shared.get().path("ring_of_tests", isRecorded: true)
    let result = try Command([program, folder("ring")]).run()
    #expect(result.status == 0, "\(result.output)")
    let image = try Data(contentsOf: URL(fileURLWithPath: folder("ring"))).withUnsafeBytes {
      try TraceImage($0)
    }
    #expect(image.damage == nil)
    let waiting = TestSteps(of: .init(test: 500, stepsBefore: 0), in: image)
    #expect(waiting.steps.count == 60 && waiting.missing == 0 && waiting.overwritten.isEmpty)
    #expect(waiting.steps.first?.sql.hasPrefix("CREATE TABLE") == true)
    #expect(waiting.steps.dropFirst().allSatisfy { $0.changes.count == 1 && !$0.isRunning })
    for test in 1...20 {
      let told = TestSteps(of: .init(test: test, stepsBefore: 60), in: image)
      #expect(told.steps.count >= 150 && told.steps.count + Int(told.missing) == 3000, "test \(test)")
      #expect(told.overwritten.map(\.steps).reduce(0, +) == Int(told.missing))
      #expect(
        told.overwritten.first?.sql.hasPrefix("CREATE TABLE") == true && told.overwritten.first?.steps == 1)
      #expect(told.steps.allSatisfy { $0.changes.count == 1 && !$0.isRunning })
      #expect(zip(told.steps, told.steps.dropFirst()).allSatisfy { $0.number < $1.number })
    }
  }

  /// Texts and stacks are there as long as a step names them, and what was overwritten is counted.
  @Test func aRingLosesNothingThatItNames() throws {
    let folder = try TemporaryFolder()
    let program = try CallPrograms.shared.get().path("ring", isRecorded: true)
    let result = try Command([program, folder("ring")]).run()
    #expect(result.status == 0, "\(result.output)")
    let image = try Data(contentsOf: URL(fileURLWithPath: folder("ring"))).withUnsafeBytes {
      try TraceImage($0)
    }
    let told = TestSteps(of: .init(test: 1, stepsBefore: 0), in: image)
    #expect(image.damage == nil && told.steps.count > 1000 && told.missing > 10_000)
    #expect(!told.steps.contains { $0.sql.contains("overwritten") })
    let stacks = Set(told.stacks.map(\.number))
    #expect(told.steps.allSatisfy { $0.stack.map(stacks.contains) == true })
    #expect(told.stacks.allSatisfy { $0.frames.count > 4 } && told.code.contains { $0.path == program })
    // Of the first connection that was overwritten.
    guard let opened = told.marks.first as? RecordedStory.Opened,
      let closed = told.marks.last as? RecordedStory.Closed
    else {
      Issue.record("\(told.marks)")
      return
    }
    #expect(told.marks.count == 2 && opened.connection == 2 && closed.connection == 2)
    let other = told.steps.filter { $0.connection == 2 }
    #expect(other.map(\.sql) == ["CREATE TABLE other(a)", "SELEKT 1"] && other.last?.error != nil)
    #expect(opened.after == other.first.map { $0.number - 1 } && closed.after == other.last?.number)
    let places = [opened.stack, closed.stack] + other.map(\.stack)
    #expect(places.allSatisfy { $0.map(stacks.contains) == true } && Set(places).count == 4)
    let inserts = told.overwritten.filter { $0.sql == "INSERT INTO t(a, b) VALUES (?, ?)" }
    #expect(inserts.count == 2 && inserts.map(\.steps).reduce(0, +) == 20_000)
    #expect(inserts.allSatisfy { $0.rows == 10_000 && $0.stack.map(stacks.contains) == true })
    let last = told.steps.suffix(4).map(\.expanded)
    #expect(
      last == [
        "INSERT INTO t(a, b) VALUES (5, 'hello')",
        "INSERT INTO t(a, b) SELECT a + 1000000, 'hello' FROM t WHERE a = 7",
        "INSERT INTO t(a, b) VALUES (5, 'hello') ON CONFLICT(a) DO UPDATE SET b = 'taken'", nil,
      ])
  }

  @Test(
    .enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind"), "needs valgrind"))
  func nothingThatIsFreedIsRead() throws {
    let programs = try CallPrograms.shared.get()
    for seed in 1...20 {
      let result = try output(of: [
        "valgrind", "--quiet", "--error-exitcode=9", programs.path("calls", isRecorded: true), "\(seed)",
        "200",
      ])
      #expect(result.status == 0, "seed \(seed): \(result.text.suffix(2000))")
    }
  }
}

/// Tests/Fixtures/Calls, built with the sources of ExhibitStart and without.
private struct CallPrograms {
  private let folder: TemporaryFolder

  func path(_ program: String, isRecorded: Bool) -> String {
    folder(isRecorded ? program : program + "-without")
  }

  static let canBeBuilt = (try? Command(["clang", "--version"]).run().status) == 0
  /// Built once.
  static let shared = Result { try CallPrograms() }

  private init() throws {
    folder = try TemporaryFolder()
    let fixtures = ThisPackage.file("Tests/Fixtures/Calls").path
    let start = ThisPackage.file("Sources/ExhibitStart").path
    let system = ThisPackage.file("Sources/ExhibitCSystem").path
    // What takes the tests' entry point needs Swift; archives need libarchive.
    let left = ["entry_point.c", "archive.c"]
    let options = ["clang", "-gdwarf-4", "-I", start + "/include", "-I", system + "/include"]
    var recorder = [fixtures + "/attach.c", "-ldl", "-lpthread"]
    for (name, sources) in [("start", start), ("trace", start + "/Trace"), ("system", system)] {
      let files = try FileSystem.entries(of: sources).filter { $0.hasSuffix(".c") && !left.contains($0) }
      let objects = try folder.makeFolder(name)
      try Self.build(options + ["-c"] + files.map { "\(sources)/\($0)" }, in: objects)
      recorder += try FileSystem.entries(of: objects).map { "\(objects)/\($0)" }
    }
    let withoutFrame = folder("without_frame.o")
    try Self.build([
      "clang", "-O2", "-fomit-frame-pointer", "-fno-optimize-sibling-calls", "-c", "-o", withoutFrame,
      fixtures + "/without_frame.c",
    ])
    let recordedOnly = ["expanded", "frames", "ring", "ring_of_tests"]
    for program in ["calls", "blobs", "deletes", "limits"] + recordedOnly {
      for isRecorded in [true, false] where isRecorded || !recordedOnly.contains(program) {
        var file = [path(program, isRecorded: isRecorded), "\(fixtures)/\(program).c"]
        if program == "frames" { file += ["-I", start + "/Trace", withoutFrame] }
        try Self.build(options + ["-o"] + file + (isRecorded ? recorder : []) + ["-lsqlite3"])
      }
    }
  }

  private static func build(_ arguments: [String], in folder: String? = nil) throws {
    let result = try Command(arguments, in: folder).run()
    guard result.status == 0 else { throw NotBuilt(output: result.output) }
  }

  struct NotBuilt: Error {
    var output: String
  }
}
