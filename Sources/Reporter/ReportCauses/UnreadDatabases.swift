import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// A database that nothing read, where an older copy of it was.
extension Causes {
  /// Rows of one table that two files are compared by.
  private static let mostRows = 20_000

  var unreadDatabases: [Explanation] {
    guard told.isWhole, files.count > 1 else { return [] }
    let reads = families.all.filter { family in
      family.members.first.map { $0.text.kind == .select && $0.text.readsTable && !$0.text.readsSchema }
        ?? false
    }
    let read = self.read
    let unread = files.committed.filter { !read.contains($0.database) }
    return reads.compactMap { family in
      for file in files.committed
      where family.members.contains(where: { $0.database == file.database }) {
        for left in unread where isAlike(file, left) {
          if let explanation = explanation(family, file, left) { return explanation }
        }
      }
      return nil
    }
  }

  /// The databases that any statement may have read, those of the set-up too.
  private var read: Set<Int> {
    var read: Set<Int> = []
    for step in told.steps where step.text.readsTable && !step.text.readsSchema {
      read.insert(step.database)
      for other in told.attached where other.connection == step.recorded.connection && other.schema != "main"
      {
        if step.text.qualifiers.contains(other.schema) || step.text.qualifiers.isEmpty {
          read.insert(other.database)
        }
      }
    }
    return read
  }

  /// True when two databases have the same tables.
  private func isAlike(_ one: CapturedFile, _ other: CapturedFile) -> Bool {
    func shape(_ file: CapturedFile) -> [String: [String]] {
      file.schema.tables.mapValues { $0.columns.map(\.name) }
    }
    return !one.schema.tables.isEmpty && shape(one) == shape(other)
  }

  /// Explains a file that nothing read and that has all rows of the one that was read, and more.
  private func explanation(_ family: StepFamily, _ file: CapturedFile, _ left: CapturedFile) -> Explanation? {
    guard let last = family.members.last(where: { $0.database == file.database }),
      let table = file.schema.tables.keys.filter({ last.names.contains($0.lowercased()) }).min(),
      let own = rows(of: table, in: file), let others = rows(of: table, in: left),
      !own.isEmpty, own.count < others.count, own.isSubset(of: others),
      let name = told.databases[safe: file.database]?.name,
      let other = told.databases[safe: left.database]?.name
    else { return nil }
    let more = others.subtracting(own).sorted {
      $0.map(\.literal).map { $0 ?? "" }.lexicographicallyPrecedes($1.map(\.literal).map { $0 ?? "" })
    }
    return Explanation(
      .likely,
      """
      \(family.pieces) read \(name) in \(step: last.number). \(other) has the same tables, all \
      \(counted(own.count, "row")) of \(table) and \(grouped(others.count - own.count)) more, and no statement read it.
      """,
      rows: RelatedRows(
        table: StoryTable(database: left.database, name: table), title: "\(table) in \(other) alone",
        columns: left.schema.tables[table]?.columns.map(\.name) ?? [], rows: Array(more.prefix(5)),
        count: more.count),
      weight: Weight.certain + disagreement.weight(of: [table]), about: Set(family.members.map(\.number)))
  }

  /// - Returns: `nil` where they are too many, or cannot be read whole.
  private func rows(of table: String, in file: CapturedFile) -> Set<[DatabaseValue]>? {
    let found = files.queries(of: file)?.query(
      "SELECT * FROM \(SQLText.name(table))", most: Self.mostRows + 1)
    guard let rows = found?.rows, rows.count <= Self.mostRows,
      !rows.contains(where: { $0.contains(where: \.isCut) })
    else { return nil }
    return Set(rows)
  }
}
