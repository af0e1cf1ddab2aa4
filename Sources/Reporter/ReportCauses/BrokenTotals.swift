import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Totals that equal the sum of their parts in nearly all rows, and not in some that the test wrote.
extension Causes {
  /// Totals that make a rule, and how many may break it.
  private static let (fewest, rare) = (20, 0.05)
  private static let mostTotals = 10_000
  private static let mostSums = 12
  /// Pairs of tables that are looked at.
  private static let mostRelations = 40

  private typealias Table = CapturedSchema.Table

  /// A table with totals, one with their parts, and the columns that match them.
  private struct Relation {
    var total: Table
    var part: Table
    var columns: [(total: String, part: String)]
  }

  func brokenTotals(in file: CapturedFile) -> [Explanation] {
    var written: Set<String> = []
    for step in told.steps where !step.isSetUp {
      for change in step.changes where change.table.database == file.database {
        written.insert(change.table.name)
      }
    }
    let relations = relations(in: file).filter {
      written.contains($0.total.name) || written.contains($0.part.name)
    }
    guard !relations.isEmpty, let database = files.queries(of: file) else { return [] }
    let found = relations.prefix(Self.mostRelations).flatMap { rules(of: $0, in: file, database) }
    // A total has parts of one kind: those that make it up in most rows.
    return Dictionary(grouping: found, by: \.total).sorted { $0.key < $1.key }.compactMap { _, rules in
      rules.min { ($0.broken, $0.explanation.text) < ($1.broken, $1.explanation.text) }?.explanation
    }
  }

  /// A rule that rows break.
  private struct Rule {
    /// The table and the column.
    var total: String
    /// Rows that break it.
    var broken: Int
    var explanation: Explanation
  }

  /// By foreign keys, and by columns of one name that are unique in one of two tables.
  private func relations(in file: CapturedFile) -> [Relation] {
    let tables = file.schema.tables.values.filter { !$0.isVirtual }.sorted { $0.name < $1.name }
    var relations: [Relation] = []
    for part in tables {
      for key in part.foreignKeys where key.isMatched {
        guard
          let total = file.schema.tables[key.table]
            ?? tables.first(where: { $0.name.lowercased() == key.table.lowercased() }),
          total.name != part.name
        else { continue }
        let columns = zip(key.parents, key.columns).map { ($0, part.columns[$1].name) }
        relations.append(Relation(total: total, part: part, columns: columns))
      }
      for total in tables where total.name != part.name {
        relations += Self.siblings(total, part)
        for unique in total.uniqueColumns where unique.count > 1 {
          let shared = unique.filter { name in part.columns.contains { $0.name == name } }
          if shared.count == unique.count {
            relations.append(Relation(total: total, part: part, columns: unique.map { ($0, $0) }))
          }
        }
      }
    }
    return relations
  }

  /// Both refer to the same table, of which the totals have one row each.
  private static func siblings(_ total: Table, _ part: Table) -> [Relation] {
    let keys = total.foreignKeys.filter { key in
      key.isMatched && key.columns.count == 1
        && total.keyNames + (total.uniqueColumns.first { $0.count == 1 } ?? []) == [
          total.columns[key.columns[0]].name
        ]
    }
    return keys.flatMap { key in
      part.foreignKeys.filter { $0.table == key.table && $0.parents == key.parents && $0.columns.count == 1 }
        .map {
          Relation(
            total: total, part: part,
            columns: [(total.columns[key.columns[0]].name, part.columns[$0.columns[0]].name)])
        }
    }
  }

  private func rules(of relation: Relation, in file: CapturedFile, _ database: CapturedQueries) -> [Rule] {
    let totals = relation.total.columns.filter { !relation.total.keyColumns.contains($0.name) }.map(\.name)
    let parts = relation.part.columns.filter { !relation.part.keyColumns.contains($0.name) }.map(\.name)
    var expressions = parts.map { ("\($0)", "p.\(SQLText.name($0))") }
    for (index, one) in parts.enumerated() {
      for other in parts[(index + 1)...] {
        expressions.append(
          ("\(one) × \(other)", "p.\(SQLText.name(one)) * p.\(SQLText.name(other))"))
      }
    }
    expressions = Array(expressions.prefix(Self.mostSums))
    guard !totals.isEmpty, !expressions.isEmpty else { return [] }
    let keys = relation.columns.map { "t.\(SQLText.name($0.total))" }
    // Texts add up to nothing: only whole numbers are summed.
    let sums = expressions.map { "sum(CASE typeof(\($0.1)) WHEN 'integer' THEN \($0.1) END)" }
    let grouped = relation.columns.map { SQLText.name($0.part) }.joined(separator: ", ")
    let partKeys = relation.columns.map { "p.\(SQLText.name($0.part))" }.joined(separator: ", ")
    let whole = totals.map { SQLText.name($0) }.map { "iif(typeof(t.\($0)) = 'integer', t.\($0), NULL)" }
    let sql =
      "SELECT \((keys + whole).joined(separator: ", ")), s.* FROM "
      + "\(SQLText.name(relation.total.name)) t JOIN (SELECT \(partKeys), \(sums.joined(separator: ", ")) FROM "
      + "\(SQLText.name(relation.part.name)) p GROUP BY \(grouped)) s ON "
      + relation.columns.enumerated().map {
        "s.\(SQLText.name($0.element.part)) = t.\(SQLText.name($0.element.total))"
      }
      .joined(separator: " AND ")
    let found = database.rows(sql, most: Self.mostTotals + 1).rows
    guard found.count >= Self.fewest, found.count <= Self.mostTotals else { return [] }
    let width = relation.columns.count
    return totals.indices.flatMap { total in
      expressions.indices.compactMap { sum in
        rule(
          relation, in: file, found, total: width + total, sum: 2 * width + totals.count + sum,
          named: totals[total],
          expressions[sum].0)
      }
    }
  }

  private func rule(
    _ relation: Relation, in file: CapturedFile, _ rows: [[DatabaseValue]], total: Int, sum: Int,
    named name: String, _ expression: String
  ) -> Rule? {
    var (count, distinct): (Int, Set<Int64>) = (0, [])
    var (broken, kept): ([(row: [DatabaseValue], difference: Int64)], [[DatabaseValue]]) = ([], [])
    let width = relation.columns.count
    for row in rows {
      guard total < row.count, sum < row.count, let whole = row[total].integer, let parts = row[sum].integer
      else { continue }
      count += 1
      // Most columns are no sums of others.
      if Double(broken.count) > Double(rows.count) * Self.rare { return nil }
      if whole == parts {
        distinct.insert(whole)
        kept.append(Array(row.prefix(width)))
      } else {
        broken.append((row, whole &- parts))
      }
    }
    // A column of zeros and ones equals many sums.
    guard count >= Self.fewest, distinct.count >= 5, !broken.isEmpty,
      Double(broken.count) <= Double(count) * Self.rare
    else { return nil }
    let writers = writers(
      of: relation, [name] + expression.split(separator: " × ").map(String.init), in: file.database,
      broken: broken.map { Array($0.row.prefix(width)) }, kept: kept)
    guard let first = writers.last else { return nil }
    let difference = broken.reduce(Int64(0)) { $0 &+ $1.difference }
    let isMet = disagreement.isMet(by: difference, least: 2)
    // Bills are paid in parts: who wrote to some rows that differ broke nothing.
    guard isMet || writers.own != nil else { return nil }
    let touches = disagreement.weight(of: [relation.total.name, relation.part.name])
    let (whole, part) = (relation.total.name, relation.part.name)
    var words: Explanation.Words = """
      \(whole).\(name) is the sum of \(part).\(expression) in \(grouped(count - broken.count)) of \
      \(grouped(count)) rows, not in \(grouped(broken.count))\
      \(values: " (\(grouped(Int(difference))) in all\(isMet ? ", the difference" : ""))")
      """
    if let own = writers.own {
      words += """
        , which \(own.family.pieces) wrote (first in \(step: own.family.members[0].number)), and \
        \(own.others == 0 ? "none" : grouped(own.others)) of the others
        """
      let ran = Set(own.family.members.flatMap(\.recorded.triggers))
      let triggers = file.schema.triggers.filter { ran.contains($0.name) && $0.written.contains(whole) }
      if let trigger = triggers.first { words += "; the trigger \(trigger.name) writes \(whole) then" }
      words += "."
    } else {
      words += ", which \(first.placeOr("the test")) wrote, last in \(step: first.number)."
    }
    let columns = relation.columns.map(\.total) + [name, "sum of \(part).\(expression)"]
    let explanation = Explanation(
      .likely, words,
      rows: RelatedRows(
        table: StoryTable(database: file.database, name: whole),
        title: "\(whole) that are not the sums of their parts", columns: columns,
        rows: broken.prefix(5).map {
          Array($0.row.prefix(relation.columns.count)) + [$0.row[total], $0.row[sum]]
        },
        count: broken.count),
      weight: (isMet ? Weight.difference + 5 : Weight.rule) + touches)
    return Rule(total: "\(whole).\(name)", broken: broken.count, explanation: explanation)
  }

  // MARK: - Who wrote them

  /// A statement may write one row that keeps the rule for so many that break it.
  private static let fewOthers = 3

  /// The steps that wrote rows that break a rule, or their parts.
  ///
  /// - Parameters:
  ///   - summed: The columns that the rule is about: a write of others breaks nothing.
  ///   - broken: The values of the columns that match, in the rows that break the rule.
  ///   - kept: The same of those that keep it.
  /// - Returns: The last step that wrote one of them, and the steps of the statement that wrote all of them and hardly
  ///   any other row, with how many others it wrote.
  private func writers(
    of relation: Relation, _ summed: [String], in database: Int, broken: [[DatabaseValue]],
    kept: [[DatabaseValue]]
  ) -> (last: ToldSteps.Step?, own: (family: StepFamily, others: Int)?) {
    var last: ToldSteps.Step?
    let (broken, kept) = (Set(broken), Set(kept))
    struct Written {
      var steps: [ToldSteps.Step] = []
      var broken: Set<[DatabaseValue]> = []
      var kept: Set<[DatabaseValue]> = []
    }
    var known: [StoryTable: [Int?]] = [:]
    var written: [String: Written] = [:]
    for step in told.steps where !step.isSetUp {
      for change in step.changes where change.table.database == database {
        let isTotal = change.table.name == relation.total.name
        guard isTotal || change.table.name == relation.part.name, let names = told.columns[change.table],
          names.count == change.columns.count
        else { continue }
        let places =
          known[change.table] ?? relation.columns.map { names.firstIndex(of: isTotal ? $0.total : $0.part) }
        known[change.table] = places
        guard change.wroteOne(of: summed + relation.columns.map { isTotal ? $0.total : $0.part }) else {
          continue
        }
        for row in [change.told.old, change.told.new] where !row.isEmpty {
          let key = places.map { place in place.flatMap { $0 < row.count ? row[$0] : nil } ?? .null }
          let isBroken = broken.contains(key)
          guard isBroken || kept.contains(key) else { continue }
          if isBroken { last = step }
          if written[step.sql]?.steps.last?.number != step.number {
            written[step.sql, default: Written()].steps.append(step)
          }
          if isBroken {
            written[step.sql]?.broken.insert(key)
          } else {
            written[step.sql]?.kept.insert(key)
          }
        }
      }
    }
    let telling = written.filter {
      $0.value.broken.count == broken.count && $0.value.kept.count * Self.fewOthers <= broken.count
    }
    // Take the statement that wrote the fewest others, and of several the first one.
    let best = telling.min { one, other in
      (one.value.kept.count, one.value.steps[0].number) < (
        other.value.kept.count, other.value.steps[0].number
      )
    }
    let own = best.map { sql, written in
      (StepFamily(sql: sql, place: written.steps[0].place, members: written.steps), written.kept.count)
    }
    return (last, own)
  }
}

extension ToldSteps.Change {
  /// True when it inserted or deleted a row, or changed one of these columns.
  fileprivate func wroteOne(of names: [String]) -> Bool {
    guard told.operation == .update, told.old.count == told.new.count else { return true }
    return told.old.indices.contains { index in
      told.old[index] != told.new[index] && columns[safe: index].map(names.contains) != false
    }
  }
}
