import Collector
import ExhibitSQLite
import Foundation
import ReportModel
import ReportStory

/// Rows that a statement wrote twice in one test, an earlier state in place of a later one: the last one won.
extension Causes {
  private static let (fewest, rareEnough) = (20, 0.25)
  /// Reads in which the order of values is looked for.
  private static let mostReads = 2000
  /// Bytes of a text that is compared.
  private static let longestText = 100

  /// Explanations of rows that a step put in place of others.
  var rewrittenRows: [Explanation] { told.isWhole ? families.all.compactMap(explanation) : [] }

  private func explanation(of family: StepFamily) -> Explanation? {
    let isUpdate = family.members.first?.text.kind == .update
    guard family.members.count >= Self.fewest, isUpdate || Self.putsInPlace(family.sql) else { return nil }
    var own: [TableRow: [Story.Value?]] = [:]
    var rewrites: [Write] = []
    for step in family.members where step.recorded.unkept == 0 {
      let put = step.changes.filter { $0.told.depth == 0 && $0.told.operation != .delete }
      for change in step.changes where change.told.depth == 0 {
        guard let key = change.row, change.told.operation != .insert,
          own[TableRow(table: change.table, key: key)] == change.told.old
        else { continue }
        // REPLACE puts another row there.
        let new =
          change.told.operation == .update
          ? change.told.new : put.count == 1 ? put.first.map(\.told.new) ?? [] : []
        guard new.count == change.told.old.count else { continue }
        var pair = change
        pair.told.operation = .update
        pair.told.new = new
        if differs(pair) { rewrites.append((step, pair)) }
      }
      for change in put {
        if let key = change.newRow {
          own[TableRow(table: change.table, key: key)] = change.told.new
        }
      }
    }
    guard let first = rewrites.first,
      Double(rewrites.count) <= Double(family.members.count) * (isUpdate ? 0.5 : Self.rareEnough),
      rewrites.allSatisfy({ $0.change.table == first.change.table })
    else { return nil }
    return explanation(family, rewrites, first.change.table, isUpdate: isUpdate)
  }

  /// True when it puts a given row in the place of another one, not a row made of what is there.
  private static func putsInPlace(_ sql: String) -> Bool {
    let words = SQLToken.all(in: sql).map { $0.isQuoted ? "" : $0.folded }
    if words.first == "REPLACE" || words.starts(with: ["INSERT", "OR", "REPLACE"]) { return true }
    guard words.first == "INSERT", let update = words.firstIndex(of: "UPDATE") else { return false }
    return words[update...].contains("EXCLUDED")
      && !words[update...].contains { ["+", "-", "*", "|", "MAX", "MIN", "COALESCE"].contains($0) }
  }

  /// True when a value other than a key differs.
  private func differs(_ pair: ToldSteps.Change) -> Bool {
    let (columns, keys) = (pair.columns, told.keys[pair.table] ?? [])
    return zip(pair.told.old, pair.told.new).enumerated().contains { index, values in
      values.0 != values.1 && columns[safe: index].map { !keys.contains($0) } ?? false
    }
  }

  private func explanation(_ family: StepFamily, _ rewrites: [Write], _ table: StoryTable, isUpdate: Bool)
    -> Explanation?
  {
    guard let first = rewrites.first else { return nil }
    let touches = disagreement.weight(of: [table.name])
    let met = told.difference(of: rewrites.map(\.change), disagreement)
    // That a later state takes the place of an earlier one is what such a statement is for.
    let back = isUpdate ? nil : stepBack(rewrites)
    guard back != nil && touches > 0 || met != nil else { return nil }
    let ways =
      isUpdate
      ? (verb: "changed", time: "again that it had changed in this test")
      : (verb: "wrote", time: "a second time in this test, with other values, in place of its own")
    return Explanation(
      .certain,
      """
      \(family.pieces) \(ways.verb) \(counted(rewrites.count, "row")) of \(table.name) \(ways.time) (first in \
      \(step: first.step.number))\(back.map { order(of: rewrites, by: $0) } ?? "")\(values: met).
      """,
      rows: told.rows(of: rewrites.map(\.change), in: table, title: "\(table.name): written twice"),
      weight: (met != nil ? Weight.certainDifference : Weight.certain) + touches,
      about: Set(rewrites.map(\.step.number)))
  }

  /// The column whose text went back in all of them, as people count: 'B-10' to 'B-9', a day to one before.
  private func stepBack(_ rewrites: [Write]) -> Int? {
    guard rewrites.count > 1 else { return nil }
    return rewrites.first?.change.told.old.indices.first { column in
      rewrites.allSatisfy { rewrite in
        guard case .text(let old, nil)?? = rewrite.change.told.old[safe: column],
          case .text(let new, nil)?? = rewrite.change.told.new[safe: column],
          old.utf8.count <= Self.longestText, new.utf8.count <= Self.longestText,
          old.contains(where: \.isNumber), old.filter({ !$0.isNumber }) == new.filter({ !$0.isNumber })
        else { return false }
        return new.compare(old, options: .numeric) == .orderedAscending
      }
    }
  }

  /// The read that put the values in the order in which they were written.
  private func order(of rewrites: [Write], by column: Int) -> Explanation.Words {
    guard let first = rewrites.first, let old = first.change.told.old[column],
      let new = first.change.told.new[column]
    else { return "" }
    let reads = told.steps.prefix { $0.number < first.step.number }.suffix(Self.mostReads).filter {
      !$0.isSetUp && $0.text.kind == .select && !$0.text.isHousekeeping
    }
    for read in reads.reversed() {
      let results = read.recorded.results
      guard let place = results.firstIndex(where: { $0.contains(old) }),
        let later = results.firstIndex(where: { $0.contains(new) }), place < later
      else { continue }
      return """
        ; they came in the order of \(read.pieces), \(step: read.number)\
        \(values: ": \(old.shortText) before \(new.shortText)")
        """
    }
    return ""
  }
}
