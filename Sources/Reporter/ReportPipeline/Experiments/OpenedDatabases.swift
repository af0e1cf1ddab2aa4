import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// The database files that tests of a run opened, by its logs.
struct OpenedDatabases {
  /// By test; under `nil` those of none that is known.
  private(set) var paths: [TestCaseID?: Set<String>] = [:]
  /// False where a log, or a line of it, could not be read.
  private(set) var isWhole = true

  init(of run: RunFolder) {
    do {
      for name in try FileSystem.entries(of: run.logsFolder) where name.hasSuffix(".jsonl") {
        guard
          case .success(let file) = ContainedFile.open(ContainedPath(folder: run.path, path: "logs/\(name)"))
        else {
          isWhole = false
          continue
        }
        add(LogReader.read(Data(try file.contents()), Self.kinds))
      }
    } catch {
      isWhole = false
    }
  }

  private static let kinds = LogKinds([DatabaseOpening.self, DatabaseAttaching.self])

  private mutating func add(_ log: LogContents) {
    if !log.problems.isEmpty { isWhole = false }
    for record in log.records {
      let path =
        (record.payload as? DatabaseOpening)?.path ?? (record.payload as? DatabaseAttaching)?.path
      if let path { paths[record.test, default: []].insert(path) }
    }
  }

  /// The files of a function's cases and of the function itself.
  func paths(of function: TestCaseID) -> Set<String> {
    paths.reduce(into: []) { all, entry in
      if entry.key?.function == function.function { all.formUnion(entry.value) }
    }
  }
}
