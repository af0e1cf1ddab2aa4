import Foundation
import Testing

@testable import ReportTestSupport

/// A history on a server as users meet it.
@Suite(
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct HistoryServerCommandTests {
  private let package: PackageWithHistory
  private let server: PostgreSQLServer
  private let database = UUID().uuidString
  private let address: String
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try PackageWithHistory()
    server = try PostgreSQLServer.shared.get()
    address = try server.makeDatabase(database)
  }

  private func value(_ sql: String) throws -> String {
    try server.sql("SET search_path = exhibit; " + sql, in: database)
  }

  private func report(_ file: String) throws -> String { try package.package.report(file) }

  @Test func aReportTellsOfTheRunsOnTheServerAndAddsItsOwn() throws {
    try package.test(failing: false, "--history", address)
    let first = try package.commit("second")
    try package.test(failing: true, "--history", address)
    try package.commit("third")
    #expect(try package.test(failing: true, "--history", address).status == 1)
    #expect(try report("summary.md").contains("failing since `\(first.prefix(7))` (2 runs, 1 minute)"))
    #expect(try value("SELECT count(*) FROM runs") == "3")
    #expect(!FileManager.default.fileExists(atPath: package.history))
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder("package/test-artifacts"))
    where file.hasSuffix("report.json") || file.hasSuffix(".md") {
      #expect(try !folder.read("package/test-artifacts/" + file).contains(server.folder.path), "\(file)")
    }
    #expect(try package.reporter("history", "--history", address).output.contains("Failing: "))
    #expect(try !package.reporter("report", "--history", address).errors.contains("history"))
    let pruned = try package.reporter("history", "prune", "--keep-runs", "1", "--history", address)
    #expect(pruned.output == "2 runs removed.\n")
    #expect(try value("SELECT count(*) FROM runs") == "1")
    let exported = try package.reporter("history", "export", "out.sqlite", "--history", address)
    #expect(exported.output == "1 run added, 0 already there.\n")
    let imported = try package.reporter("history", "import", "out.sqlite", "--history", address)
    #expect(imported.output == "0 runs added, 1 already there.\n")
  }

  @Test func theServerIsAskedForTheLastPass() throws {
    try package.test(failing: false, "--history", address, "--label", "here")
    let result = try package.test(
      failing: true, "--history", address, "--label", "here", "--compare-with", "last-pass")
    // The recordings that pass and fail have other tests.
    #expect(result.errors.contains("has no run with the label here in which any of the tests passed"))
  }

  @Test func anImportThatIsKilledIsWholeAndGoesOn() throws {
    try package.test(failing: true)
    try TestConnection(
      package.history,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO tests (identity, module, suite, name) SELECT 'M.S/t' || i, 'M', 'S', 't' || i FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO runs (key, name, label, began) SELECT 'key ' || i, 'run-' || i, 'l', i FROM n;
      INSERT INTO outcomes (run, test, outcome) SELECT runs.id, tests.id, 'passed' FROM runs, tests WHERE label = 'l';
      """
    ).close()
    let importing = try ReporterProcess.start(
      ["history", "import", package.history, "--history", address], in: folder("package"))
    PostgreSQLServer.wait { (try? Int(value("SELECT count(*) FROM runs"))) ?? 0 > 1 }
    importing.kill()
    let whole = """
      SELECT count(*) FROM runs WHERE label = 'l'
        AND (SELECT count(*) FROM outcomes WHERE run = runs.id) <> (SELECT count(*) FROM tests)
      """
    #expect(try value(whole) == "0")
    let before = try #require(Int(try value("SELECT count(*) FROM runs")))
    #expect(before < 61)
    let again = try package.reporter("history", "import", package.history, "--history", address)
    #expect(again.output.hasSuffix("already there.\n"), "\(again.errors)")
    #expect(try value("SELECT count(*) FROM runs") == "61")
    #expect(
      try value(
        "SELECT count(*) = 60 * (SELECT count(*) FROM tests) FROM outcomes JOIN runs ON runs.id = run WHERE label = 'l'"
      ) == "t")
  }
}

/// Addresses behind which no server answers, and those that are none.
@Suite struct UnreachableHistoryTests {
  private let package: PackageWithHistory

  init() throws {
    package = try PackageWithHistory()
  }

  @Test func aServerThatIsAwayIsAFaultAndTheReportIsWritten() throws {
    let address = "postgresql://ci@/history?host=\(package.folder.path)"
    let start = ContinuousClock.now
    let result = try package.test(failing: false, "--history", address)
    #expect(result.status == 3)
    #expect(
      result.errors.contains(
        "The run was not added to the history. The history postgresql://ci@/history cannot be reached"))
    let json = try package.package.report("report.json")
    #expect(json.contains("historyNotWritten") && json.contains("\"outcome\":\"passed\""))
    #expect(.now - start < .seconds(10))
    let printed = try package.reporter("history", "--history", address)
    #expect(printed.status == 66)
    #expect(printed.errors.contains("cannot be reached"))
  }

  @Test func aReportDoesNotWaitForAServerThatSaysNothing() throws {
    let server = try SilentServer()
    let start = ContinuousClock.now
    let result = try package.test(failing: true, "--history", server.address("connect_timeout=1"))
    #expect(result.status == 1)
    #expect(result.errors.contains("did not answer within 1 second."), "\(result.errors)")
    #expect(try package.package.report("report.json").contains("historyNotWritten"))
    #expect(.now - start < .seconds(8))
  }

  @Test(arguments: [
    "POSTGRESQL://ci:geheim@db/history", " postgresql://ci:geheim@db/history", "mysql://ci:geheim@db/history",
  ]) func anAddressOfAnotherKindIsNoFile(address: String) throws {
    for command in [["history", "--history", address], ["history", "import", address]] {
      let result = try ReporterProcess.run(command, in: package.folder("package"))
      #expect(result.status == 64)
      #expect(!(result.output + result.errors).contains("geheim"))
      #expect(result.errors.contains("The address of --history is none of PostgreSQL."), "\(result.errors)")
    }
  }

  @Test(arguments: [
    ["history"], ["history", "prune", "--keep-runs", "1"], ["history", "export", "a.sqlite"], ["report"],
    ["test"],
    ["show", "test"],
  ])
  func anAddressWithAPasswordIsRefusedAndNotPrinted(command: [String]) throws {
    let address = "postgresql://ci:geheim@db.example/history"
    let result = try ReporterProcess.run(command + ["--history", address], in: package.folder("package"))
    #expect(result.status == 64)
    #expect(!(result.output + result.errors).contains("geheim"))
    #expect(result.errors.contains("The address of --history has a password"), "\(result.errors)")
  }

  private static let scratch = try? TemporaryFolder()

  /// A library that takes a minute to look a name up, as an unreachable server of names makes it.
  private static let slowNames: String? = {
    let text = "#include <unistd.h>\nint getaddrinfo(void) { sleep(60); return -3; }\n"
    guard let folder = scratch, let source = try? folder.write(text, to: "names.c"),
      let built = try? run("clang", "-shared", "-fPIC", "-o", folder("names.so"), source), built.status == 0
    else { return nil }
    return folder("names.so")
  }()

  @Test(.enabled(if: slowNames != nil, "clang builds the library that looks names up slowly"))
  func aNameThatIsLookedUpSlowlyIsNotWaitedFor() throws {
    let start = ContinuousClock.now
    let result = try ReporterProcess.run(
      ["history", "--history", "postgresql://ci@db.example/history?connect_timeout=1"],
      in: package.folder("package"), environment: ["LD_PRELOAD": Self.slowNames ?? ""])
    #expect(result.status == 66)
    #expect(result.errors.contains("did not answer within 1 second."), "\(result.errors)")
    #expect(.now - start < .seconds(5))
  }
}
