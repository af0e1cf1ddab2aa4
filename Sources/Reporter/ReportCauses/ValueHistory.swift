import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// The history of the failing value, where rows tell it exactly.
///
/// It tells the changes between two runs of one read, the steps that removed a missing member, and the
/// repeated changes of the cell that was read.
extension Causes {
  private static let (mostMembers, mostNamed, mostSteps) = (5, 3, 4)
  /// Statements that are looked at for a missing member.
  private static let mostTries = 100

  var valueHistory: [Explanation] {
    guard told.isWhole, let read = disagreement.reads.first else { return [] }
    return betweenReads + members(disagreement.missing, areMissing: true, read)
      + members(disagreement.surplus, areMissing: false, read) + cell(read)
  }

  // MARK: - Two runs of one read

  /// Both numbers of the message were returned by the same query; what was changed between adds up to the difference.
  private var betweenReads: [Explanation] {
    guard let read = disagreement.read, let other = disagreement.other,
      let difference = disagreement.difference, difference.magnitude >= UInt64(Disagreement.smallest),
      let last = tests.last(where: { $0.returns(read) }),
      let first = told.steps.last(where: {
        $0.number < last.number && $0.database == last.database && $0.asked == last.asked
          && $0.returns(other)
      })
    else { return [] }
    let between = tests.filter { $0.number > first.number && $0.number < last.number && !$0.isUndone }
    let changes = between.flatMap(\.changes).filter {
      $0.table.database == last.database && last.names.contains($0.table.name.lowercased())
    }
    let tables = Set(changes.map(\.table)).sorted { $0.name < $1.name }
    for table in tables {
      let sums = told.sums(of: changes, in: table)
      let met = sums.sums.filter { $0.value == difference }.keys.sorted()
      guard let column = met.first(where: { !$0.contains("×") }) ?? met.first else { continue }
      return [explanation(of: between, in: table, column, from: first, to: last, read: read, other: other)]
    }
    return []
  }

  private func explanation(
    of between: [ToldSteps.Step], in table: StoryTable, _ column: String, from first: ToldSteps.Step,
    to last: ToldSteps.Step, read: Int64, other: Int64
  ) -> Explanation {
    // A transaction that takes from one row and gives the same to another one adds up to nothing.
    let groups = between.filter { $0.changes.contains { $0.table == table } }
      .groups { step in step.transaction.map { -1 - $0 } ?? step.number }
    let sums = groups.map { steps in
      (steps: steps, sum: told.sums(of: steps.flatMap(\.changes), in: table).sums[column] ?? 0)
    }
    let unbalanced = sums.filter { $0.sum != 0 }
    var words: Explanation.Words = """
      \(statement: last.sql) returned \(values: "\(grouped(Int(other))) ", without: "one value ")in \
      \(step: first.number) and \(values: "\(grouped(Int(read))) ", without: "another ")in \(step: last.number); \
      between them \(table.name).\(column) changed
      """
    for (index, group) in unbalanced.prefix(Self.mostNamed).enumerated() {
      words += """
        \(index == 0 ? "" : ",")\(values: " by \(group.sum < 0 ? "" : "+")\(grouped(Int(group.sum)))")\
        \(" in ", place: group.steps.compactMap(\.place).last) (\(step: group.steps[0].number))
        """
    }
    let balanced = sums.count - unbalanced.count
    if unbalanced.count > Self.mostNamed {
      words += " and \(counted(unbalanced.count - Self.mostNamed, "time")) more"
    }
    words += balanced > 0 ? "; \(counted(balanced, "other transaction")) left the sum as it was." : "."
    let changes = unbalanced.flatMap(\.steps).flatMap(\.changes).filter { $0.table == table }
    return Explanation(
      .certain, words,
      rows: told.rows(of: changes, in: table, title: "\(table.name): changed between the two reads"),
      weight: Weight.certain + Weight.touchesRead, about: Set(unbalanced.flatMap(\.steps).map(\.number)))
  }

  // MARK: - Members of a list

  /// The steps that removed rows with the members; of missing ones also those that were given one and changed nothing.
  private func members(
    _ members: [Story.Value], areMissing: Bool, _ read: ToldSteps.Step
  ) -> [Explanation] {
    let wanted = Set(members.prefix(Self.mostMembers))
    guard !wanted.isEmpty else { return [] }
    var found: [Explanation] = []
    if areMissing || !members.isEmpty { found += removed(wanted, areMissing, read) }
    if found.isEmpty, areMissing { found += without(members, read) }
    return found
  }

  /// - Returns: One sentence about the last step that removed rows with members.
  private func removed(_ wanted: Set<Story.Value>, _ areMissing: Bool, _ read: ToldSteps.Step)
    -> [Explanation]
  {
    for step in tests.reversed() where step.number < read.number || !areMissing {
      let changes = step.changes.filter { change in
        change.told.operation == .delete && change.told.new.isEmpty
          && (!areMissing || read.names.contains(change.table.name.lowercased()))
          && change.told.old.contains {
            $0.map { wanted.contains($0) && $0.isTelling(number: 100, bytes: 3) } ?? false
          }
      }
      guard let table = changes.first?.table, step.text.kind != .insert else { continue }
      let own = changes.filter { $0.table == table }
      let named = wanted.filter { value in own.contains { $0.told.old.contains(value) } }
      let all = step.changes.filter { $0.told.operation == .delete && $0.table == table }
      let isOwn = own.allSatisfy { $0.told.depth == 0 }
      let way = isOwn ? "" : " through a trigger or a foreign key"
      return [
        Explanation(
          .certain,
          """
          \(step.pieces) removed \(counted(all.count, "row")) of \(table.name)\(way) in \(step: step.number)\
          \(values: ", among them the \(areMissing ? "missing" : "surplus") \(Self.list(named))").
          """,
          rows: told.rows(of: all, in: table, title: "\(table.name): removed"),
          weight: Weight.certain + Weight.touchesRead, about: [step.number])
      ]
    }
    return []
  }

  /// Statements that were given a missing member and changed no row, where the same statement did for members that are there.
  private func without(_ members: [Story.Value], _ read: ToldSteps.Step) -> [Explanation] {
    let wanted = Set(members.prefix(Self.mostMembers))
    let present = Set(read.recorded.results.flatMap { $0.compactMap(\.self) }).subtracting(wanted)
    let empty = tests.reversed().lazy.filter { step in
      step.number < read.number && step.text.kind == .insert && step.changes.isEmpty
        && step.recorded.changed == 0
        && step.recorded.error == nil
    }
    for step in empty.prefix(Self.mostTries) {
      guard let target = step.text.target?.lowercased(), read.names.contains(target),
        let value = members.prefix(Self.mostMembers).first(where: { step.isGiven($0) })
      else { continue }
      let others = tests.lazy.filter { $0.sql == step.sql && !$0.changes.isEmpty }.prefix(Self.mostTries)
        .filter {
          other in present.contains { other.isGiven($0) }
        }
      guard let other = others.last else { continue }
      let hindrance = Self.select(of: step.asked).flatMap {
        Hindrance(to: $0, of: step, but: value, told, files)
      }
      return [
        Explanation(
          .certain,
          """
          \(step.pieces) inserted no row in \(step: step.number)\(values: ", for the missing \(value.shortText)"); \
          it did in \(counted(others.count, "other step")), as in \(step: other.number)\
          \(hindrance?.words("kept it from one") ?? []).
          """,
          rows: hindrance?.rows, weight: Weight.certain + Weight.touchesRead,
          about: [step.number])
      ]
    }
    return []
  }

  private static func list(_ values: Set<Story.Value>) -> String {
    let texts = values.map(\.shortText).sorted()
    return texts.count > 1
      ? "\(texts.dropLast().joined(separator: ", ")) and \(texts[texts.count - 1])" : texts.first ?? ""
  }

  // MARK: - One cell

  /// The cell that holds what was read, where the test changed it more than once.
  private func cell(_ read: ToldSteps.Step) -> [Explanation] {
    guard let value = disagreement.readValue, value.isTelling(number: 100, bytes: 3), read.recorded.rows == 1,
      read.recorded.results.first?.contains(value) == true
    else { return [] }
    var cells: [CellKey: [Write]] = [:]
    for step in tests where step.number < read.number {
      for change in step.changes where change.told.operation == .update {
        guard let key = change.row, read.names.contains(change.table.name.lowercased()) else { continue }
        for column in change.told.new.indices
        where change.told.new[column] != change.told.old[safe: column] ?? nil {
          cells[CellKey(table: change.table, key: key, column: column), default: []].append((step, change))
        }
      }
    }
    let met = cells.filter { cell, changes in
      changes.count > 1 && changes.last?.change.told.new[cell.column] == value
    }
    guard met.count == 1, let (cell, changes) = met.first, changes.count <= Self.mostSteps,
      let last = changes.last
    else { return [] }
    let name = told.name(of: cell.column, in: cell.table)
    var words: Explanation.Words = """
      The test changed \(cell.table.name).\(name) of \(values: cell.key.shown, without: "one row") \
      \(counted(changes.count, "time")):
      """
    for (index, (step, change)) in changes.enumerated() {
      let (old, new) = (change.told.old[safe: cell.column] ?? nil, change.told.new[cell.column])
      words += index == 0 ? " " : ", then "
      if let old, let new { words += "\(values: "\(old.shortText) → \(new.shortText) ")" }
      let isLast = index == changes.count - 1 || changes[index + 1].step.place != step.place
      words += "in \(step: step.number)\(" by ", place: isLast ? step.place : nil)"
    }
    words += "."
    return [
      Explanation(
        .certain, words,
        rows: told.rows(of: [last.change], in: cell.table, title: "\(cell.table.name): as it was read"),
        weight: Weight.certain + Weight.touchesRead, about: Set(changes.map(\.step.number)))
    ]
  }
}

extension ToldSteps.Step {
  /// True when it read a number, or rows of one column that add up to it.
  fileprivate func returns(_ number: Int64) -> Bool {
    guard text.kind == .select, recorded.error == nil, recorded.rows == recorded.results.count,
      !recorded.results.isEmpty
    else { return false }
    var sum = 0.0
    for row in recorded.results {
      guard row.count == 1, let part = row[0]?.number else { return false }
      sum += part
    }
    return sum == Double(number)
  }

  /// True when its statement was given the value.
  fileprivate func isGiven(_ value: Story.Value) -> Bool {
    guard let literal = value.literal, let expanded = recorded.expanded, expanded != sql else { return false }
    let places = expanded.ranges(of: literal)
    return places.contains { place in
      func isWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
      }
      return !isWord(expanded[..<place.lowerBound].last) && !isWord(expanded[place.upperBound...].first)
    }
  }
}
