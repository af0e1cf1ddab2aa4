import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Families of steps of which the rows equal the difference.
extension Causes {
  private typealias Candidate = (
    family: StepFamily, table: StoryTable, column: String, sum: Int64, rows: Int, removes: Bool
  )

  var familySums: [Explanation] {
    guard disagreement.difference != nil, told.isWhole else { return [] }
    var candidates: [Candidate] = []
    for family in families.all {
      guard family.members.allSatisfy({ $0.recorded.unkept == 0 }) else { continue }
      for (table, changes) in Dictionary(grouping: family.members.flatMap(\.changes), by: \.table) {
        let sums = told.sums(of: changes, in: table)
        let removes = changes.contains { $0.told.operation == .delete }
        for (column, sum) in sums.sums {
          candidates.append((family, table, column, sum, sums.rows, removes))
        }
      }
    }
    // The table whose rows are fewest is the cause of what triggers made of it.
    let met = candidates.filter { disagreement.isMet(by: $0.sum) }.min {
      ($0.rows, $0.table.name, $0.column) < ($1.rows, $1.table.name, $1.column)
    }
    guard let met, disagreement.isHardlyChance(among: candidates.map(\.sum)) else { return [] }
    let steps = met.family.members.filter { step in step.changes.contains { $0.table == met.table } }
    let first: [Explanation.Piece] = steps.first.map { [.step($0.number)] } ?? []
    return [
      Explanation(
        .likely,
        """
        \(met.family.pieces) \(met.removes ? "removed" : "changed") \(counted(met.rows, "row")) of \
        \(met.table.name) (\(steps.count > 1 ? "first in " : "")\(first))\
        \(values: "; \(met.column) of these is \(grouped(Int(met.sum))) in all, the difference").
        """,
        weight: Weight.difference - 5, about: Set(steps.map(\.number)))
    ]
  }
}

extension Disagreement {
  /// A difference that one of so many sums equals by chance with this probability is none.
  private static let greatestChance = 0.001

  /// True when the sums lie so thin near the difference that hardly one would equal it by chance.
  func isHardlyChance(among sums: [Int64]) -> Bool {
    guard let difference else { return false }
    let size = Double(difference.magnitude)
    let near = sums.count { Double($0.magnitude) >= size / 2 && Double($0.magnitude) <= size * 2 }
    return Double(near) / (size * 1.5) < Self.greatestChance
  }
}
