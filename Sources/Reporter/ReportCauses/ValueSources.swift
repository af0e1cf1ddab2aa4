import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// Where the rows of tables came from through the program: a read's values that a later statement wrote.
extension ToldSteps {
  /// Ways from table to table, and statements of one text that are looked at.
  private static let (farthest, mostWrites) = (3, 3)
  /// Reads before a write that are looked at, the latest ones first.
  private static let mostReads = 40
  /// Writes of a table that are looked at, whatever their statements say.
  private static let mostWritesOfTable = 60

  /// The tables whose rows the program read and wrote on into others, in lower case.
  ///
  /// - Parameter known: Names of tables in lower case.
  func tables(behind tables: Set<String>, among known: Set<String>) -> Set<String> {
    var sources = sources(known)
    var (reached, edge) = (tables, tables)
    for _ in 0..<Self.farthest where !edge.isEmpty {
      let next = edge.reduce(into: Set<String>()) { $0.formUnion(sources.removeValue(forKey: $1) ?? []) }
      edge = next.subtracting(reached)
      reached.formUnion(edge)
    }
    return reached
  }

  /// By table, those of the reads that its rows were written from.
  private func sources(_ known: Set<String>) -> [String: Set<String>] {
    var (counts, sources): ([String: Int], [String: Set<String>]) = ([:], [:])
    var writes: [StoryTable: Int] = [:]
    var reads: [ToldSteps.Step] = []
    for step in steps where !step.isSetUp && !step.text.isHousekeeping && !step.recorded.isWithheld {
      if step.text.kind == .select, step.text.readsTable, !step.recorded.results.isEmpty {
        reads.append(step)
      }
      guard step.text.isWrite, let change = step.changes.first(where: { $0.told.depth == 0 }),
        counts[step.sql, default: 0] < Self.mostWrites,
        writes[change.table, default: 0] < Self.mostWritesOfTable
      else { continue }
      counts[step.sql, default: 0] += 1
      writes[change.table, default: 0] += 1
      let written = zip(
        change.told.new, change.told.old.isEmpty ? change.told.new.map { _ in nil } : change.told.old
      )
      .filter { $0 != $1 }.compactMap(\.0)
      let table = change.table.name.lowercased()
      for read in reads.suffix(Self.mostReads) where Self.hasSource(written, of: step, in: read) {
        sources[table, default: []].formUnion(read.names.intersection(known))
      }
    }
    return sources
  }

  /// Whether a row was written from a read: one value that hardly stands in both by chance, or two others; one of any kind
  /// where one function made both, on the same line of the test.
  private static func hasSource(
    _ written: [Story.Value], of write: ToldSteps.Step, in read: ToldSteps.Step
  ) -> Bool {
    let isNear = read.place != nil && read.line == write.line && read.place?.name == write.place?.name
    return read.recorded.results.contains { row in
      let shared = Set(written.filter { row.contains($0) })
      return shared.contains { $0.isTelling(number: 1000, bytes: 6) }
        || shared.count { $0 != .null } > (isNear ? 0 : 1)
    }
  }
}

extension DatabaseValue {
  /// Whether it hardly stands in two places by chance, being a number or a text that is large enough.
  func isTelling(number least: UInt64, bytes: Int) -> Bool {
    switch self {
    case .integer(let number): number.magnitude >= least
    case .text(let text, _): text.utf8.count >= bytes
    case .real: true
    case .null, .blob: false
    }
  }
}
