import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Reads that would have returned what was expected if one thing of their query were other.
extension Causes {
  private static let mostReads = 8
  private static let mostRows = 5000

  /// A query of the test that can be asked again.
  private typealias Asked = (step: ToldSteps.Step, sql: String, isFailing: Bool)

  private typealias Met = (asked: Asked, variant: QueryVariant, words: Explanation.Piece, rows: RelatedRows?)

  /// Explanations by other queries, of the failing reads.
  var otherQueries: [Explanation] { disagreement.expected == nil ? [] : explanations(of: failing) }

  /// Explanations by other queries, of reads whose rows the program wrote into tables of the failing ones.
  var otherQueriesBehind: [Explanation] { disagreement.expected == nil ? [] : explanations(of: behind) }

  private func explanations(of all: [Asked]) -> [Explanation] {
    for asked in all {
      if let database = files.queries(for: asked.step, told), let met = met(asked, database) {
        return [explanation(met)]
      }
    }
    return []
  }

  private var failing: [Asked] {
    var known: Set<String> = []
    return disagreement.reads.filter { known.insert($0.sql).inserted }.map {
      ($0, $0.asked, true)
    }
  }

  private var behind: [Asked] {
    var known = Set(disagreement.reads.map(\.sql))
    var all: [Asked] = []
    for step in told.steps.reversed() where !step.isSetUp && !step.text.isHousekeeping {
      guard all.count < Self.mostReads, step.recorded.error == nil, step.text.readsTable,
        !known.contains(step.sql), !step.names.isDisjoint(with: disagreement.tables)
      else { continue }
      let sql = step.asked
      if step.text.kind == .select, known.insert(step.sql).inserted {
        all.append((step, sql, false))
      } else if step.text.kind == .insert, known.insert(step.sql).inserted, let select = Self.select(of: sql)
      {
        all.append((step, select, false))
      }
    }
    return all
  }

  /// The SELECT of an INSERT … SELECT.
  static func select(of sql: String) -> String? {
    let first = SQLToken.all(in: sql).outside.first { ["SELECT", "VALUES"].contains($0.folded) }
    return first.flatMap { $0.folded == "SELECT" ? String(sql[$0.text.startIndex...]) : nil }
  }

  private func met(_ asked: Asked, _ database: CapturedQueries) -> Met? {
    guard let base = database.query(asked.sql, most: Self.mostRows + 1)?.rows, base.count <= Self.mostRows,
      isAsRecorded(base, asked.step)
    else { return nil }
    let variants = QueryVariant.all(of: asked.sql) { name in
      let table = tables(of: asked.step).first { $0.name.lowercased() == name }
      return (table?.columns ?? []).map { column in
        (column.name, column.isNumeric && !(table?.keyColumns.contains(column.name) ?? true))
      }
    }
    var (tried, met): ([Int64], Met?) = ([], nil)
    for variant in variants {
      // One that SQLite refuses, or does not answer in time, tells nothing.
      guard let rows = database.query(variant.sql, most: Self.mostRows + 1)?.rows,
        rows.count <= Self.mostRows,
        rows != base, !rows.isEmpty || base.count > 1
      else { continue }
      let result = Comparison(base, rows, disagreement, isFailing: asked.isFailing)
      tried += result.sums
      guard met == nil, let words = result.words else { continue }
      met = (asked, variant, words, changedRows(asked, base, variant, rows, database))
    }
    guard let met, disagreement.difference == nil || disagreement.isHardlyChance(among: Array(Set(tried)))
    else { return nil }
    return met
  }

  /// The captured tables that its text names.
  private func tables(of step: ToldSteps.Step) -> [CapturedSchema.Table] {
    let names = step.names
    return files.flatMap(\.schema.tables.values).filter { names.contains($0.name.lowercased()) }
  }

  /// True when the captured database answers as the test's own did.
  private func isAsRecorded(_ rows: [[DatabaseValue]], _ step: ToldSteps.Step) -> Bool {
    guard step.text.kind == .select else {
      return rows.count == step.changes.count { $0.told.depth == 0 && $0.told.operation == .insert }
    }
    return step.hasRead(rows)
  }

  /// The rows that come, or go: of an aggregate those that it is made of.
  private func changedRows(
    _ asked: Asked, _ base: [[DatabaseValue]], _ variant: QueryVariant, _ rows: [[DatabaseValue]],
    _ database: CapturedQueries
  ) -> RelatedRows? {
    var (before, after, columns) = (base, rows, database.rows(asked.sql, most: 1).columns)
    var table = tables(of: asked.step).map(\.name).min() ?? ""
    if let one = AggregateQuery(asked.sql), let other = AggregateQuery(variant.sql) {
      let found = database.rows("SELECT * \(one.source)", most: Self.mostRows)
      (before, columns, table) = (found.rows, found.columns, one.table)
      after = database.rows("SELECT * \(other.source)", most: Self.mostRows).rows
    }
    let (old, new) = (Set(before), Set(after))
    let (come, gone) = (after.filter { !old.contains($0) }, before.filter { !new.contains($0) })
    let isOther = !come.isEmpty || !gone.isEmpty
    let shown = isOther ? come.isEmpty ? gone : come : before
    guard !shown.isEmpty, shown.count < Self.mostRows, !table.isEmpty else { return nil }
    return RelatedRows(
      table: StoryTable(database: asked.step.database, name: table),
      title: !isOther ? "\(table): made of" : come.isEmpty ? "\(table): would go" : "\(table): would come",
      columns: columns,
      rows: Array(shown.prefix(5)), count: shown.count)
  }

  // MARK: - What SQLite does

  /// Runs of one statement that are asked again.
  private static let mostRuns = 200

  /// Reads whose query SQLite answers in another way than its author means, by all runs of each.
  var pitfalls: [Explanation] {
    let families = Dictionary(
      grouping: told.steps.filter { step in
        !step.isSetUp && step.recorded.error == nil && !step.text.isHousekeeping && step.text.readsTable
          && (step.text.kind == .select || step.text.kind == .insert)
      }, by: \.sql)
    return families.sorted { $0.key < $1.key }.flatMap { sql, members -> [Explanation] in
      let whole = members[0].asked
      let select = members[0].text.kind == .select ? whole : Self.select(of: whole)
      guard let select, members.count <= Self.mostRuns, !QueryVariant.pitfalls(of: select).isEmpty,
        !members[0].names.isDisjoint(with: disagreement.tables)
      else { return [] }
      return pitfalls(of: members)
    }
  }

  private func pitfalls(of members: [ToldSteps.Step]) -> [Explanation] {
    guard let first = members.first, let database = files.queries(for: first, told) else {
      return []
    }
    struct Run {
      var step: ToldSteps.Step
      var come: [[DatabaseValue]]
      var sums: [Int64]
      var term: String?
    }
    var runs: [String: [Run]] = [:]
    var columns: [String] = []
    for step in members {
      let whole = step.asked
      guard let sql = step.text.kind == .select ? whole : Self.select(of: whole) else { return [] }
      guard let base = database.query(sql, most: Self.mostRows + 1), base.rows.count <= Self.mostRows,
        isAsRecorded(base.rows, step)
      else { continue }
      columns = base.columns
      for variant in QueryVariant.pitfalls(of: sql) {
        guard let pitfall = variant.pitfall,
          let rows = database.query(variant.sql, most: Self.mostRows + 1)?.rows,
          rows.count <= Self.mostRows, !rows.isEmpty, rows != base.rows
        else { continue }
        runs[pitfall, default: []].append(
          Run(
            step: step, come: rows.count > base.rows.count ? rows.less(base.rows) : [],
            sums: Comparison(base.rows, rows, disagreement, isFailing: false).sums, term: variant.term))
      }
    }
    return runs.sorted { $0.key < $1.key }.compactMap { pitfall, runs in
      let width = runs.map(\.sums.count).min() ?? 0
      let totals = (0..<width).map { column in runs.reduce(Int64(0)) { $0 &+ $1.sums[column] } }
      let met = totals.first { disagreement.isMet(by: $0) && disagreement.isHardlyChance(among: totals) }
      let come = runs.flatMap(\.come)
      // That alike rows are dropped is what UNION is for.
      guard let step = runs.first?.step, met != nil || !come.isEmpty && !pitfall.hasPrefix("UNION") else {
        return nil
      }
      return explanation(
        of: step, pitfall, runs[0].term, runs: runs.count, come, columns: columns, met: met,
        in: first.database)
    }
  }

  private func explanation(
    of step: ToldSteps.Step, _ pitfall: String, _ term: String?, runs: Int, _ come: [[DatabaseValue]],
    columns: [String],
    met: Int64?,
    in database: Int
  ) -> Explanation {
    let effect = come.isEmpty ? "would return another row" : "leaves out \(counted(come.count, "row"))"
    let sum = met.map { "; that makes \(grouped(Int($0.magnitude))) in all, the difference" }
    let table = step.names.intersection(told.columns.keys.map { $0.name.lowercased() }).min() ?? ""
    return Explanation(
      .likely,
      """
      \(step.pieces) \(effect) in \(counted(runs, "run")) (first in \(step: step.number)): \(pitfall)\
      \(values: term.map { ", as in “\($0)”" })\(values: sum).
      """,
      rows: come.isEmpty
        ? nil
        : RelatedRows(
          table: StoryTable(database: database, name: table), title: "Left out", columns: columns,
          rows: Array(come.prefix(5)), count: come.count),
      weight: met == nil ? Weight.certain + Weight.touchesRead : Weight.difference + 3, about: [step.number])
  }

  private func explanation(_ met: Met) -> Explanation {
    let bare = StatementText.withoutLiterals(met.variant.words, names: [])
    let step = met.asked.step
    return Explanation(
      .likely,
      """
      \(values: met.variant.words, without: bare), \(step.pieces) (\(step: step.number)) would return \([met.words]).
      """,
      rows: met.rows,
      weight: Weight.difference + (met.asked.isFailing ? 4 : 1), about: [step.number])
  }
}

/// The differences in the result of another query.
private struct Comparison {
  /// By how much sums of columns are other.
  private(set) var sums: [Int64] = []
  /// `nil` where it is not what was expected.
  private(set) var words: Explanation.Piece?

  init(_ base: [[DatabaseValue]], _ rows: [[DatabaseValue]], _ disagreement: Disagreement, isFailing: Bool) {
    if isFailing {
      switch disagreement.expected {
      case .number(let read, let other)? where base.count == 1 && rows.count == 1:
        for (before, after) in zip(base[0], rows[0]) {
          guard let before = before.number, let after = after.number else { continue }
          if let sum = Int64(exactly: (after - before).rounded()) { sums.append(sum) }
          if before == read, abs(after - other) < 1e-9 * max(1, abs(other)) {
            words = .values("\(Self.text(other)), what was expected", without: "what was expected")
          }
        }
      case .text(let other)? where base.count == 1 && rows.count == 1:
        if rows[0].contains(other), !base[0].contains(other) {
          words = .values("\(other.shortText), what was expected", without: "what was expected")
        }
      case .list(let other)? where base.count > 1 || rows.count > 1:
        for column in rows.first?.indices ?? 0..<0 where rows.map({ $0[column] }) == other {
          words = .text("what was expected")
        }
      default: break
      }
      if base.count == 1 { return }
    }
    guard disagreement.difference != nil, let width = (rows.first ?? base.first)?.count else { return }
    sums.append(Int64(rows.count - base.count))
    for column in 0..<width {
      let (before, after) = (Self.sum(base, column), Self.sum(rows, column))
      guard let before, let after else { continue }
      sums.append(after &- before)
    }
    if words == nil, let met = sums.first(where: { disagreement.isMet(by: $0) }) {
      let word = met < 0 ? "less" : "more"
      words = .values(
        "\(grouped(Int(met.magnitude))) \(word), the difference", without: "\(word), which is the difference")
    }
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { grouped($0) } ?? number.description
  }

  /// `nil` where a column has none, or too much.
  private static func sum(_ rows: [[DatabaseValue]], _ column: Int) -> Int64? {
    let numbers = rows.compactMap { $0[safe: column]?.integer }
    return numbers.isEmpty && !rows.isEmpty ? nil : numbers.sum
  }
}
