import Collector
import ExhibitSystem
import Foundation

/// Which databases a report has rows of, in the order in which they get their room: those of leading failures first,
/// and what tests started from behind all that was captured.
struct RowPlan: Sendable {
  struct Database: Sendable {
    var id: String
    /// In the report folder.
    var path: String
    /// Folded names of the tables that its test changed.
    var changed: Set<String>
  }

  private(set) var databases: [Database] = []
  /// By path in the report folder: identical databases have one.
  private(set) var ids: [String: String] = [:]

  /// - Parameter folder: The report folder, as an absolute path.
  init(_ context: PageContext, folder: String) {
    let contents = context.contents
    let failures = context.groups.flatMap(\.failures)
    let flaky = contents.report.tests.filter { $0.hasFailedOnce && !$0.outcome.isFailure }
    let evidence = (failures + flaky).flatMap { test in test.evidence.map { (test, $0) } }
    var paths: [(path: String, changed: Set<String>)] = []
    for (test, evidence) in evidence {
      guard let path = evidence.path, contents.databases[path]?.tables.isEmpty == false else { continue }
      paths.append((path, Set(contents.changedTables(in: evidence, of: test).map(foldedName))))
    }
    for (_, evidence) in evidence {
      guard let path = evidence.database?.baseline, contents.databases[path]?.tables.isEmpty == false
      else { continue }
      paths.append((path, []))
    }
    var known: [String: [String]] = [:]
    for (path, changed) in paths where ids[path] == nil {
      guard let id = Self.id(of: path, in: folder, &known) else { continue }
      ids[path] = id.name
      if id.isNew { databases.append(Database(id: id.name, path: path, changed: changed)) }
    }
  }

  /// Names a database by its contents; of files that have one hash and differ, the later gets a number.
  private static func id(
    of path: String, in folder: String, _ known: inout [String: [String]]
  ) -> (name: String, isNew: Bool)? {
    // One that is gone has no rows; its page has said so.
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + path), options: .alwaysMapped)
    else { return nil }
    var hash = StableHash()
    data.withUnsafeBytes { hash.add($0) }
    let others = known[hash.hexadecimal] ?? []
    for (number, other) in others.enumerated() {
      let same =
        try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + other), options: .alwaysMapped) == data
      if same == true { return (name(hash, number), false) }
    }
    known[hash.hexadecimal] = others + [path]
    return (name(hash, others.count), true)
  }

  private static func name(_ hash: StableHash, _ number: Int) -> String {
    number == 0 ? hash.hexadecimal : "\(hash.hexadecimal)-\(number + 1)"
  }
}

/// Writes the rows, one database after the other, so that no more than one file of them is in memory.
///
/// - Parameter folder: The report folder, as an absolute path.
/// - Throws: What `take` throws.
func writeRows(
  _ plan: RowPlan, of contents: ReportContents, in folder: String, limits: RowLimits, take: @escaping TakeFile
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
    try files.write(folder + "/" + database.path, because: reason, changed: database.changed)
    left -= files.bytes
  }
}
