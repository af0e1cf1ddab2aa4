import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// `reporter test --shard`, `reporter pack` and a report on packs, with a `swift` that is a script.
@Suite struct ShardCommandTests {
  private let package: ScriptedPackage
  private var folder: TemporaryFolder { package.folder }
  private static let listed = """
    Building for debugging...
    M.OrderTests/testOne
    M.OrderTests/testTwo
    M.StoreTests/testThree
    M.Suite/four()/File.swift:12:3
    M.Slow/testFive
    """

  init() throws {
    package = try ScriptedPackage()
    try folder.write(Self.listed, to: "list")
    try package.makeSwift(
      """
      case "$(cat "\(folder.path)/arguments")" in build*) echo built; exit $(cat "\(folder.path)/build-status");; esac
      cp "\(folder.path)/arguments" "\(folder.path)/test-arguments"
      cp "\(folder.path)/results.xml" "$xunit"
      """)
    try folder.write("0", to: "build-status")
  }

  private func reporter(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(
      arguments, in: folder.path + "/package", environment: environment, path: folder.path + "/bin")
  }

  /// The tests of a shard, by `--list`.
  private func listed(_ shard: String) throws -> [String] {
    let result = try reporter("test", "--shard", shard, "--list", "--", "--skip", "Slow")
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.isEmpty }.dropFirst().filter { !$0.isEmpty }.map(String.init)
  }

  private func write(results tests: [String]) throws {
    let cases = tests.map { test in
      let parts = test.split(separator: "/")
      return "<testcase classname='\(parts[0])' name='\(parts[1])' time='0.5'/>"
    }
    try folder.write("<testsuite>\(cases.joined())</testsuite>", to: "results.xml")
  }

  @Test func theShardsOfTwoMachinesAreOneReport() throws {
    let tests = try [listed("1/2"), listed("2/2")]
    #expect(
      Set(tests.joined()) == [
        "M.OrderTests/testOne", "M.OrderTests/testTwo", "M.StoreTests/testThree", "M.Suite/four()",
      ])
    #expect(tests.map(\.count).reduce(0, +) == 4 && !tests.contains { $0.isEmpty })
    #expect(!folder.files.contains { $0.contains("test-artifacts") })
    for (index, own) in tests.enumerated() {
      try write(results: own)
      let artifacts = ["EXHIBIT_ARTIFACTS": "shard-\(index + 1)", "EXHIBIT_RUN": "nightly"]
      let result = try reporter(
        "test", "--shard", "\(index + 1)/2", "--label", "bookworm", "--", "--skip", "Slow",
        environment: artifacts)
      #expect(result.status == 0, "\(result.errors)")
      let arguments = try folder.read("test-arguments")
      #expect(arguments.contains("--skip Slow") && arguments.contains("--skip-build --filter ^(?:M"))
      let run = "package/shard-\(index + 1)/runs/nightly"
      #expect(try folder.read("\(run)/run.json").contains("\"label\" : \"bookworm\""))
      #expect(try folder.read("\(run)/split.txt").contains("\(index + 1) \(own[0])\n"))
      let packed = try reporter("pack", "shard-\(index + 1)", "--output", "shard-\(index + 1).tar.gz")
      #expect(packed.status == 0 && packed.output.contains("shard-\(index + 1).tar.gz: "), "\(packed.errors)")
      let over = try reporter(
        "pack", "shard-\(index + 1)", "--output", "shard-\(index + 1)/runs/nightly/run.json")
      #expect(over.status == 73 && over.errors.contains("run.json is read for it."), "\(over.errors)")
    }
    let merged = try reporter("report", "--shards", "2", "shard-1.tar.gz", "shard-2.tar.gz")
    #expect(merged.status == 0 && merged.output.contains("4 tests: 4 passed."), "\(merged.errors)")
    let page = try folder.read("package/test-artifacts/report/index.html")
    #expect(page.contains(">2 shards</h2>") && page.contains("shard 2 of 2") && page.contains("bookworm"))
    // It is one run, wherever its shards lie.
    for places in [["shard-1.tar.gz", "shard-2.tar.gz"], ["shard-1", "shard-2"], ["shard-2", "./shard-1"]] {
      let added = try ReporterProcess.run(
        ["report", "--shards", "2", "--history", "h.sqlite", "--history-access", "add"] + places,
        in: folder.path + "/package")
      #expect(added.status == 0, "\(added.errors)")
    }
    #expect(
      try TestConnection(folder("package/h.sqlite")).text("SELECT group_concat(name) FROM runs") == "nightly")
    let partly = try reporter("report", "--shards", "2", "shard-1.tar.gz")
    #expect(partly.status == 3 && partly.errors.contains("Shard 2 of 2 is missing."))
    let index = try folder.read("package/test-artifacts/report/index.html")
    #expect(index.contains(">1 of 2 shards</h2>"))
    #expect(
      index.contains(
        "<bdi>shard 2 of 2</bdi></th><td colspan=\"7\"><strong class=\"missing\">Missing</strong>"))
  }

  @Test func aTestOfAShardThatDidNotRunIsAFault() throws {
    let tests = try listed("1/1")
    try write(results: Array(tests.dropLast()))
    let result = try reporter("test", "--shard", "1/1", "--", "--skip", "Slow")
    #expect(result.status == 3 && result.errors.contains("Shard 1 of 1"), "\(result.errors)")
  }

  @Test func aBuildThatFailsLeavesAReportWithoutTests() throws {
    try folder.write("1", to: "build-status")
    try write(results: [])
    let result = try reporter("test", "--shard", "1/2")
    #expect(result.status == 66 || result.status == 1, "\(result.errors)")
    #expect(try folder.read("test-arguments").contains("--filter ^$"))
    #expect(try reporter("test", "--shard", "1/2", "--list").status == 66)
  }

  @Test func whatCannotBeSplitIsAUsageError() throws {
    #expect(try reporter("test", "--shard", "1/9").status == 64)
    #expect(try reporter("test", "--shard", "1/9").errors.contains("5 tests cannot be split into 9 shards."))
    #expect(
      try reporter("test", "--shard", "1/2", "--", "--filter", "A").errors.contains("leave --filter away"))
    let skipping = try reporter("test", "--shard", "1/2", "--list", "--", "--skip", "[")
    #expect(skipping.status == 64 && skipping.errors.contains("--skip [ is no regular expression."))
    for arguments in [["--shard", "3/2"], ["--shard", "x"], ["--list"]] {
      #expect(try ReporterProcess.run(["test"] + arguments, in: folder.path).status == 64)
    }
    #expect(try reporter("report", "--shards", "0").status == 64)
    #expect(try reporter("pack").status == 66)
    #expect(try reporter("pack", "--run", "a", "--all-runs").status == 64)
  }
}
