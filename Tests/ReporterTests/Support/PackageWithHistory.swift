import Foundation

@testable import ReportTestSupport

/// A package in a git checkout, whose runs by `reporter test` go into its history.
struct PackageWithHistory {
  let package: ScriptedPackage
  var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try ScriptedPackage()
    try folder.write("test-artifacts\n", to: "package/.gitignore")
    try folder.write("one\n", to: "package/Source.swift")
    try git("init", "--quiet", "--initial-branch", "trunk")
    try commit("first")
  }

  /// Runs git in the package as somebody.
  @discardableResult func git(_ arguments: String...) throws -> String {
    let own = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    let result = try ReporterProcess.command(["git"] + own + arguments, in: folder.path + "/package").run()
    guard result.status == 0 else { throw Refused(message: result.errors) }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  struct Refused: Error {
    var message: String
  }

  /// Commits all files; the hash is returned.
  @discardableResult func commit(_ message: String) throws -> String {
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "--message", message)
    return try git("rev-parse", "HEAD")
  }

  /// Runs `reporter test`, in which all tests pass or, of a recording, some fail.
  @discardableResult func test(
    failing: Bool, _ options: String..., environment: [String: String] = [:]
  ) throws -> CommandResult {
    try package.makeSwift(package.leave(failing ? "parallel" : "green") + "\nexit \(failing ? 1 : 0)")
    return try ReporterProcess.run(
      ["test"] + options, in: folder.path + "/package", environment: environment, path: folder.path + "/bin")
  }

  func reporter(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(arguments, in: folder.path + "/package")
  }

  var history: String { folder("package/test-artifacts/history.sqlite") }

  func value(_ sql: String) throws -> String { try TestConnection(history).text(sql) }
}
