import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// The history as users meet it: what `reporter test` adds, what reports say, and `reporter history`.
@Suite struct HistoryCommandTests {
  private let package: PackageWithHistory
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try PackageWithHistory()
  }

  private func report(_ file: String) throws -> String { try package.package.report(file) }

  /// The page of one test that fails in the recording, and its name.
  private func failedPage() throws -> (page: String, name: String) {
    let report = try ReportJSON(in: folder("package/test-artifacts/report"))
    let failed = try #require(report.document.tests.first { $0.outcome == "failed" })
    let page = try #require(failed.page)
    return (try self.report(String(page.prefix { $0 != "#" })), failed.id)
  }

  // MARK: - Adding

  @Test func aRunIsAddedWithItsCommitBranchAndLabel() throws {
    let commit = try package.git("rev-parse", "HEAD")
    try package.test(failing: false, "--label", "here")
    #expect(
      try package.value("SELECT commit_hash || ' ' || dirty || ' ' || branch || ' ' || label FROM runs")
        == "\(commit) 0 trunk here")
    #expect(Int(try package.value("SELECT count(*) FROM outcomes")) ?? 0 > 0)
    #expect(try package.git("status", "--porcelain") == "")
  }

  @Test func changesOfTrackedFilesAloneAreNoted() throws {
    try folder.write("new\n", to: "package/New.swift")
    try package.test(failing: false)
    #expect(try package.value("SELECT dirty FROM runs") == "0")
    try folder.write("two\n", to: "package/Source.swift")
    try package.test(failing: false)
    #expect(
      try package.value("SELECT group_concat(dirty) FROM (SELECT dirty FROM runs ORDER BY began)") == "0,1")
  }

  @Test func theJobOfACIIsItsLabel() throws {
    try package.test(
      failing: false,
      environment: ["GITHUB_JOB": "tests", "GITHUB_REF_NAME": "12/merge", "GITHUB_HEAD_REF": "feature"])
    #expect(try package.value("SELECT label || ' ' || branch FROM runs").hasPrefix("tests, Swift "))
    #expect(try package.value("SELECT branch FROM runs") == "feature")
  }

  @Test func aReportReadsAndAddsWhereItIsTold() throws {
    try package.test(failing: false, "--history-access", "none")
    #expect(!FileManager.default.fileExists(atPath: package.history))
    #expect(try package.reporter("report").status == 0)
    #expect(!FileManager.default.fileExists(atPath: package.history))
    for _ in 1...2 { #expect(try package.reporter("report", "--history-access", "add").status == 0) }
    #expect(try package.value("SELECT count(*) FROM runs") == "1")
  }

  @Test func aPullRequestReadsAFileThatItDoesNotChange() throws {
    try package.test(failing: true, "--label", "ci")
    try FileManager.default.copyItem(atPath: package.history, toPath: folder("main.sqlite"))
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("main.sqlite")))
    try package.commit("second")
    let result = try package.test(
      failing: true, "--history", "../main.sqlite", "--history-access", "read", "--label", "ci")
    #expect(result.status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("main.sqlite"))) == before)
    #expect(try report("summary.md").contains("failing since"))
  }

  /// As the recipes in `ci/` check out: the last commit of a repository that lies elsewhere, by another user.
  @Test(.enabled(if: getuid() == 0, "only root can be somebody else"))
  func aShallowCheckoutOfAnotherUserIsKnownToBeWithoutChanges() throws {
    let commit = try package.git("rev-parse", "HEAD")
    try package.git("clone", "--quiet", "--bare", ".", "../origin.git")
    try package.git("clone", "--quiet", "--depth", "1", "file://\(folder("origin.git"))", "../job")
    try FileManager.default.removeItem(atPath: folder("package"))
    try FileManager.default.moveItem(atPath: folder("job"), toPath: folder("package"))
    #expect(try Command(["chown", "-R", "4711", folder("package")]).run().status == 0)
    let recipe = try String(contentsOf: ThisPackage.file("ci/github.yml"), encoding: .utf8)
    let settings = recipe.matches(of: #/ (GIT_CONFIG_[A-Z_0-9]+): "?([^"\n]*)/#)
    let environment = Dictionary(settings.map { (String($0.1), String($0.2)) }) { first, _ in first }
    #expect(environment.count == 3)
    try package.test(failing: true, environment: environment)
    #expect(try package.value("SELECT commit_hash || dirty FROM runs") == commit + "0")
    #expect(try package.git("-c", "safe.directory=*", "status", "--porcelain") == "")
  }

  @Test func aHistoryThatIsNotThereYetIsANotice() throws {
    let result = try package.test(failing: false, "--history", "none.sqlite", "--history-access", "read")
    #expect(result.status == 0)
    #expect(try report("report.json").contains("There is no history at none.sqlite."))
  }

  @Test func twoRunsAtOnceLoseNothing() throws {
    try package.package.makeSwift(package.package.leave("parallel") + "\nexit 1")
    let runs = try (1...6).map { number in
      try ReporterProcess.start(
        ["test", "--output", "../report-\(number)"], in: folder("package"), path: folder("bin"))
    }
    for run in runs { #expect(try run.wait().status == 1) }
    #expect(try package.value("SELECT count(*) FROM runs") == "6")
    #expect(
      try package.value("SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM outcomes GROUP BY run)")
        == "1")
    #expect(try package.value("PRAGMA integrity_check") == "ok")
    for number in 1...6 {
      #expect(try !folder.read("report-\(number)/report.json").contains("historyNotWritten"))
    }
  }

  // MARK: - What reports say

  @Test func aFailedTestSaysSinceWhenItFails() throws {
    try package.test(failing: false)
    let first = try package.commit("second")
    try package.test(failing: true)
    let (page, name) = try failedPage()
    #expect(page.contains("class=\"strip\" role=\"img\""))
    #expect(page.contains("new: no earlier run has this test"))
    try package.commit("third")
    try package.test(failing: true)
    let since = "failing since \(first.prefix(7)) (2 runs, 1 minute)"
    #expect(try failedPage().page.contains(since))
    #expect(try report("summary.md").contains("failing since `\(first.prefix(7))` (2 runs, 1 minute)"))
    let shown = try package.reporter("show", name)
    #expect(shown.output.contains("✗✗ \(since)") || shown.output.contains("✓✗✗ \(since)"), "\(shown.output)")
    let json = try report("report.json")
    #expect(json.contains("\"standing\":\"failing\""))
  }

  @Test func changesThatAreNotCommittedNeverSaySince() throws {
    try package.test(failing: true)
    try folder.write("two\n", to: "package/Source.swift")
    try package.test(failing: true)
    try package.commit("second")
    try folder.write("three\n", to: "package/Source.swift")
    try package.test(failing: true)
    let first = try package.git("rev-parse", "HEAD~1").prefix(7)
    #expect(try failedPage().page.contains("failing since \(first) (1 run)"))
    #expect(try failedPage().page.contains(" dirty\""))
  }

  @Test func theFirstRunOfALabelSaysNothing() throws {
    try package.test(failing: true)
    #expect(try !failedPage().page.contains("class=\"strip\""))
    #expect(try report("report.json").contains("\"history\":null"))
    try package.test(failing: true, "--label", "elsewhere")
    #expect(try !failedPage().page.contains("class=\"strip\""))
  }

  // MARK: - Files that are no histories

  @Test func aDamagedOneIsAFaultAndTheReportIsWritten() throws {
    try package.test(failing: true)
    try Data("SQLite format 3\u{0}cut".utf8).write(to: URL(fileURLWithPath: package.history))
    let result = try package.test(failing: true)
    #expect(result.status == 1)
    #expect(result.errors.contains("The run was not added to the history."), "\(result.errors)")
    #expect(result.errors.contains("is damaged, and was left as it is"))
    #expect(try report("report.json").contains("historyNotWritten"))
    #expect(try folder.read("package/test-artifacts/history.sqlite") == "SQLite format 3\u{0}cut")
    let reading = try package.reporter("report")
    #expect(reading.status == 3)
    #expect(reading.errors.contains("The report tells of no earlier runs."))
  }

  /// Noise, a file of another kind that is packed as a pass is, and more bytes than are read.
  @Test(arguments: [
    "randomblob(5000)", "x'1f8b0800000000000203cb48cdc9c9e7020020303a3606000000'", "zeroblob(17000000)",
  ])
  func aPassThatIsDamagedIsAFault(story: String) throws {
    try package.test(failing: true)
    _ = try package.value(
      "INSERT INTO recorded_passes (test, label, run, story) SELECT tests.id, label, runs.id, \(story) FROM tests, runs"
    )
    let result = try package.reporter("report")
    #expect(result.status == 3)
    let told = "test-artifacts/history.sqlite cannot be read"
    #expect(try report("report.json").contains(told), "\(result.errors)")
    #expect(try report("report.json").contains("passesUnreadable"))
  }

  @Test func aFolderThatCannotBeWrittenIsAFault() throws {
    let result = try package.test(failing: false, "--history", "nowhere/h.sqlite")
    #expect(result.status == 3)
    #expect(result.errors.contains("No such file or directory"))
    #expect(try report("report.json").contains("\"outcome\":\"passed\""))
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func aFullDiskIsAFaultAndTheHistoryIsAsItWas() throws {
    let disk = try SmallDisk(at: try folder.makeFolder("disk"), kilobytes: 256)
    defer { disk.unmount() }
    try package.test(failing: true, "--history", "../disk/h.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("disk/h.sqlite")))
    try Data(count: 1 << 20).prefix(256 * 1024 - before.count - 8192).write(
      to: URL(fileURLWithPath: folder("disk/fill")))
    let result = try package.test(failing: true, "--history", "../disk/h.sqlite")
    #expect(result.status == 1)
    #expect(result.errors.contains("cannot be written"), "\(result.errors)")
    #expect(try report("report.json").contains("historyNotWritten"))
    #expect(try TestConnection(folder("disk/h.sqlite")).text("PRAGMA integrity_check") == "ok")
    try disk.makeReadOnly()
    let other = try package.test(failing: true, "--history", "../disk/h.sqlite")
    #expect(other.errors.contains("historyNotWritten") || other.errors.contains("not added to the history"))
  }

  // MARK: - Printing

  @Test func theHistoryIsPrinted() throws {
    let commit = try package.git("rev-parse", "HEAD").prefix(7)
    try package.test(failing: true)
    try package.commit("second")
    try package.test(failing: true)
    let printed = try package.reporter("history")
    #expect(printed.status == 0)
    #expect(printed.output.hasPrefix("Runs\n✗ "), "\(printed.output)")
    #expect(printed.output.contains("Failing: "))
    #expect(printed.output.contains("✗✗  "))
    #expect(printed.output.contains("  failing since \(commit) (2 runs, 1 minute) · "))
    let name = try failedPage().name
    let one = try package.reporter("history", name)
    #expect(one.status == 0)
    #expect(one.output.hasPrefix("\(name) · "))
    #expect(one.output.contains("\n✗ "))
  }

  @Test func itIsPrintedForPrograms() throws {
    try package.test(failing: true)
    let document = try package.reporter("history", "--json").output
    let json = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
    #expect(Set(json.keys) == ["runs", "failing", "flaky"])
    let run = try #require((json["runs"] as? [[String: Any]])?.first)
    #expect(
      Set(run.keys) == [
        "name", "label", "commit", "branch", "address", "began", "ended", "dirty", "tests", "failures",
        "flaky",
      ])
    let one = try package.reporter("history", try failedPage().name, "--json").output
    let pasts = try #require(try JSONSerialization.jsonObject(with: Data(one.utf8)) as? [String: Any])
    let past = try #require((pasts["pasts"] as? [[String: Any]])?.first)
    #expect(Set(past.keys) == ["id", "label", "outcomes", "sentence", "standing"])
  }

  @Test func aTestThatIsNotThereOrNotTheOnlyOneIs64() throws {
    try package.test(failing: true)
    let none = try package.reporter("history", "testOfNobody")
    #expect(none.status == 64)
    #expect(none.errors.contains("No test is called testOfNobody."))
    let several = try package.reporter("history", "Tests")
    #expect(several.status == 64)
    #expect(several.errors.contains("have Tests in their name; name one of them:"))
  }

  @Test func withoutAHistoryItIs66() throws {
    for arguments in [["history"], ["history", "prune", "--keep-runs", "1"]] {
      let result = try ReporterProcess.run(arguments, in: folder("package"))
      #expect(result.status == 66)
      #expect(result.errors.contains("There is no history at test-artifacts/history.sqlite."))
    }
  }

  @Test func oldRunsAreRemoved() throws {
    for _ in 1...3 { try package.test(failing: false) }
    #expect(try package.reporter("history", "prune").status == 64)
    let result = try package.reporter("history", "prune", "--keep-runs", "2")
    #expect(result.output == "1 run removed.\n")
    #expect(try package.value("SELECT count(*) FROM runs") == "2")
    // What it says where it cannot do so is about removing runs, not about adding one.
    _ = try package.value("PRAGMA journal_mode = WAL")
    let refused = try package.reporter("history", "prune", "--keep-runs", "1")
    #expect(refused.status == 66 && !refused.errors.contains("reporter report"), "\(refused.errors)")
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func oldRunsAreRemovedWhereTheirRoomCannotBeGivenBack() throws {
    try package.test(failing: true)
    try TestConnection(
      package.history,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO tests (identity, module, suite, name) SELECT 'M.S/t' || i, 'M', 'S', 't' || i FROM n;
      INSERT INTO runs (key, name, label, began) VALUES ('a', 'a', 'l', 1), ('b', 'b', 'l', 2), ('c', 'c', 'l', 3);
      INSERT INTO outcomes (run, test, outcome) SELECT runs.id, tests.id, 'passed' FROM runs, tests WHERE label = 'l';
      INSERT INTO outcomes (run, test, outcome) SELECT runs.id, 0, 'passed' FROM runs WHERE name = 'a';
      """
    ).close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: package.history))
    let disk = try SmallDisk(at: try folder.makeFolder("disk"), kilobytes: 4096)
    defer { disk.unmount() }
    try bytes.write(to: URL(fileURLWithPath: folder("disk/h.sqlite")))
    try disk.resize(kilobytes: bytes.count / 1024 + 260)
    let result = try package.reporter("history", "prune", "--keep-runs", "2", "--history", "../disk/h.sqlite")
    #expect(result.status == 0 && result.output == "1 run removed.\n", "\(result.errors)")
    #expect(result.errors.contains("could not be given back: database or disk is full"), "\(result.errors)")
    let history = try TestConnection(folder("disk/h.sqlite"))
    #expect(try history.text("SELECT count(*) FROM runs WHERE label = 'l'") == "2")
    #expect(try history.text("PRAGMA integrity_check") == "ok")
    try disk.resize(kilobytes: 4096)
    let again = try package.reporter("history", "prune", "--keep-runs", "2", "--history", "../disk/h.sqlite")
    #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
    #expect(try history.text("PRAGMA freelist_count") == "0")
  }

  /// macOS gives the names of files decomposed.
  @Test func aTestIsFoundInAnyFormOfUnicode() throws {
    try package.test(failing: true)
    let name = "M.S/test\u{DC}"
    _ = try package.value("UPDATE tests SET identity = '\(name)' WHERE id = (SELECT min(id) FROM tests)")
    for form in [name, name.decomposedStringWithCanonicalMapping] {
      let printed = try package.reporter("history", form)
      #expect(printed.status == 0 && printed.output.hasPrefix("\(name) · "), "\(printed.output)")
    }
  }

  @Test func aRunOfAClockThatIsAheadIsNotAdded() throws {
    try package.test(failing: true)
    let manifest = try package.package.run + "/run.json"
    let start = try #require(try folder.read(manifest).firstMatch(of: /"start" : [0-9.]+/))
    try folder.write(
      folder.read(manifest).replacing(start.0, with: "\"start\" : 4000000000"), to: manifest)
    let result = try package.reporter("report", "--history-access", "add")
    #expect(
      result.errors.contains("The run was not added to the history. It began at 2096-10-02 07:06:40 UTC"))
    #expect(try report("report.json").contains("historyNotWritten"))
    #expect(try package.value("SELECT count(*) FROM runs") == "1")
  }

  @Test func linesOfAHostileHistoryAreHarmless() throws {
    try package.test(failing: true)
    _ = try package.value(
      "UPDATE runs SET branch = 'a' || char(27) || '[2J' || char(10) || 'reporter: no', label = 'x' || char(7)"
    )
    let printed = try package.reporter("history").output
    #expect(!printed.contains("\u{1B}") && !printed.contains("\u{7}"))
    #expect(printed.split(separator: "\n").allSatisfy { !$0.hasPrefix("reporter: no") })
    #expect(try !package.reporter("history", "--json").output.contains("\u{1B}"))
  }
}
