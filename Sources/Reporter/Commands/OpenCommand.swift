import ArgumentParser
import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportPipeline

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Opens the report, or a test's page, in the browser.",
    discussion: """
      TEST is a name, a part of one, or the identity that a test's page shows.

      Examples:
        reporter open
        reporter open testTheLastCopyIsReserved
        reporter open downloaded/report OrderTests.testTotal

      The address is printed too. $BROWSER names another browser than the desktop's.

      Exit codes: 0 it was opened; 64 usage, no test or several have the name, or it has no page; 66 there is no \
      report; 69 there is no browser or no display.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder of a report, or a page of one (default: test-artifacts/report).", valueName: "report"))
  var report: String?

  @Argument(help: "The test.")
  var test: String?

  func run() throws {
    let (folder, name) = place
    let page = try page(in: folder, of: name)
    let address = fileAddress(of: folder) + "/" + page
    print(address)
    try Reporting.orExit(ReporterExit.noBrowser) {
      try DesktopBrowser(environment: ProcessInfo.processInfo.environment).open(address)
    }
  }

  // MARK: - The report

  /// The report's absolute folder, and the named test; a single word that is no file names a test.
  private var place: (folder: String, test: String?) {
    let usual = ArtifactsFolder.current.reportFolder
    guard let report else { return (usual, test) }
    let path = URL(fileURLWithPath: report).standardizedFileURL.path
    let isPath = ["/", "./", "../"].contains { report.hasPrefix($0) }
    if test == nil, !isPath, FileSystem.status(path) == nil { return (usual, report) }
    // The path may be an artifacts folder with a report, or a report's first page.
    if path.hasSuffix("/index.html") { return (String(path.dropLast("/index.html".count)), test) }
    let inside = path + "/report"
    let isArtifacts = FileSystem.status(path + "/index.html") == nil
    return (isArtifacts && FileSystem.status(inside + "/index.html") != nil ? inside : path, test)
  }

  // MARK: - The page

  private func page(in folder: String, of name: String?) throws -> String {
    guard FileSystem.status(folder + "/index.html") != nil else {
      throw Reporting.refusal(
        "There is no report at \(folder); reporter test and reporter report write one.", ReporterExit.noInput)
    }
    guard let name else { return "index.html" }
    let test = try chosenTest(name, among: tests(in: folder)) { $0 }
    guard let page = test.page, let reference = Self.reference(page) else {
      throw Reporting.refusal(
        "\(test.id) has no page of its own: the report's list of all tests says all of it.",
        ReporterExit.usage)
    }
    return reference
  }

  /// The reference of a page in `report.json`, which may come from elsewhere; `nil` if it leaves the folder.
  static func reference(_ page: String) -> String? {
    let parts = page.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let path = relativeLink(to: parts[0]) else { return nil }
    guard parts.count == 2 else { return path }
    return relativeLink(to: parts[1]).map { "\(path)#\($0)" }
  }

  private struct Document: Decodable { var tests: [TestNames] }

  private func tests(in folder: String) throws -> [TestNames] {
    let path = folder + "/report.json"
    return try Reporting.orExit(ReporterExit.noInput, "\(path) cannot be read. ") {
      try JSONDecoder().decode(Document.self, from: Data(contentsOf: URL(fileURLWithPath: path))).tests
    }
  }
}
