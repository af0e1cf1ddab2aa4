import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// INSERT … ON CONFLICT that met a row which is another one by a column that the conflict does not ask for.
struct MergedRows {
  private static let (fewest, rareEnough) = (10, 0.25)

  private let families: StepFamilies
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ families: StepFamilies, _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.families, self.told, self.disagreement) = (families, told, disagreement)
  }

  private struct Merge {
    var step: ToldSteps.Step
    var change: ToldSteps.Change
    /// What the column was given, where the row has another value.
    var given: [Int: DatabaseValue]
  }

  var explanations: [Explanation] { told.isWhole ? families.all.compactMap(explanation) : [] }

  private func explanation(of family: StepFamily) -> Explanation? {
    guard family.members.count >= Self.fewest, let first = family.members.first, first.text.kind == .insert,
      first.sql.uppercased().contains("CONFLICT")
    else { return nil }
    var (merges, target): ([Merge], Set<String>) = ([], [])
    for step in family.members {
      let own = step.changes.filter { $0.told.depth == 0 }
      guard own.count == 1, let change = own.first, change.told.operation == .update,
        let names = told.columns[change.table], let row = step.recorded.expanded.flatMap(GivenRow.init),
        !row.target.isEmpty
      else { continue }
      target = row.target
      var given: [Int: DatabaseValue] = [:]
      for (index, name) in names.enumerated() {
        let name = name.lowercased()
        guard let value = row.values[name], !row.target.contains(name), !row.assigned.contains(name),
          let stored = change.told.new[safe: index] ?? nil, stored != value
        else { continue }
        given[index] = value
      }
      merges.append(Merge(step: step, change: change, given: given))
    }
    guard let table = merges.first?.change.table, merges.allSatisfy({ $0.change.table == table }) else {
      return nil
    }
    let counts = merges.flatMap(\.given.keys).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    let rare = counts.filter {
      Double($0.value) <= Double(family.members.count) * Self.rareEnough && $0.value < merges.count
    }
    guard let (column, count) = rare.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      disagreement.weight(of: [table.name]) > 0
    else { return nil }
    let others = merges.filter { $0.given[column] != nil }
    guard let step = others.first?.step else { return nil }
    let name = told.columns[table]?[safe: column] ?? "column \(column + 1)"
    var pieces = family.pieces
    pieces += [
      .text(
        " was given another \(name) than the row of \(table.name) has that it met, in \(grouped(count)) of \(grouped(merges.count)) conflicts (first in "
      ),
      .step(step.number),
      .text(
        "): ON CONFLICT(\(target.sorted().joined(separator: ", "))) and its index take no account of \(name)."
      ),
    ]
    let names = told.columns[table] ?? []
    return Explanation(
      .certain, pieces,
      rows: RelatedRows(
        table: table, title: "\(table.name): met by another \(name)", columns: ["\(name) given"] + names,
        rows: others.prefix(5).compactMap { merge in
          let row = merge.change.told.new.compactMap(\.self)
          return row.count == names.count ? [merge.given[column] ?? .null] + row : nil
        }, count: count),
      weight: Weight.certain + Weight.touchesRead, about: Set(others.map(\.step.number)))
  }
}
