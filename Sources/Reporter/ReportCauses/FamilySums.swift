import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Families of steps of which the rows equal the difference.
extension Causes {
  private struct Candidate {
    var family: StepFamily
    var table: StoryTable
    var column: String
    var sum: Int64
    var rows: Int
    var removes: Bool
  }

  var familySums: [Explanation] {
    guard disagreement.difference != nil, told.isWhole else { return [] }
    var candidates: [Candidate] = []
    for family in families.all {
      guard family.members.allSatisfy({ $0.recorded.unkept == 0 }) else { continue }
      for (table, changes) in Dictionary(grouping: family.members.flatMap(\.changes), by: \.table) {
        let sums = told.sums(of: changes, in: table)
        let removes = changes.contains { $0.told.operation == .delete }
        for (column, sum) in sums.sums {
          candidates.append(
            Candidate(
              family: family, table: table, column: column, sum: sum, rows: sums.rows, removes: removes))
        }
      }
    }
    let met = candidates.filter { disagreement.isMet(by: $0.sum) }
    guard !met.isEmpty, disagreement.isHardlyChance(among: candidates.map(\.sum)) else { return [] }
    // The table whose rows are fewest is the cause of what triggers made of it.
    return met.sorted { ($0.rows, $0.table.name, $0.column) < ($1.rows, $1.table.name, $1.column) }.prefix(1)
      .map {
        candidate in
        let steps = candidate.family.members.filter { step in
          step.changes.contains { $0.table == candidate.table }
        }
        let first: [Explanation.Piece] = steps.first.map { [.step($0.number)] } ?? []
        return Explanation(
          .likely,
          """
          \(candidate.family.pieces) \(candidate.removes ? "removed" : "changed") \
          \(counted(candidate.rows, "row")) of \(candidate.table.name) (\(steps.count > 1 ? "first in " : "")\
          \(first))\(values: "; \(candidate.column) of these is \(grouped(Int(candidate.sum))) in all, the difference").
          """,
          weight: Weight.difference - 5, about: Set(steps.map(\.number)))
      }
  }
}

extension Disagreement {
  /// A difference that one of so many sums equals by chance with this probability is none.
  private static let greatestChance = 0.001

  /// Whether hardly one of the sums would equal the difference by chance, as dense as they lie near it.
  func isHardlyChance(among sums: [Int64]) -> Bool {
    guard let difference else { return false }
    let size = Double(difference.magnitude)
    let near = sums.count { Double($0.magnitude) >= size / 2 && Double($0.magnitude) <= size * 2 }
    return Double(near) / (size * 1.5) < Self.greatestChance
  }
}
