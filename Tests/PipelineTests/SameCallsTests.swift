import ExhibitSystem
import Foundation
import Testing

/// Random calls of SQLite, as an app might make them: what it can notice is the same with Exhibit's C sources and without.
@Suite(.enabled(if: CallPrograms.shared != nil, "clang builds the program that calls SQLite"))
struct SameCallsTests {
  private static let isLong = ProcessInfo.processInfo.environment["EXHIBIT_LONG_TESTS"] == "1"

  private func output(of arguments: [String]) throws -> (status: Int32, text: String) {
    let databases = try TemporaryFolder()
    let result = try Command(arguments + [databases.path]).run()
    return (result.status, result.output)
  }

  @Test func whatTheAppNoticesIsTheSame() throws {
    let programs = try #require(CallPrograms.shared)
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
    let programs = try #require(CallPrograms.shared)
    for seed in 1...20 {
      let result = try output(of: [
        "valgrind", "--quiet", "--error-exitcode=9", programs.with, "\(seed)", "200",
      ])
      #expect(result.status == 0, "seed \(seed): \(result.text.suffix(2000))")
    }
  }
}

/// Tests/Fixtures/Calls, built with the sources of ExhibitStart and without.
private struct CallPrograms {
  let with, without: String
  private let folder: TemporaryFolder

  /// Built once; `nil` where clang is missing or cannot build them.
  static let shared: CallPrograms? = try? CallPrograms()

  private init() throws {
    folder = try TemporaryFolder()
    (with, without) = (folder.path + "/with", folder.path + "/without")
    let fixtures = ThisPackage.file("Tests/Fixtures/Calls").path
    let start = ThisPackage.file("Sources/ExhibitStart").path
    let files = try [start, start + "/Trace"].flatMap { folder in
      try FileSystem.entries(of: folder).map { "\(folder)/\($0)" }
    }
    // What takes the tests' entry point needs Swift.
    let sources = files.filter { $0.hasSuffix(".c") && !$0.hasSuffix("/entry_point.c") }
    let arguments = ["clang", "-gdwarf-4", "-I", start + "/include", fixtures + "/calls.c"]
    for built in [
      arguments + ["-o", with, fixtures + "/attach.c"] + sources + ["-lsqlite3", "-ldl", "-lpthread"],
      arguments + ["-o", without, "-lsqlite3"],
    ] {
      let result = try Command(built).run()
      guard result.status == 0 else { throw CocoaError(.executableLoad) }
    }
  }
}
