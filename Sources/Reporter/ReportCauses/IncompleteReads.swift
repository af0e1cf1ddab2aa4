import Collector
import ExhibitSQLite
import Foundation
import ReportInspection
import ReportModel
import ReportStory

/// Reads that may have had less or more rows than was meant: pages that were full, and signs in patterns.
extension Causes {
  var incompleteReads: [Explanation] { fullPages + skippedRows + patterns }

  // MARK: - Pages

  /// Smaller limits ask for one row, or a few, on purpose.
  private static let smallestPage = 5
  /// Full pages that are looked at, and reads behind each that may be the next one.
  private static let (mostPages, farthest) = (200, 200)

  /// Reads that returned exactly their LIMIT, where no other one went on.
  private var fullPages: [Explanation] {
    let reads = tests.filter { $0.text.kind == .select && $0.recorded.error == nil }
    let pages = reads.filter { read in
      guard let rows = read.recorded.rows, rows >= Self.smallestPage else { return false }
      return Self.limit(of: read.asked) == rows
    }
    let alike = Dictionary(grouping: reads, by: \.sql)
    let last = pages.prefix(Self.mostPages).filter { page in
      let later = (alike[page.sql] ?? []).lazy.filter { $0.number > page.number }.prefix(Self.farthest)
      return !later.contains { Self.goesOn($0, behind: page) }
    }
    guard let first = last.first, let behind = rowsBehind(first) else { return [] }
    let rows = first.recorded.rows ?? 0
    let others = last.count > 1 ? " (and in at least \(counted(last.count - 1, "other step")))" : ""
    return [
      Explanation(
        .likely,
        """
        \(first.pieces)\(values: Self.filter(of: first).map { ", for \($0)," }) returned \(grouped(rows)) rows, \
        exactly its LIMIT, in \(step: first.number)\(others), and no later run of it read the \
        \(counted(behind, "row")) that the captured database has behind them.
        """,
        weight: Weight.certain + 5, about: Set(last.map(\.number)))
    ]
  }

  /// Pages that go on behind the last row of the one before, where rows that share its value come before the next one.
  private var skippedRows: [Explanation] {
    let reads = tests.filter {
      $0.text.kind == .select && $0.recorded.error == nil && $0.recorded.rows != nil
    }
    let alike = Dictionary(grouping: reads, by: \.sql).sorted { $0.key < $1.key }
    return alike.compactMap { _, pages in
      guard pages.count > 1, pages.count <= Self.mostPages, let first = pages.first,
        let limit = Self.limit(of: first.asked), limit >= Self.smallestPage,
        let end = pages.firstIndex(where: { $0.recorded.rows != limit }), end > 0,
        pages[(end + 1)...].allSatisfy({ $0.recorded.rows == 0 }),
        pages.allSatisfy({ $0.database == first.database }),
        let database = files.queries(for: first, told), let whole = Self.withoutLimit(first.asked)
      else { return nil }
      var (all, read) = (database.rows(whole, most: Self.mostRows + 1), [[DatabaseValue]]())
      guard all.rows.count <= Self.mostRows else { return nil }
      var ends: [[DatabaseValue]] = []
      for page in pages {
        let rows = database.rows(page.asked, most: limit).rows
        guard rows.count == page.recorded.rows, page.hasRead(rows) else { return nil }
        read += rows
        rows.last.map { ends.append($0) }
      }
      guard Set(read).count == read.count else { return nil }
      let known = Set(read)
      all.rows.removeAll { known.contains($0) }
      // Rows that came since are read by no page either.
      let isSkipped = all.columns.indices.contains { column in
        let values = Set(ends.map { $0[column] })
        return all.rows.allSatisfy { values.contains($0[column]) }
      }
      guard isSkipped, !all.rows.isEmpty else { return nil }
      return explanation(skipped: all, pages, first)
    }
  }

  private static let mostRows = 10_000

  private static func withoutLimit(_ sql: String) -> String? {
    sql.range(of: "limit ", options: [.caseInsensitive, .backwards]).map { String(sql[..<$0.lowerBound]) }
  }

  private func explanation(
    skipped: (columns: [String], rows: [[DatabaseValue]]), _ pages: [ToldSteps.Step], _ first: ToldSteps.Step
  ) -> Explanation {
    let tables = first.names.intersection(told.columns.keys.map { $0.name.lowercased() })
    return Explanation(
      .likely,
      """
      \(first.pieces) read \(counted(pages.count, "page")), the first in \(step: first.number), and none of them \
      has \(counted(skipped.rows.count, "row")): a page goes on behind the last value of the one before, and these \
      share it with a row there.
      """,
      rows: RelatedRows(
        table: StoryTable(database: first.database, name: tables.min() ?? ""), title: "Read by no page",
        columns: skipped.columns, rows: Array(skipped.rows.prefix(5)), count: skipped.rows.count),
      weight: Weight.certain + 7, about: Set(pages.map(\.number)))
  }

  /// The number of rows that a read lacks for its LIMIT; `nil` for none, and where that cannot be asked.
  private func rowsBehind(_ read: ToldSteps.Step) -> Int? {
    guard let rows = read.recorded.rows, let whole = read.recorded.expanded.flatMap(Self.withoutLimit),
      let file = files.first(where: { $0.database == read.database }), let database = files.queries(of: file)
    else { return nil }
    let all = database.rows("SELECT count(*) FROM (\(whole))", most: 1).rows.first?.first?.integer
    return all.flatMap { $0 > rows ? Int($0) - rows : nil }
  }

  /// The condition behind WHERE, with its values.
  private static func filter(of step: ToldSteps.Step) -> String? {
    guard let sql = step.recorded.expanded, let place = sql.range(of: " where ", options: .caseInsensitive)
    else {
      return nil
    }
    let rest = sql[place.upperBound...]
    let end = rest.range(of: " order by ", options: .caseInsensitive)?.lowerBound ?? rest.endIndex
    return shortened(String(rest[..<end]), to: 100)
  }

  /// True when a read asks for the next page: for the same rows, from another one on.
  private static func goesOn(_ read: ToldSteps.Step, behind page: ToldSteps.Step) -> Bool {
    guard let one = page.recorded.expanded, let other = read.recorded.expanded else { return true }
    return one != other && filters(one) == filters(other)
  }

  /// The values that columns have to equal.
  private static func filters(_ sql: String) -> [Substring] {
    let words = sql.split(whereSeparator: \.isWhitespace)
    return zip(words, words.dropFirst()).filter { $0.0 == "=" }.map(\.1)
  }

  /// The number behind LIMIT at the end of a statement.
  private static func limit(of sql: String) -> Int? {
    guard let place = sql.range(of: "limit ", options: [.caseInsensitive, .backwards]) else { return nil }
    let digits = sql[place.upperBound...].prefix { $0.isNumber }
    let rest = sql[place.upperBound...].dropFirst(digits.count)
    return rest.allSatisfy { $0.isWhitespace || $0 == ";" } ? Int(digits) : nil
  }

  // MARK: - Patterns

  /// Each is looked for in a captured file.
  private static let mostPatterns = 20

  /// Rows that a LIKE matched by a `_` that stands in a value.
  private var patterns: [Explanation] {
    var known: Set<String> = []
    return tests.compactMap { step in
      guard known.count < Self.mostPatterns, let like = LikeTerm(step), known.insert(like.key).inserted else {
        return nil
      }
      for file in files where file.database == step.database {
        if let explanation = explanation(step, like, in: file) { return explanation }
      }
      return nil
    }
  }

  private func explanation(_ step: ToldSteps.Step, _ like: LikeTerm, in file: CapturedFile) -> Explanation? {
    let tables = file.schema.tables.values.filter { table in
      !table.isVirtual && step.names.contains(table.name.lowercased())
        && table.columns.contains { $0.name.lowercased() == like.column.lowercased() }
    }
    // If several tables have that column, nothing says which one is meant.
    guard tables.count == 1, let table = tables.first, let database = files.queries(of: file) else {
      return nil
    }
    let (column, pattern) = (SQLText.name(like.column), like.pattern)
    let escaped = pattern.replacing("_", with: "\\_")
    let filter =
      "FROM \(SQLText.name(table.name)) WHERE \(column) LIKE \(SQLText.text(pattern)) AND NOT \(column) LIKE "
      + "\(SQLText.text(escaped)) ESCAPE '\\'"
    guard let count = database.rows("SELECT count(*) \(filter)", most: 1).rows.first?.first?.integer,
      count > 0
    else { return nil }
    let found = database.rows("SELECT * \(filter)", most: 5)
    let all = database.rows("SELECT \(table.rowid ?? "rowid") \(filter)", most: 1000).rows
    let keys = Set(all.compactMap { $0.first?.integer })
    let met = told.difference(
      ofReferringTo: [StoryTable(database: file.database, name: table.name): keys], behind: step.number,
      disagreement)
    return Explanation(
      .likely,
      """
      \(step.pieces) asks in \(step: step.number) for \(like.column) LIKE a value in which “_” stands for any \
      sign\(values: " ('\(pattern)')"): it matches \(counted(Int(count), "row")) of \(table.name) without a “_” \
      there\(values: met).
      """,
      rows: RelatedRows(
        table: StoryTable(database: file.database, name: table.name), title: "\(table.name): matched by “_”",
        columns: found.columns, rows: found.rows, count: Int(count)),
      weight: (met == nil ? Weight.certain : Weight.certainDifference) + 12, about: [step.number])
  }
}

/// A column that is compared by LIKE with a value that has a `_`.
private struct LikeTerm {
  var column: String
  var pattern: String

  var key: String { "\(column) \(pattern)" }

  init?(_ step: ToldSteps.Step) {
    guard step.sql.range(of: "LIKE ?", options: .caseInsensitive) != nil,
      step.sql.range(of: "ESCAPE", options: .caseInsensitive) == nil
    else { return nil }
    let tokens = SQLToken.all(in: step.asked)
    guard
      let place = tokens.indices.dropLast().first(where: { index in
        tokens[index].folded == "LIKE" && tokens[index + 1].isQuoted
          && tokens[index + 1].name?.contains("_") == true
      }), let column = tokens[safe: place - 1], column.isName, let name = column.name,
      var pattern = tokens[place + 1].name
    else { return nil }
    // The text that `|| '%'` adds.
    if tokens[safe: place + 2]?.text == "|", tokens[safe: place + 3]?.text == "|",
      let added = tokens[safe: place + 4], added.isQuoted
    {
      pattern += added.name ?? ""
    }
    (self.column, self.pattern) = (name, pattern)
  }
}
