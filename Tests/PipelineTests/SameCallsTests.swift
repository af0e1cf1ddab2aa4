import ExhibitSystem
import Foundation
import Testing

/// Random calls of SQLite, as an app might make them: what it can notice is the same with Exhibit's C sources and without.
@Suite(.enabled(if: SameCallsTests.programs != nil, "clang builds the program that calls SQLite"))
struct SameCallsTests {
  private static let isLong = ProcessInfo.processInfo.environment["EXHIBIT_LONG_TESTS"] == "1"
  private static let folder = try? TemporaryFolder()

  /// Tests/Fixtures/Calls, built once; `nil` where clang is missing or cannot build it.
  static let programs: (with: String, without: String)? = {
    let calls = ThisPackage.file("Tests/Fixtures/Calls/calls.c").path
    let attach = ThisPackage.file("Tests/Fixtures/Calls/attach.c").path
    let start = ThisPackage.file("Sources/ExhibitStart").path
    // What takes the tests' entry point needs Swift.
    guard let with = folder?.path,
      let files = try? ["", "/Trace"].flatMap({ part in
        try FileSystem.entries(of: start + part).map { "\(start)\(part)/\($0)" }
      })
    else { return nil }
    let sources = files.filter { $0.hasSuffix(".c") && !$0.hasSuffix("/entry_point.c") }
    let built = [
      ["clang", "-gdwarf-4", "-o", with + "/with", "-I", start + "/include", calls, attach] + sources
        + ["-lsqlite3", "-ldl", "-lpthread"],
      ["clang", "-g", "-o", with + "/without", calls, "-lsqlite3"],
    ].allSatisfy { (try? Command($0).run())?.status == 0 }
    return built ? (with + "/with", with + "/without") : nil
  }()

  private func output(of arguments: [String]) throws -> (status: Int32, text: String) {
    let databases = try TemporaryFolder()
    let result = try Command(arguments + [databases.path]).run()
    return (result.status, result.output)
  }

  @Test func whatTheAppNoticesIsTheSame() throws {
    let programs = try #require(Self.programs)
    for seed in 1...(Self.isLong ? 300 : 30) {
      let expected = try output(of: [programs.without, "\(seed)", "200"])
      let recorded = try output(of: [programs.with, "\(seed)", "200"])
      #expect(expected.status == 0 && expected.text.count > 2000, "seed \(seed)")
      #expect(recorded.status == 0, "seed \(seed)")
      let lines = zip(expected.text.split(separator: "\n"), recorded.text.split(separator: "\n"))
      let first = lines.enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        expected.text == recorded.text,
        "seed \(seed), line \(first.map { "\($0.offset + 1): \($0.element)" } ?? "of the end")")
    }
  }

  @Test(
    .enabled(if: isLong, "EXHIBIT_LONG_TESTS=1"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind"), "needs valgrind"))
  func nothingThatIsFreedIsRead() throws {
    let programs = try #require(Self.programs)
    for seed in 1...20 {
      let result = try output(of: [
        "valgrind", "--quiet", "--error-exitcode=9", programs.with, "\(seed)", "200",
      ])
      #expect(result.status == 0, "seed \(seed): \(result.text.suffix(2000))")
    }
  }
}
