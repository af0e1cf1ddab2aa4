import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// Members of a family of steps that did something else than the others.
extension Causes {
  /// Fewer members are no family.
  private static let fewest = 20
  /// The share of members that may be exceptions: where only their number speaks for it, and where their rows
  /// equal the difference.
  private static let (rare, rareEnough) = (0.05, 0.25)
  private static let mostNamed = 5
  /// Tables, each by statements and by triggers, that a family's members are compared in.
  private static let mostTables = 40
  /// Changes of one savepoint or transaction that are looked at.
  private static let mostEffects = 2000

  /// A trait in which members of a family may differ.
  private enum Trait: Hashable {
    /// Rows of a table were changed, by triggers and cascades or by the step itself.
    case changed(StoryTable, byOthers: Bool)
    /// The number of rows that it changed: none, one, or more.
    case count
    case foundRows
    case failed
    case next
    case previous
    case database
    case connection
    case kind(column: Int)
  }

  private struct Found {
    var family: StepFamily
    var trait: Trait
    /// The value that the others have.
    var usual: String
    var others: [ToldSteps.Step]
    /// The number of members that could have it.
    var count: Int
    /// True when the others are savepoints or transactions kept although their last read found nothing.
    ///
    /// Members with the trait were kept behind a write.
    var isKept = false
  }

  var rareMembers: [Explanation] {
    guard told.isWhole else { return [] }
    return families.all.flatMap { family -> [Explanation] in
      guard family.members.count >= Self.fewest else { return [] }
      var known: Set<[Int]> = []
      return traits(of: family).compactMap { trait in
        guard let found = exceptions(of: family, trait), known.insert(found.others.map(\.number)).inserted
        else { return nil }
        return explanation(found)
      }
    }
  }

  private func traits(of family: StepFamily) -> [Trait] {
    var traits: [Trait] = []
    var seen: Set<Trait> = []
    for member in family.members {
      for change in member.changes {
        let trait = Trait.changed(change.table, byOthers: change.told.depth > 0)
        if seen.insert(trait).inserted { traits.append(trait) }
      }
    }
    let width = family.members.first.map { $0.changes.first?.told.new.count ?? 0 } ?? 0
    return traits.prefix(Self.mostTables) + [
      .count, .foundRows, .failed, .next, .previous, .database, .connection,
    ]
      + (0..<min(width, 30)).map { .kind(column: $0) }
  }

  private func exceptions(of family: StepFamily, _ trait: Trait) -> Found? {
    var members = family.members
    // The last one of a loop is followed by what comes behind the loop.
    if trait == .next { members = members.filter { isInside($0, families.next[$0.number]) } }
    if trait == .previous { members = members.filter { isInside($0, families.previous[$0.number]) } }
    let values = members.map { value($0, trait) }
    var counts: [String: Int] = [:]
    for value in values { if let value { counts[value, default: 0] += 1 } }
    let known = values.count { $0 != nil }
    guard known >= Self.fewest, counts.count > 1,
      let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
    else { return nil }
    let others = zip(members, values).filter { $1 != nil && $1 != usual.key }.map(\.0)
    guard Double(others.count) <= Double(known) * Self.rareEnough else { return nil }
    var found = Found(family: family, trait: trait, usual: usual.key, others: others, count: known)
    found.isKept = trait == .previous && keepsWhatFoundNothing(found)
    return found
  }

  /// True when a neighbour was made for the same line of the test, in the call of the family's function.
  private func isInside(_ step: ToldSteps.Step, _ neighbour: ToldSteps.Step?) -> Bool {
    guard let neighbour, neighbour.line == step.line,
      let own = step.stack?.frames, let others = neighbour.stack?.frames
    else { return false }
    // The caller of the family's function is still at the same call.
    guard let telling = step.stack?.telling, own.indices.contains(telling) else { return false }
    let function = own[telling].place.name
    return others.contains { $0.place.name.isInFunction(of: function) }
  }

  private func value(_ step: ToldSteps.Step, _ trait: Trait) -> String? {
    switch trait {
    case .changed(let table, let byOthers):
      // In another database there is another table of the name, or one that several connections share.
      guard step.recorded.error == nil, step.recorded.tellsRows, step.database == table.database,
        !step.recorded.isRunning, !step.isUndone
      else { return nil }
      return step.changes.contains { $0.table == table && ($0.told.depth > 0) == byOthers } ? "some" : "none"
    case .count:
      guard step.text.isWrite, step.recorded.error == nil, step.recorded.tellsRows, !step.isUndone
      else { return nil }
      let count = step.changes.count { $0.told.depth == 0 }
      return count == 0 ? "none" : count == 1 ? "one" : "more"
    case .foundRows:
      return step.text.kind == .select ? step.recorded.rows.map { $0 == 0 ? "none" : "some" } : nil
    case .failed: return step.recorded.error == nil ? "no" : "yes"
    case .next: return families.next[step.number]?.sql
    case .previous: return families.previous[step.number]?.sql
    case .database: return told.databases[safe: step.database]?.name
    case .connection: return String(step.recorded.connection)
    case .kind(let column):
      guard let change = step.changes.first(where: { $0.told.depth == 0 })?.told,
        change.new.indices.contains(column), let value = change.new[column],
        !change.old.indices.contains(column) || change.old[column] != change.new[column]
      else { return nil }
      return value.storageClass
    }
  }

  // MARK: - In words

  private func explanation(_ found: Found) -> Explanation? {
    let isRare =
      Double(found.others.count) <= Double(found.count) * (found.isKept ? 2 * Self.rare : Self.rare)
    let met = met(found)
    guard isRare || met != nil else { return nil }
    let tables = tables(found)
    // Statements that mostly do nothing, and reads that find nothing, are made for the members that differ.
    let isOdd =
      switch found.trait {
      case .changed, .failed: found.usual == "some" || found.usual == "no"
      case .count: found.usual == "one" && found.others.allSatisfy { value($0, .count) == "more" }
      case .kind: true
      case .previous: found.isKept
      case .foundRows, .next, .database, .connection: false
      }
    let touches = disagreement.weight(of: tables)
    guard met != nil || isOdd && touches > 0 else { return nil }
    return Explanation(
      .likely,
      """
      \(grouped(found.others.count)) of \(grouped(found.count)) runs of \(found.family.pieces)\(predicate(found)) \
      (step \(named(found.others)))\(values: met).
      """,
      rows: rows(found),
      weight: (met != nil ? Weight.difference : Weight.rare) + touches,
      about: Set(found.others.map(\.number)))
  }

  private func keepsWhatFoundNothing(_ found: Found) -> Bool {
    guard let first = found.others.first, StatementText(found.usual).isWrite else { return false }
    switch first.text.kind {
    case .release, .commit: break
    default: return false
    }
    return found.others.allSatisfy { step in
      families.previous[step.number].map { $0.text.kind == .select && $0.recorded.rows == 0 } ?? false
    }
  }

  private func predicate(_ found: Found) -> Explanation.Words {
    if found.isKept { return keptPredicate(found) }
    let usual = found.count - found.others.count
    let rest = "the other \(grouped(usual))"
    switch found.trait {
    case .changed(let table, let byOthers):
      let by = byOthers ? " through a trigger or a foreign key" : ""
      return found.usual == "some"
        ? " changed no row of \(table.name)\(by); \(rest) did"
        : " changed rows of \(table.name)\(by); \(rest) did not"
    case .count:
      let number = found.usual == "one" ? "more than one row" : "another number of rows"
      return " changed \(number); \(rest) changed \(found.usual == "more" ? "several" : found.usual)"
    case .foundRows:
      return found.usual == "some" ? " returned no row; \(rest) did" : " returned rows; \(rest) did not"
    case .failed: return found.usual == "no" ? " failed; \(rest) did not" : " did not fail; \(rest) did"
    case .next, .previous:
      let word = found.trait == .next ? "followed by" : "preceded by"
      let neighbours = found.trait == .next ? families.next : families.previous
      let others = Set(found.others.compactMap { neighbours[$0.number]?.sql })
      let words: Explanation.Words = " were not \(word) \(statement: found.usual), as \(rest) were"
      guard let only = others.first, others.count == 1 else { return words }
      return "\(words), but by \(statement: only)"
    case .database:
      let names = Set(found.others.compactMap { value($0, .database) }).sorted().prefix(2)
      return " were about \(names.joined(separator: " and ")); \(rest) about \(found.usual)"
    case .connection: return " ran on another connection; \(rest) on connection \(found.usual)"
    case .kind(let column):
      let change = found.others.first?.changes.first { $0.told.depth == 0 }
      let name = (change?.columns ?? []).columnName(column)
      let kinds = Set(found.others.compactMap { value($0, found.trait) }).sorted().joined(separator: " or ")
      return " wrote \(kinds) to \(name); \(rest) wrote \(found.usual)"
    }
  }

  private func keptPredicate(_ found: Found) -> Explanation.Words {
    let reads = Set(found.others.compactMap { families.previous[$0.number]?.sql })
    let read: Explanation.Words = reads.count == 1 ? ", \(statement: reads.first ?? "")," : ""
    return """
       kept what came before although the last read in it\(read) found nothing; the other \
      \(grouped(found.count - found.others.count)) came behind \(statement: found.usual)
      """
  }

  private func named(_ steps: [ToldSteps.Step]) -> [Explanation.Piece] {
    var pieces: [Explanation.Piece] = []
    for (index, step) in steps.prefix(Self.mostNamed).enumerated() {
      if index > 0 { pieces.append(.text(", ")) }
      pieces.append(.number(step.number))
    }
    if steps.count > Self.mostNamed { pieces.append(.text(" …")) }
    return pieces
  }

  private func tables(_ found: Found) -> Set<String> {
    var tables = Set(found.others.flatMap { effects($0).map(\.table.name) })
    if case .changed(let table, _) = found.trait { tables.insert(table.name) }
    if found.trait == .next || found.trait == .previous {
      tables.formUnion(StatementText(found.usual).target.map { [$0] } ?? [])
    }
    return tables
  }

  /// The sum or number of their rows that equals the difference.
  private func met(_ found: Found) -> String? {
    let least: Int64 = 2
    let changes = found.others.flatMap(effects)
    if let met = told.difference(of: changes, disagreement, least: least) { return met }
    if let met = told.difference(ofReferring: changes, disagreement, least: least) { return met }
    return disagreement.isMet(by: Int64(found.others.count), least: least)
      ? "; the difference is their number" : nil
  }

  /// The changes of a step, and at the end of a savepoint or transaction all that were made in it.
  private func effects(_ step: ToldSteps.Step) -> [ToldSteps.Change] {
    var changes = step.changes
    func isBegin(_ text: StatementText) -> Bool {
      switch (step.text.kind, text.kind) {
      case (.release(let name), .savepoint(let other)): name == other
      case (.commit, .begin): true
      default: false
      }
    }
    switch step.text.kind {
    case .release, .commit: break
    default: return changes
    }
    var before = families.previous[step.number]
    while let current = before, !isBegin(current.text), changes.count < Self.mostEffects {
      changes += current.changes
      before = families.previous[current.number]
    }
    return before == nil ? step.changes : changes
  }

  private func rows(_ found: Found) -> RelatedRows? {
    if found.isKept {
      let kept = found.others.flatMap { effects($0).reversed() }.filter { $0.told.depth == 0 }
      guard let table = kept.first?.table else { return nil }
      return told.rows(of: kept.filter { $0.table == table }, in: table, title: "\(table.name): kept")
    }
    let changes = found.others.compactMap { $0.changes.first { $0.told.depth == 0 } }
    guard let table = changes.first?.table, changes.count == found.others.count,
      changes.allSatisfy({ $0.table == table })
    else { return nil }
    return told.rows(of: changes, in: table, title: "\(table.name): what these steps wrote")
  }
}

extension ToldSteps {
  private static let mostRows = 5

  /// The rows that changes wrote or removed, for a table of them; those with values that were not told are left out.
  ///
  /// Before a column that they changed stands what it was.
  func rows(of changes: [Change], in table: StoryTable, title: String) -> RelatedRows {
    let names = columns[table] ?? []
    let shown = changes.lazy.filter { change in
      !change.told.new.contains(nil) && !change.told.old.contains(nil)
    }.prefix(Self.mostRows)
    let changed = names.indices.filter { column in
      shown.contains { change in
        guard let old = change.told.old[safe: column], let new = change.told.new[safe: column] else {
          return false
        }
        return old != new
      }
    }
    func row(_ change: Change) -> [Story.Value] {
      let row = change.told.new.isEmpty ? change.told.old : change.told.new
      return row.enumerated().flatMap { column, value -> [Story.Value] in
        let old = change.told.old.isEmpty ? nil : change.told.old[safe: column]?.flatMap(\.self)
        return (changed.contains(column) ? [old ?? .null] : []) + [value ?? .null]
      }
    }
    return RelatedRows(
      table: table, title: title,
      columns: names.enumerated().flatMap { changed.contains($0) ? ["\($1) before", $1] : [$1] },
      rows: shown.map(row), count: changes.count)
  }
}

extension DatabaseValue {
  /// `nil` of NULL, which stands beside all others.
  fileprivate var storageClass: String? {
    switch self {
    case .null: nil
    case .integer: "integers"
    case .real: "reals"
    case .text: "texts"
    case .blob: "blobs"
    }
  }
}
