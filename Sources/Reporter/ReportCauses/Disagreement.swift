import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// The values compared by the failing assertion, and the reads that returned them.
struct Disagreement {
  /// The number read and the expected one; `nil` unless the message has two integers.
  private var read: Int64?
  private var other: Int64?
  /// The reads that returned a value of the message, last first, or else the last read.
  private(set) var reads: [ToldSteps.Step] = []
  private(set) var tables: Set<String> = []
  private(set) var isKnown = false
  private(set) var known: Set<String> = []
  /// Integers in these reads' statements.
  private(set) var factors: [Int64] = []

  /// The number read minus the other.
  var difference: Int64? {
    guard let read, let other else { return nil }
    let (difference, isOver) = read.subtractingReportingOverflow(other)
    return isOver || difference == 0 || difference == .min ? nil : difference
  }

  /// Smaller differences are matched by chance.
  static let smallest: Int64 = 10

  init(_ message: String, _ told: ToldSteps, _ files: [CapturedFile]) {
    let values = MessageValue.operands(in: message)
    let operands = values.compactMap(\.integer)
    let selects = told.steps.reversed().filter {
      ($0.text.kind == .select) && !$0.text.isHousekeeping && !$0.recorded.isWithheld
        && $0.recorded.error == nil && $0.text.readsTable
    }
    if operands.count == 2 {
      for step in selects where step.recorded.rows == 1 {
        let cells = step.recorded.results.first ?? []
        guard
          let place = operands.firstIndex(where: {
            cells.contains(.integer($0)) || cells.contains(.real(Double($0)))
          })
        else { continue }
        if read == nil { (read, other) = (operands[place], operands[1 - place]) }
        reads.append(step)
        if reads.count == 2 { break }
      }
      if read == nil { (read, other) = (operands[0], operands[1]) }
    }
    if reads.isEmpty, let pair = Self.pair(operands, Array(selects.prefix(8))) {
      (read, other) = (operands[pair.place], operands[1 - pair.place])
      reads = pair.reads
    }
    if let lists = MessageValue.lists(in: message) { noteLists(lists.left, lists.right, selects) }
    if read == nil {
      noteNumbers(values.compactMap(\.number), selects)
      noteText(values, selects)
    }
    isKnown = !reads.isEmpty
    if reads.isEmpty, let last = selects.first { reads = [last] }
    known = Set(
      told.columns.keys.map { $0.name.lowercased() }
        + files.flatMap { $0.schema.tables.keys.map { $0.lowercased() } })
    for step in reads { tables.formUnion(step.names.intersection(known)) }
    let makers = told.steps.filter { step in
      !step.isSetUp && step.text.kind == .insert && step.text.readsTable
        && step.text.target.map { tables.contains($0.lowercased()) } == true
    }.suffix(Self.mostMakers)
    for step in makers { tables.formUnion(step.names.intersection(known)) }
    tables.formUnion(told.tables(behind: tables, among: known))
    factors = Self.factors(of: Set((reads + makers).map(\.sql)))
  }

  private static let mostMakers = 20
  private static let mostReads = 200

  /// A list is matched with a read's rows; otherwise the first operand was read.
  private mutating func noteLists(
    _ left: [DatabaseValue], _ right: [DatabaseValue], _ selects: [ToldSteps.Step]
  ) {
    func isOf(_ step: ToldSteps.Step, _ list: [DatabaseValue]) -> Bool {
      let results = step.recorded.results
      guard step.recorded.rows == list.count, results.count <= list.count, !results.isEmpty else {
        return false
      }
      return results[0].indices.contains { column in
        zip(results, list).allSatisfy { row, value in row[safe: column] == value }
      }
    }
    if reads.isEmpty,
      let step = selects.prefix(Self.mostReads).first(where: { isOf($0, left) || isOf($0, right) })
    {
      reads = [step]
      return
    }
    // For a list composed in code, take the reads that returned most members.
    let members = Set(left)
    var counts: [String: (step: ToldSteps.Step, found: Int)] = [:]
    for step in selects.prefix(Self.mostReads) {
      let found = step.recorded.results.count { row in row.contains { $0.map(members.contains) ?? false } }
      if found > 0 { counts[step.sql, default: (step, 0)].found += found }
    }
    reads = counts.values.sorted { ($0.found, $0.step.number) > ($1.found, $1.step.number) }.prefix(2).map(
      \.step)
  }

  /// Fractional numbers may have been read too.
  private mutating func noteNumbers(_ numbers: [Double], _ selects: [ToldSteps.Step]) {
    guard numbers.count == 2, numbers[0] != numbers[1] else { return }
    let found = selects.prefix(Self.mostReads).first { step in
      step.recorded.rows == 1
        && (step.recorded.results.first ?? []).contains { $0?.number.map(numbers.contains) ?? false }
    }
    if let found { reads = [found] }
  }

  private mutating func noteText(_ values: [DatabaseValue], _ selects: [ToldSteps.Step]) {
    guard reads.isEmpty else { return }
    let texts = values.filter { if case .text = $0 { true } else { false } }
    let found = selects.prefix(Self.mostReads).first { step in
      step.recorded.rows == 1 && texts.contains { step.recorded.results.first?.contains($0) ?? false }
    }
    if let found { reads = [found] }
  }

  /// The latest two single-number reads whose sum or difference is in the message.
  private static func pair(
    _ operands: [Int64], _ selects: [ToldSteps.Step]
  ) -> (place: Int, reads: [ToldSteps.Step])? {
    guard operands.count == 2 else { return nil }
    let read = selects.compactMap { step -> (step: ToldSteps.Step, number: Int64)? in
      guard step.recorded.rows == 1, let row = step.recorded.results.first, row.count == 1,
        case .integer(let number)?? = row.first
      else { return nil }
      return (step, number)
    }
    for (index, one) in read.enumerated() {
      for other in read[(index + 1)...] {
        let results = [one.number &- other.number, other.number &- one.number, one.number &+ other.number]
        if let place = operands.firstIndex(where: results.contains) {
          return (place, [one.step, other.step])
        }
      }
    }
    return nil
  }

  /// Numbers in statements; small ones match by chance.
  private static func factors(of statements: Set<String>) -> [Int64] {
    let digits = statements.flatMap { sql in
      sql.split {
        !($0.isASCII && ($0.isNumber || $0.isLetter || $0 == "_" || $0 == "?" || $0 == "'" || $0 == "-"))
      }
    }
    return Set(digits.compactMap { Int64($0) }.filter { $0 >= 5 }).sorted()
  }

  /// True when a sum equals the difference in size; the sum of missing rows has the other sign.
  func isMet(by sum: Int64, least: Int64 = smallest) -> Bool {
    guard let difference, difference.magnitude >= UInt64(least) else { return false }
    return sum.magnitude == difference.magnitude
  }

  /// The weight added for these tables.
  func weight(of tables: some Sequence<String>) -> Double {
    tables.contains { self.tables.contains($0.lowercased()) } ? Weight.touchesRead : 0
  }
}

extension ToldSteps.Step {
  var names: Set<String> { text.names }
}

/// Traces where written rows came from.
extension ToldSteps {
  /// Hops between tables, and writes per statement.
  private static let (farthest, mostWrites) = (3, 3)
  private static let mostReads = 40
  private static let mostWritesOfTable = 60

  /// Tables from which the program copied rows into the given ones.
  ///
  /// - Parameter known: Table names in lower case.
  package func tables(behind tables: Set<String>, among known: Set<String>) -> Set<String> {
    var sources = sources(known)
    var (reached, edge) = (tables, tables)
    for _ in 0..<Self.farthest where !edge.isEmpty {
      let next = edge.reduce(into: Set<String>()) { $0.formUnion(sources.removeValue(forKey: $1) ?? []) }
      edge = next.subtracting(reached)
      reached.formUnion(edge)
    }
    return reached
  }

  /// The source tables of each table's rows.
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

  /// True when a row was probably written from a read.
  ///
  /// They share one rare value or two others; on one line of code, any one.
  private static func hasSource(
    _ written: [DatabaseValue], of write: ToldSteps.Step, in read: ToldSteps.Step
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
  /// True for a value that is unlikely to recur by chance.
  package func isTelling(number least: UInt64, bytes: Int) -> Bool {
    switch self {
    case .integer(let number): number.magnitude >= least
    case .text(let text, _): text.utf8.count >= bytes
    case .real: true
    case .null, .blob: false
    }
  }
}
