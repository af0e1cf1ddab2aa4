import Collector
import ReportInspection
import ReportModel

/// The databases whose rows a report has, in the order in which they get their room: those of leading failures first,
/// and what tests started from behind all that was captured.
package struct RowPlan: Sendable {
  struct Database: Sendable {
    var id: String
    /// In the report folder.
    var path: String
    /// Folded names of the tables that its test changed.
    var changed: Set<String>
  }

  /// The report folder, as an absolute path.
  let folder: String
  private(set) var databases: [Database] = []
  /// By path in the report folder: identical databases have one.
  package private(set) var ids: [String: String] = [:]

  /// - Parameter folder: The report folder, as an absolute path.
  package init(_ context: PageContext, folder: String) {
    self.folder = folder
    let contents = context.contents
    let failures = context.groups.flatMap(\.failures)
    let flaky = context.others.filter(\.isFlaky)
    let evidence = (failures + flaky).flatMap { test in test.evidence.map { (test, $0) } }
    let captured = evidence.map { test, evidence in
      (
        evidence.path,
        Set((RowMarks(evidence, of: test, in: contents)?.tables ?? []).map { foldedName($0.name) })
      )
    }
    var names = ContentNames(folder: folder)
    for (path, changed) in captured + evidence.map({ ($1.baseline, []) }) {
      guard let path, ids[path] == nil, contents.databases[path]?.tables.isEmpty == false else { continue }
      // One that is gone, or cannot be read, has no rows; its page has said so.
      guard let file = try? ContainedFile.open(ContainedPath(folder: folder, path: path)).get(),
        let name = try? names.name(path, file)
      else { continue }
      ids[path] = name.text
      if name.path == path { databases.append(Database(id: name.text, path: path, changed: changed)) }
    }
  }
}

/// Writes the rows, one database after the other, so that no more than one file of them is in memory.
///
/// - Throws: The errors of `take`.
package func writeRows(
  _ plan: RowPlan, of contents: ReportContents, limits: ByteBudget, take: @escaping TakeFile
) throws {
  var left = limits.report
  for database in plan.databases {
    guard let inspection = contents.databases[database.path] else { continue }
    let isLast = left < limits.database
    var files = RowFiles(database.id, inspection, room: min(left, limits.database), take: take)
    let reason =
      isLast
      ? "\(sizeText(limits.report)) for a report (--max-rows)"
      : "\(sizeText(limits.database)) for a database (--max-rows-database)"
    try files.write(plan.folder + "/" + database.path, because: reason, changed: database.changed)
    left -= files.bytes
  }
}
