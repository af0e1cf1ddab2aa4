import Foundation
import Testing

@testable import ReportTestSupport

/// A package for `reporter test` with a `swift` that is a script.
struct ScriptedPackage {
  /// Holds the folder `package`, and what the script writes down of how it was called.
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "package/Package.swift")
  }

  /// Makes `swift` a script that has the paths it was given in `$xunit`, `$events` and `$attachments`.
  func makeSwift(_ body: String) throws {
    let script = """
      #!/bin/sh
      if [ "$2" = list ]; then echo "$@" > "\(folder.path)/list-arguments"; exec cat "\(folder.path)/list"; fi
      echo "$@" > "\(folder.path)/arguments"
      env | sort > "\(folder.path)/environment"
      while [ $# -gt 0 ]; do
        case $1 in
          --xunit-output) xunit=$2;;
          --event-stream-output-path) events=$2;;
          --attachments-path) attachments=$2;;
        esac
        shift
      done
      \(body)
      """
    let path = try folder.write(script, to: "bin/swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Runs `reporter test` in the package.
  func test(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(
      ["test", "--"] + arguments, in: folder.path + "/package", environment: environment,
      path: folder.path + "/bin")
  }

  /// The lines of a script that leave what a recorded run has left.
  func leave(_ recording: String) -> String {
    """
    cp "\(Fixture.recording(recording))/events.jsonl" "$events"
    cp "\(Fixture.recording(recording))"/xunit*.xml "$(dirname "$xunit")"
    """
  }

  /// The folder of its only run.
  var run: String {
    get throws {
      let runs = folder.path + "/package/test-artifacts/runs"
      return try "package/test-artifacts/runs/" + #require(
        FileManager.default.contentsOfDirectory(atPath: runs).first)
    }
  }

  /// Files of the report of the newest run, and of the earlier one that is kept beside it.
  func report(_ file: String, earlier: Bool = false) throws -> String {
    try folder.read("package/test-artifacts/report\(earlier ? "-earlier" : "")/\(file)")
  }
}
