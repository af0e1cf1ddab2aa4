import Collector
import Foundation
import Testing

@testable import ReportRendering
@testable import ReportTestSupport
@testable import Reporter

/// `reporter open`, with a browser that is a script.
@Suite struct OpenCommandTests {
  private let folder: TemporaryFolder
  private var report: String { "file://\(folder.path)/test-artifacts/report" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    try writeReport(to: "test-artifacts/report")
    let script = """
      #!/bin/sh
      [ -z "$SLOW" ] || sleep "$SLOW"
      [ -z "$REFUSES" ] || exit 4
      echo "$@" >> "\(folder.path)/opened"
      [ ! -e "\(folder.path)/ended" ] || echo after >> "\(folder.path)/opened"
      cut -d " " -f 6 /proc/$$/stat > "\(folder.path)/session"
      """
    for name in ["browser", "xdg-open"] {
      let path = try folder.write(script, to: "bin/\(name)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }

  @Test func theReportOfTheFolderIsOpened() throws {
    let result = try open()
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "\(report)/index.html\n")
    #expect(opened == ["\(report)/index.html"])
  }

  @Test(arguments: [
    ["testTotalAfterDiscount"], ["totalafter"], ["OrdersTests/OrderStoreTests/testTotalAfterDiscount"],
    ["test-artifacts/report", "testTotalAfterDiscount"], ["test-artifacts", "testTotalAfterDiscount"],
    ["./test-artifacts/report/index.html", "testTotalAfterDiscount"],
    // The only one of several that failed.
    ["orderstoretests"],
  ])
  func aTestsPageIsOpened(arguments: [String]) throws {
    #expect(try open(arguments).status == 0)
    #expect(opened == ["\(report)/tests/OrdersTests.OrderStoreTests-testTotalAfterDiscount-5b92d3d9.html"])
  }

  @Test func anotherReportIsNamedByItsFolder() throws {
    try writeReport(to: "a b/#1")
    #expect(try open(["a b/#1"]).status == 0)
    #expect(opened == ["file://\(folder.path)/a%20b/%231/index.html"])
  }

  @Test(arguments: [
    (["testNothing"], "No test is called testNothing."), (["no/such"], "No test is called no/such."),
    (["test-artifacts/report", "nothing"], "No test"),
    (["orderstests"], "have orderstests in their name; name one of them:"),
    (["testInsert"], "testInsert has no page of its own"),
  ]) func whichTestIsMeantHasToBeClear(arguments: [String], message: String) throws {
    let result = try open(arguments)
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    #expect(opened == [])
  }

  @Test(arguments: ["./none", "Package.swift"]) func whereThereIsNoReportThatIsSaid(path: String) throws {
    let result = try open([path])
    #expect(result.status == 66 && result.errors.contains("There is no report at"), "\(result.errors)")
  }

  @Test func noPageLeadsOutOfTheReport() {
    #expect(OpenCommand.reference("tests/a b.html#t-7") == "tests/a%20b.html#t-7")
    for page in ["../x.html", "/etc/passwd", "tests/../../x", "", "tests/a#../b", "#"] {
      #expect(OpenCommand.reference(page) == nil)
    }
    #expect(OpenCommand.reference("javascript:alert(1)") == "javascript%3Aalert%281%29")
  }

  // MARK: - The browser

  @Test func withoutADisplayTheAddressIsPrintedAndThatIsSaid() throws {
    let result = try open(environment: [:])
    #expect(result.status == 69)
    #expect(result.output == "\(report)/index.html\n")
    #expect(result.errors.contains("There is no display to open a browser on."))
    let remote = try open(environment: ["SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"])
    #expect(remote.status == 69 && remote.errors.contains("this is a session of another machine"))
    #expect(opened == [])
  }

  @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"]) func theDesktopIsAskedWhereThereIsADisplay(name: String)
    throws
  {
    #expect(try open(environment: [name: ":0"]).status == 0)
    #expect(opened.count == 1)
  }

  /// A shell would run what `;` divides, and a program that is missing is no reason to give up.
  @Test func theVariableNamesSeveralAndNoShellReadsIt() throws {
    let browser = folder.path + "/bin/browser"
    let names = "no-such-browser:\(browser) --new-window;touch '\(folder.path)/ran'  %s --last:\(browser)"
    #expect(try open(environment: ["BROWSER": names]).status == 0)
    #expect(opened == ["--new-window;touch '\(folder.path)/ran' \(report)/index.html --last"])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/ran"))
  }

  @Test func oneThatRefusesIsNamed() throws {
    let result = try open(environment: ["BROWSER": folder.path + "/bin/browser", "REFUSES": "1"])
    #expect(result.status == 69)
    #expect(result.errors.contains("/bin/browser opened no browser: it returned 4."), "\(result.errors)")
    let missing = try open(environment: ["BROWSER": "no-such-browser"])
    #expect(
      missing.status == 69 && missing.errors.contains("no-such-browser opened no browser: No such file"))
  }

  /// One that stays in the foreground outlives the command, and the terminal with it.
  @Test func whatStaysIsLeftToItself() throws {
    let result = try ReporterProcess.command(
      ["/bin/sh", "-c", "\"$0\" open; echo $? > ended", try ReporterProcess.executable], in: folder.path,
      environment: ["BROWSER": folder.path + "/bin/browser", "SLOW": "4"]
    ).run()
    while opened.count < 2 { usleep(100_000) }
    #expect(result.output == "\(report)/index.html\n")
    #expect(opened == ["\(report)/index.html", "after"])
    #expect(try folder.read("ended") == "0\n")
    let session = try folder.read("session").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(session != String(getsid(0)))
  }

  // MARK: - Support

  private var opened: [String] {
    ((try? folder.read("opened")) ?? "").split(separator: "\n").map(String.init)  // Nothing was opened.
  }

  private func open(_ arguments: [String] = [], environment: [String: String]? = nil) throws -> CommandResult
  {
    var variables = [
      "BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "SSH_CONNECTION": "", "SSH_TTY": "",
    ]
    variables.merge(environment ?? ["BROWSER": folder.path + "/bin/browser"]) { $1 }
    return try ReporterProcess.run(
      ["open"] + arguments, in: folder.path, environment: variables, path: folder.path + "/bin")
  }

  private func writeReport(to path: String) throws {
    let contents = try ordersReport()
    try folder.write("<!doctype html>", to: "\(path)/index.html")
    try folder.write(document(contents), to: "\(path)/report.json")
  }

  private func document(_ contents: ReportContents) -> [UInt8] {
    var bytes: [UInt8] = []
    ReportDocument(contents).write { bytes += $0 }
    return bytes
  }
}
