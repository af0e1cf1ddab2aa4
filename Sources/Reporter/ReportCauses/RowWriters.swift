import Collector
import ExhibitSQLite
import ReportStory

/// Who wrote rows that break a rule, or their parts.
struct RowWriters {
  /// The last step that wrote one of them.
  private(set) var last: ToldSteps.Step?
  /// The steps of the statement that wrote all of them and hardly any other row, and how many others it wrote.
  private(set) var own: (family: StepFamily, others: Int)?

  /// A statement may write one row that keeps the rule for so many that break it.
  private static let fewOthers = 3

  /// - Parameters:
  ///   - columns: Those that match a row and its parts.
  ///   - broken: The values of these in the rows that break the rule.
  ///   - kept: The same of those that keep it.
  init(
    _ total: String, _ part: String, _ columns: [(total: String, part: String)], _ told: ToldSteps,
    in database: Int,
    broken: [[DatabaseValue]], kept: [[DatabaseValue]]
  ) {
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
        let isTotal = change.table.name == total
        guard isTotal || change.table.name == part, let names = told.columns[change.table] else { continue }
        let places =
          known[change.table] ?? columns.map { names.firstIndex(of: isTotal ? $0.total : $0.part) }
        known[change.table] = places
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
    // Of several the one that wrote the fewest others, and of those the first one.
    let best = telling.min { one, other in
      (one.value.kept.count, one.value.steps[0].number) < (
        other.value.kept.count, other.value.steps[0].number
      )
    }
    own = best.map { sql, written in
      (StepFamily(sql: sql, place: written.steps[0].place, members: written.steps), written.kept.count)
    }
  }
}
