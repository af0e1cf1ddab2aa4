import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// The database files that a run's tests opened, from its logs.
struct OpenedDatabases {
  /// By test; `nil` has those of unknown tests.
  private(set) var paths: [TestCaseID?: Set<String>] = [:]
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

  func paths(of function: TestCaseID) -> Set<String> {
    paths.reduce(into: []) { all, entry in
      if entry.key?.function == function.function { all.formUnion(entry.value) }
    }
  }
}
