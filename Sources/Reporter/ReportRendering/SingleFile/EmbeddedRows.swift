import Collector
import ExhibitSystem
import ReportModel

/// Rows of databases embedded in a single-file report within a budget, leading failures first.
package struct EmbeddedRows {
  static let mostBytes = 8_000_000
  private static let bytesBesideRows = 64 * 1024

  private(set) var files: [ReportFile] = []
  private(set) var ids: [String: String] = [:]
  private(set) var marked: Set<TestCaseID> = []
  private var left: Int

  var bytes: Int { files.reduce(0) { $0 + $1.contents.count } }

  /// - Throws: Only errors of files; unreadable tables are noted in place.
  init(_ plan: RowPlan, of tests: [TestResult], in context: PageContext, budget: Int) throws {
    left = min(budget, Self.mostBytes)
    let share = "the \(sizeText(left)) of rows in \(SingleFile.path)"
    let databases = context.contents.databases
    var kept: Set<String> = []
    for database in plan.databases {
      let room = left - Self.bytesBesideRows
      guard room > 0, let inspection = databases[database.path] else { continue }
      let written = Locked<[ReportFile]>([])
      var rows = RowFiles(database.id, inspection, room: room) { file in
        written.withLock { $0.append(file) }
      }
      try rows.write(plan.folder + "/" + database.path, because: share, changed: database.changed)
      if take(written.withLock { $0 }) { kept.insert(database.id) }
    }
    ids = plan.ids.filter { kept.contains($0.value) }
    for test in tests where test.evidence.contains(where: { $0.path.flatMap { ids[$0] } != nil }) {
      if let marks = rowMarksFile(of: test, in: context), take([marks]) { marked.insert(test.id) }
    }
  }

  private mutating func take(_ more: [ReportFile]) -> Bool {
    let size = more.reduce(0) { $0 + $1.contents.count }
    guard size <= left else { return false }
    left -= size
    files += more
    return true
  }
}
