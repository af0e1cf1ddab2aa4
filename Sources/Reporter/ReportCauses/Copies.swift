import Collector
import ExhibitSQLite
import Foundation
import ReportModel
import ReportStory

/// Values that the program read and wrote on, the same in nearly all rows and others in some.
extension Causes {
  /// Rows that make a rule, and how many may break it: more where all are other by the same amount, or equal the
  /// difference.
  private static let (fewest, rare, rareEnough) = (20, 0.05, 0.25)
  /// Different values that a column has to have: a constant equals itself.
  private static let fewestValues = 10
  /// Pairs by which columns are compared at first.
  private static let sample = 60
  private static let (mostRows, mostReads, mostColumns) = (5000, 40, 20)
  /// Rows of a read that may be passed over until the one that was written on.
  private static let farthest = 50
  /// Pairs of reads and writes.
  private static let mostPairs = 60

  /// All rows that the steps of a family read.
  private struct Source {
    var family: StepFamily
    var columns: [String]
    var rows: [(step: Int, values: [DatabaseValue])]
  }

  /// A row that was written, with its number's growth behind an update's columns.
  private struct Written {
    var step: Int
    var change: ToldSteps.Change
    var values: [Story.Value?]
  }

  var copies: [Explanation] {
    guard told.isWhole else { return [] }
    let writes = families.all.compactMap(written)
    guard !writes.isEmpty else { return [] }
    var pairs = 0
    return families.all.flatMap { family -> [Explanation] in
      guard pairs < Self.mostPairs, let first = family.members.first, first.text.kind == .select,
        writes.contains(where: { $0.family.members.first?.line == first.line }), let source = source(family)
      else { return [] }
      return writes.compactMap { write in
        guard write.family.members.first?.line == first.line, pairs < Self.mostPairs else { return nil }
        pairs += 1
        return explanation(source, write.family, write.rows)
      }
    }
  }

  private func written(_ family: StepFamily) -> (family: StepFamily, rows: [Written])? {
    guard family.members.count >= Self.fewest, family.members.count <= Self.mostRows,
      let first = family.members.first, first.text.isWrite, first.text.kind != .delete
    else { return nil }
    let rows = family.members.compactMap { step -> Written? in
      let put = step.changes.filter { $0.told.depth == 0 && $0.told.operation != .delete }
      guard put.count == 1, let change = put.first else { return nil }
      return Written(step: step.number, change: change, values: change.told.new + Self.growth(change.told))
    }
    guard rows.count >= Self.fewest, let table = rows.first?.change.table,
      rows.allSatisfy({ $0.change.table == table })
    else { return nil }
    return (family, rows)
  }

  /// By how much an update changed each number.
  private static func growth(_ change: RecordedStory.Change) -> [Story.Value?] {
    guard change.operation == .update else { return [] }
    return zip(change.old, change.new).map { old, new in
      guard case .integer(let before)? = old, case .integer(let after)? = new else { return nil }
      let (growth, isOver) = after.subtractingReportingOverflow(before)
      return isOver || growth == 0 ? nil : .integer(growth)
    }
  }

  /// The rows of a family's reads, read once more; `nil` where they may be others by now.
  private func source(_ family: StepFamily) -> Source? {
    guard family.members.count <= Self.mostReads,
      family.members.contains(where: { ($0.recorded.rows ?? 0) > 1 })
    else { return nil }
    var source = Source(family: family, columns: [], rows: [])
    for step in family.members {
      guard let count = step.recorded.rows, count > 0 else { continue }
      guard count + source.rows.count <= Self.mostRows, step.recorded.error == nil,
        let found = files.queries(for: step, told)?.rows(
          step.asked, most: count + 1),
        step.hasRead(found.rows)
      else { return nil }
      guard source.rows.isEmpty || source.columns == found.columns else { return nil }
      source.columns = found.columns
      source.rows += found.rows.map { (step.number, $0) }
    }
    return source.rows.count >= Self.fewest && source.columns.count <= Self.mostColumns ? source : nil
  }

  // MARK: - Rows that belong together

  private typealias Pair = (source: [DatabaseValue], written: Written)

  /// The columns by which most rows belong together, and these.
  private func aligned(_ source: Source, _ written: [Written]) -> (from: Int, to: Int, pairs: [Pair])? {
    var best: (from: Int, to: Int, pairs: [Pair])?
    let width = min(written.first?.change.told.new.count ?? 0, Self.mostColumns)
    for from in source.columns.indices {
      let known = Set(source.rows.map { $0.values[from] })
      guard known.count >= Self.fewestValues else { continue }
      for to in 0..<width {
        let met = written.count { row in (row.values[safe: to] ?? nil).map(known.contains) ?? false }
        guard Double(met) >= Double(written.count) * (1 - Self.rare), met >= Self.fewest,
          met > best?.pairs.count ?? 0
        else { continue }
        let pairs = pairs(source, from, written, to)
        if pairs.count > best?.pairs.count ?? 0 { best = (from, to, pairs) }
      }
    }
    guard let best, best.pairs.count >= Self.fewest,
      Double(best.pairs.count) >= Double(written.count) * (1 - Self.rare)
    else { return nil }
    return best
  }

  /// In their order: the next row of the read, from where the last one was, that alone has the value in its read.
  private func pairs(_ source: Source, _ from: Int, _ written: [Written], _ to: Int) -> [Pair] {
    var (pairs, place): ([Pair], Int) = ([], 0)
    var counts: [Int: [DatabaseValue: Int]] = [:]
    for row in source.rows { counts[row.step, default: [:]][row.values[from], default: 0] += 1 }
    for row in written {
      guard let value = row.values[safe: to] ?? nil else { continue }
      let found = source.rows[place...].prefix(Self.farthest).firstIndex {
        $0.step < row.step && $0.values[from] == value
      }
      guard let found else { continue }
      place = found + 1
      if counts[source.rows[found].step]?[value] == 1 { pairs.append((source.rows[found].values, row)) }
    }
    return pairs
  }

  // MARK: - Columns that are the same

  private struct Rule {
    var from: Int
    var to: Int
    var form: CopiedForm
    var others: [Pair]
    var matching: [Pair]
    /// By which the others are off, where it is the same for all.
    var offset: Int64?

    func says(moreThan other: Rule?) -> Bool {
      guard let other else { return true }
      return (matching.count, offset == nil ? 0 : 1) > (other.matching.count, other.offset == nil ? 0 : 1)
    }
  }

  private func explanation(_ source: Source, _ family: StepFamily, _ written: [Written]) -> Explanation? {
    guard let aligned = aligned(source, written), let table = written.first?.change.table else { return nil }
    let width = written.first?.values.count ?? 0
    var best: Rule?
    for from in source.columns.indices {
      for to in 0..<min(width, 2 * Self.mostColumns) where (from, to) != (aligned.from, aligned.to) {
        for form in CopiedForm.all {
          guard let rule = rule(aligned.pairs, from, to, form), rule.says(moreThan: best) else { continue }
          best = rule
        }
      }
    }
    guard let best else { return nil }
    return explanation(source, family, table, best, key: aligned.from)
  }

  private func rule(_ pairs: [Pair], _ from: Int, _ to: Int, _ form: CopiedForm) -> Rule? {
    var (values, matching, others, offsets): (Set<Int64>, [Pair], [Pair], Set<Int64>) = ([], [], [], [])
    for (index, pair) in pairs.enumerated() {
      guard let one = form.number(ofSource: pair.source[from]),
        let other = (pair.written.values[safe: to] ?? nil).flatMap(form.number(ofCopy:))
      else { continue }
      if one == other {
        matching.append(pair)
        if values.count < Self.fewestValues { values.insert(one) }
      } else {
        others.append(pair)
        offsets.insert(other &- one)
      }
      // Most columns have nothing to do with each other.
      if index == Self.sample, matching.count * 2 < Self.sample { return nil }
    }
    let count = matching.count + others.count
    guard matching.count >= Self.fewest, values.count >= Self.fewestValues, !others.isEmpty,
      Double(others.count) <= Double(count) * Self.rareEnough
    else { return nil }
    let offset = offsets.count == 1 && others.count > 1 && form != .text ? offsets.first : nil
    guard Double(others.count) <= Double(count) * Self.rare || offset != nil else { return nil }
    return Rule(from: from, to: to, form: form, others: others, matching: matching, offset: offset)
  }

  private func explanation(
    _ source: Source, _ family: StepFamily, _ table: StoryTable, _ rule: Rule, key: Int
  ) -> Explanation? {
    let touches = disagreement.weight(of: [table.name])
    let changes = rule.others.map(\.written.change)
    let met = told.difference(of: changes, disagreement)
    guard let first = rule.others.first, touches > 0 || met != nil else { return nil }
    let names = told.columns[table] ?? []
    let isGrowth = rule.to >= first.written.change.told.new.count
    let name = names[safe: isGrowth ? rule.to - first.written.change.told.new.count : rule.to] ?? "a column"
    let distinction = Self.distinction(
      rule.others.map(\.source), rule.matching.map(\.source), columns: source.columns, except: key)
    let words: Explanation.Words = """
      \(family.pieces) \(isGrowth ? "adds" : "writes") to \(table.name).\(name) what \
      \(statement: source.family.sql) read as \(source.columns[rule.from])\(rule.form.words) in \
      \(grouped(rule.matching.count)) of \(grouped(rule.matching.count + rule.others.count)) rows; in \
      \(grouped(rule.others.count)) it wrote another value\
      \(values: rule.offset.map { ", each \(rule.form.words(offset: $0))" }) (first in \
      \(step: first.written.step))\(values: distinction)\(values: met).
      """
    let shown = rule.others.prefix(5).map { pair -> [Story.Value] in
      [pair.source[key], pair.source[rule.from]].suffix(key == rule.from ? 1 : 2)
        + [(pair.written.values[safe: rule.to] ?? nil) ?? .null]
    }
    let columns = [source.columns[key], source.columns[rule.from]].suffix(key == rule.from ? 1 : 2).map {
      "\($0) read"
    }
    return Explanation(
      .likely, words,
      rows: RelatedRows(
        table: table, title: "\(table.name): another \(name)",
        columns: columns + ["\(name) \(isGrowth ? "added" : "written")"], rows: shown,
        count: rule.others.count),
      weight: (met != nil ? Weight.difference + 2 : Weight.rule) + touches + (rule.offset == nil ? 0 : 5),
      about: Set(rule.others.map(\.written.step)))
  }

  /// Exceptions, and rows beside each, below which one value tells nothing.
  private static let fewestAlike = 3

  /// A column's value that all exceptions have, and no other row: `; only these have offline 1`.
  ///
  /// - Parameters:
  ///   - exceptions: Rows with a value for each of the columns.
  ///   - others: The rows beside them.
  ///   - key: The column that only names rows.
  private static func distinction(
    _ exceptions: [[DatabaseValue]], _ others: [[DatabaseValue]], columns: [String], except key: Int
  ) -> String? {
    guard exceptions.count >= fewestAlike, others.count >= fewestAlike * exceptions.count else { return nil }
    for (index, column) in columns.enumerated() where column != columns[key] {
      guard let value = exceptions[0][safe: index],
        exceptions.allSatisfy({ $0[safe: index] == value }),
        !others.contains(where: { $0[safe: index] == value })
      else { continue }
      return "; only these have \(column) \(value.shortText)"
    }
    return nil
  }
}

/// The form in which a value and its copy are compared: as numbers of one unit.
private enum CopiedForm: Equatable {
  /// A number, or a text that is one, times a power of ten.
  case number(tenTo: Int)
  case instant
  /// But for its case and what surrounds it, by a hash.
  case text

  static let all: [CopiedForm] = [
    .text, .number(tenTo: 0), .number(tenTo: 2), .number(tenTo: 3), .number(tenTo: -2), .number(tenTo: -3),
    .instant,
  ]

  func number(ofSource value: DatabaseValue) -> Int64? {
    switch self {
    case .number(let power): Self.decimal(value, tenTo: power)
    case .instant: Instant(value).map { Int64($0.seconds) } ?? Self.seconds(value)
    case .text: Self.hash(value)
    }
  }

  func number(ofCopy value: DatabaseValue) -> Int64? {
    switch self {
    case .number: if case .integer(let number) = value { number } else { nil }
    case .instant: Instant(value).map { Int64($0.seconds) } ?? Self.seconds(value)
    case .text: Self.hash(value)
    }
  }

  private static func hash(_ value: DatabaseValue) -> Int64? {
    if case .text(let text, nil) = value { Int64(text.trimmed.lowercased().hashValue) } else { nil }
  }

  /// Seconds since 1970 of this century and the last.
  private static func seconds(_ value: DatabaseValue) -> Int64? {
    guard case .integer(let number) = value, (100_000_000...4_102_444_800).contains(number) else {
      return nil
    }
    return number
  }

  /// The number exactly, without a Double between; `nil` where there is no whole one.
  private static func decimal(_ value: DatabaseValue, tenTo power: Int) -> Int64? {
    let text: String
    switch value {
    case .integer(let number):
      guard power >= 0 else {
        let (part, rest) = number.quotientAndRemainder(dividingBy: power == -2 ? 100 : 1000)
        return rest == 0 ? part : nil
      }
      let (product, isOver) = number.multipliedReportingOverflow(by: power == 0 ? 1 : power == 2 ? 100 : 1000)
      return isOver ? nil : product
    case .real(let number): text = String(number)
    case .text(let string, nil): text = string
    case .null, .blob, .text: return nil
    }
    guard text.utf8.count <= 20, let decimal = Decimal(string: text), Self.isNumber(text) else { return nil }
    let scaled = decimal * pow(10, abs(power) == power ? power : 0) / pow(10, power < 0 ? -power : 0)
    let number = NSDecimalNumber(decimal: scaled)
    return Decimal(number.int64Value) == scaled ? number.int64Value : nil
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.contains(where: \.isDigit)
      && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
  }

  var words: String {
    switch self {
    case .number(tenTo: 0): ""
    case .number(let power):
      power > 0
        ? ", times \(grouped(power == 2 ? 100 : 1000))," : ", a \(power == -2 ? "hundredth" : "thousandth"),"
    case .instant: ", the same moment,"
    case .text: ""
    }
  }

  func words(offset: Int64) -> String {
    switch self {
    case .instant:
      "\(grouped(Int(clamping: offset.magnitude))) seconds\(offset.magnitude % 3600 == 0 ? " (\(offset.magnitude / 3600) h)" : "") \(offset < 0 ? "earlier" : "later")"
    case .number, .text: "\(grouped(Int(clamping: offset.magnitude))) \(offset < 0 ? "lower" : "higher")"
    }
  }
}
