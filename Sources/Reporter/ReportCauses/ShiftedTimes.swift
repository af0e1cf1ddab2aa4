import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Updates that wrote a time in another form, and for some rows another time.
struct ShiftedTimes {
  private static let fewest = 20
  private static let (rare, rareEnough) = (0.05, 0.25)

  private let families: StepFamilies
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ families: StepFamilies, _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.families, self.told, self.disagreement) = (families, told, disagreement)
  }

  private struct Pair {
    var change: ToldSteps.Change
    var step: Int
    var old: Instant
    var new: Instant
  }

  var explanations: [Explanation] { !told.isWhole ? [] : families.all.flatMap { explanations(of: $0) } }

  private func explanations(of family: StepFamily) -> [Explanation] {
    var pairs: [StoryTable: [Int: [Pair]]] = [:]
    for step in family.members {
      for change in step.changes where change.told.operation == .update && change.told.depth == 0 {
        for (column, (old, new)) in zip(change.told.old, change.told.new).enumerated() where old != new {
          guard let before = Instant(old), let after = Instant(new) else { continue }
          pairs[change.table, default: [:]][column, default: []].append(
            Pair(change: change, step: step.number, old: before, new: after))
        }
      }
    }
    return pairs.flatMap { table, columns in
      columns.compactMap { explanation(family, table, column: $0.key, $0.value) }
    }
  }

  private func explanation(
    _ family: StepFamily, _ table: StoryTable, column: Int, _ pairs: [Pair]
  ) -> Explanation? {
    let shifted = pairs.filter { $0.old.seconds != $0.new.seconds }
    let share = Double(shifted.count) / Double(pairs.count)
    guard pairs.count >= Self.fewest, let first = shifted.first, share <= Self.rareEnough else { return nil }
    let moved = shifted.filter { $0.old.month != $0.new.writtenMonth }
    let met =
      told.difference(of: shifted.map(\.change), disagreement, isOfRows: true)
      ?? told.difference(of: moved.map(\.change), disagreement, isOfRows: true)
    guard share <= Self.rare || met != nil else { return nil }
    let name = told.columns[table]?[safe: column] ?? "column \(column + 1)"
    var pieces: [Explanation.Piece] = family.pieces
    pieces += [
      .text(
        " wrote another time to \(table.name).\(name) in \(grouped(shifted.count)) of \(grouped(pairs.count)) rows (first in "
      ),
      .step(first.step),
      .text("); the other \(grouped(pairs.count - shifted.count)) are the same moment as before"),
    ]
    if !moved.isEmpty { pieces.append(.values("; \(grouped(moved.count)) belong in another month")) }
    if let met { pieces.append(.values(met)) }
    pieces.append(.text("."))
    let shown = moved.isEmpty ? shifted : moved
    return Explanation(
      .likely, pieces,
      rows: told.rows(of: shown.map(\.change), in: table, title: "\(table.name): another time"),
      weight: (met == nil ? Weight.rule : Weight.difference + 4) + disagreement.weight(of: [table.name]))
  }
}

/// A moment as a text tells it: `2026-04-01T05:05:00+05:30`.
private struct Instant {
  /// Since 1970, in UTC.
  var seconds: Int
  /// The month in UTC, and as it is written.
  var month: Int
  var writtenMonth: Int

  init?(_ value: Story.Value?) {
    guard case .text(let text, nil)? = value else { return nil }
    let bytes = Array(text.utf8.prefix(40))
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[start..<start + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), bytes[4] == UInt8(ascii: "-"),
      (1...12).contains(month), bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ")
    else { return nil }
    var place = 19
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place = bytes[(place + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
    }
    var offset = 0
    if place < bytes.count, bytes[place] != UInt8(ascii: "Z") {
      guard bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-"),
        let hours = number(place + 1, 2)
      else { return nil }
      let minutes = number(place + 4, 2) ?? number(place + 3, 2) ?? 0
      offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "-") ? -60 : 60)
    }
    // Days since 1970 of the proleptic Gregorian calendar: https://howardhinnant.github.io/date_algorithms.html
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    writtenMonth = year * 12 + month - 1
    // The offset moves a time by a day at most.
    let inUTC = hour * 3600 + minute * 60 + second - offset
    let dayInUTC = day + (inUTC < 0 ? -1 : inUTC >= 86_400 ? 1 : 0)
    let length = [
      31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
      31,
    ][month - 1]
    self.month = writtenMonth + (dayInUTC < 1 ? -1 : dayInUTC > length ? 1 : 0)
  }
}
