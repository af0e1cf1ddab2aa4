import ArgumentParser
import Collector
import ReportHistory
import ReportModel
import ReportPipeline

struct HistoryPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file with the outcomes of earlier runs, or postgresql://USER@HOST/DATABASE (default: \
      test-artifacts/history.sqlite).
      """, valueName: "place"))
  var history: String?

  func validate() throws {
    if history?.isEmpty == true { throw ValidationError("--history is empty.") }
    try Self.check(history)
  }

  /// Refuses an invalid address of a server, without repeating it.
  static func check(_ place: String?) throws {
    guard let place, ServerAddress.isAddress(place) else { return }
    do throws(ServerAddress.Refusal) {
      _ = try ServerAddress(place)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  static func store(_ place: String) -> any HistoryStore {
    ServerAddress.isAddress(place) ? HistoryServer(place) : HistoryFile(path: place)
  }

  func lookup(_ artifacts: ArtifactsFolder, adds: Bool, label: String?) -> HistoryLookup {
    HistoryLookup(
      history: Self.store(history ?? artifacts.historyFile), isNamed: history != nil, adds: adds, label: label
    )
  }

  /// That of the package in `reporter`'s current folder.
  var store: any HistoryStore {
    Self.store(history ?? currentFolder.relative(ArtifactsFolder.current.historyFile))
  }
}

struct HistoryOptions: ParsableArguments {
  @OptionGroup var place: HistoryPlace

  @Option(
    help: ArgumentHelp(
      """
      add: the report tells of earlier runs, and this one is added; read: it is not; none: neither (default: add for \
      reporter test, read for reporter report).
      """, valueName: "access"))
  var historyAccess: Access?

  @Option(
    help: ArgumentHelp(
      "What the history calls the machines that run the tests (default: the CI's job, if any, and the toolchain).",
      valueName: "text"))
  var label: String?

  enum Access: String, ExpressibleByArgument, CaseIterable { case add, read, none }

  func validate() throws {
    if label?.isEmpty == true { throw ValidationError("--label is empty.") }
    if label.map({ $0.utf8.count > 200 }) == true { throw ValidationError("--label has at most 200 bytes.") }
  }

  /// A named history's times of tests; a problem is printed.
  var durations: [TestCaseID: Double] {
    guard let named = place.history else { return [:] }
    do throws(HistoryError) {
      return try HistoryPlace.store(named).durations()
    } catch {
      Reporting.complain("The tests are split without durations. \(error)")
      return [:]
    }
  }

  /// False where the history that may get a package's run says that it keeps no passes.
  func keepsPasses(inPackage folder: String, _ environment: [String: String]) -> Bool {
    if historyAccess == Access.none { return true }
    let artifacts = ArtifactsFolder(variable: environment["EXHIBIT_ARTIFACTS"], packageFolder: folder)
    // The report tells of an unreadable history, which gets no pass either.
    return (try? HistoryPlace.store(place.history ?? artifacts.historyFile).keepsPasses()) ?? true
  }

  /// - Parameter access: Where the user names none.
  func lookup(_ artifacts: ArtifactsFolder, orElse access: Access) -> HistoryLookup? {
    let access = historyAccess ?? access
    return access == .none ? nil : place.lookup(artifacts, adds: access == .add, label: label)
  }
}

extension ArtifactsFolder {
  /// Unless the user names another place.
  var historyFile: String { path + "/history.sqlite" }
}
