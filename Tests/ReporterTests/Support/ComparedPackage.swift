import Foundation
import Testing

@testable import ReportTestSupport

/// A package in a repository with two commits and a change, whose tests fail, with a `swift` that is a script.
struct ComparedPackage {
  let package: ScriptedPackage
  var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try ScriptedPackage()
    try git("init", "-q", "-b", "main", ".")
    try folder.write("one\ntwo\nthree\n", to: "package/Sources/A.swift")
    try commit("First")
    try folder.write("one\n2\nthree\n", to: "package/Sources/A.swift")
    try commit("Second")
    try folder.write("one\n2\nthree\nfour\n", to: "package/Sources/A.swift")
    try makeSwift()
  }

  /// The beginning of a case of the script for `swift build`.
  var building: String { "case \"$(cat '\(folder.path)/arguments')\" in build*)" }

  /// Makes `swift` a script.
  ///
  /// - Parameters:
  ///   - build: What it does for `swift build`.
  ///   - again: What it does before failed tests run in the other commit.
  func makeSwift(build: String = "exit 0", again: String = ":") throws {
    try package.makeSwift(
      """
      \(building) \(build);; esac
      case "$(cat '\(folder.path)/arguments')" in *--skip-build*) \(again);; esac
      \(package.leave("parallel"))
      exit 1
      """)
  }

  @discardableResult
  func git(_ arguments: String..., in place: String = "package") throws -> String {
    let settings = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"]
    let result = try Command(
      ["git", "-C", folder.path + "/" + place] + settings + arguments,
      environment: Command.isolatedEnvironment.merging(["GIT_CONFIG_GLOBAL": "/dev/null"]) { $1 }
    ).run()
    #expect(result.status == 0, "\(result.output)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func commit(_ message: String, in place: String = "package") throws {
    if !FileManager.default.fileExists(atPath: folder.path + "/\(place)/.gitignore") {
      try folder.write(".build\ntest-artifacts\nPackage.resolved\n", to: "\(place)/.gitignore")
    }
    try git("add", "-A", in: place)
    try git("commit", "-q", "-m", message, in: place)
  }

  /// Compares, and returns what was said of it.
  func compare(_ name: String, environment: [String: String] = [:]) throws -> String {
    try said(start(name, environment: environment))
  }

  /// Begins to compare.
  func start(_ name: String, environment: [String: String] = [:]) throws -> StartedCommand {
    try ReporterProcess.start(
      ["test", "--compare-with", name], in: folder.path + "/package",
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null"].merging(environment) { $1 }, path: folder.path + "/bin")
  }

  /// Waits for the end: the report is written, and the status is that of the tests.
  func said(_ started: StartedCommand, report: String = "package/test-artifacts/report") throws -> String {
    let result = try started.wait()
    #expect(result.status == 1, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: folder("\(report)/report.json")), "\(result.errors)")
    return result.errors
  }

  /// The commit's files, in the folder of all.
  var worktree: String { "package/.build/exhibit-worktree/at\(folder.path)/package" }
}
