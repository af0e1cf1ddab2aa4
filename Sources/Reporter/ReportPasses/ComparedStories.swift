import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// The aligned steps of a failed run and a pass, with their differences.
struct ComparedStories {
  /// A step of one run or of both.
  struct Entry {
    enum Kind {
      case alike
      case different(StepDifference)
      /// Only in the failed run, only in the pass.
      case added, missing
      /// Equal, but on the other side of a step that uses the same table.
      case moved
    }

    var failed: ToldSteps.Step?
    var passed: ToldSteps.Step?
    var kind: Kind
    /// Such a step, which it moved across.
    var crossed: ToldSteps.Step?

    var difference: StepDifference? {
      if case .different(let difference) = kind { difference } else { nil }
    }

    var isAlike: Bool { if case .alike = kind { true } else { false } }

    var step: ToldSteps.Step? { failed ?? passed }

    var isAlone: Bool { failed == nil || passed == nil }

    /// True when it moved across such a step and differs at most in its text.
    var isMoved: Bool {
      switch kind {
      case .moved: true
      case .different(let difference): crossed != nil && difference.kinds == [.text]
      default: false
      }
    }

    /// True when it moved across a step, and one writes what the other uses.
    fileprivate func isCrossed(by step: ToldSteps.Step, _ other: ToldSteps.Step) -> Bool {
      guard let failed, let passed, failed !== step, failed.database == step.database else { return false }
      return (failed.number < step.number) != (passed.number < other.number) && failed.touches(step)
    }
  }

  private(set) var entries: [Entry] = []
  let failed: ToldSteps
  let passed: ToldSteps
  let databases: [Int: Int]
  /// Databases of only one run.
  let loneDatabases: (failed: Set<Int>, passed: Set<Int>)
  let writers: (failed: Set<Int>, passed: Set<Int>)

  /// True when the stacks of both runs are known.
  let knowsFunctions: Bool

  /// True when short identifiers were equated, which may hide a wrong value.
  private(set) var hasRenamedShort = false

  /// Below one equal step in so many, stories are too different to compare.
  private static let leastAlike = 5
  private static let mostCrossings = 50_000

  /// - Parameters:
  ///   - expectedShift: Seconds between the starts of both runs, if known.
  ///   - masked: Differences that also occur between passes.
  ///   - hasFailed: True for a failure; later steps of the pass then do not count.
  ///   - short: Equates short identifiers too.
  init(
    _ failed: ToldSteps, _ passed: ToldSteps, expectedShift: Double?, masked: Set<PassVariation> = [],
    hasFailed: Bool = true, short: Bool = false
  ) {
    (self.failed, self.passed) = (failed, passed)
    let match = StepMatch(failed, passed)
    (databases, loneDatabases, knowsFunctions) = (match.databases, match.lone, match.usesPlaces)
    writers = (failed.writers, passed.writers)
    var renaming = Renaming(failed, passed, expectedShift: expectedShift, short: short)
    var moved = MovedSteps(failed, passed, match.keyPairs, usesPlaces: match.usesPlaces)
    for pair in moved.takeApart(match.pairs) {
      let (one, two) = (pair.failed.map { failed.steps[$0] }, pair.passed.map { passed.steps[$0] })
      guard let step = one ?? two, !step.isUntold else { continue }
      entries.append(
        Entry(failed: one, passed: two, kind: one == nil ? .missing : two == nil ? .added : .alike))
    }
    join(&moved)
    // In the failed run's order, since keys are bound where rows are made.
    for index in entries.indices {
      guard let one = entries[index].failed, let two = entries[index].passed else { continue }
      let difference = StepDifference(one, two, databases: databases, in: failed, passed, &renaming)
      entries[index].kind =
        !difference.kinds.isEmpty
        ? .different(difference) : entries[index].crossed == nil ? .alike : .moved
    }
    hasRenamedShort = renaming.hasRenamedShort
    if hasFailed { dropWhatFollows() }
    dropWhatIsMissing()
    for index in entries.indices
    where !masked.isEmpty && variations(of: entries[index]).isSubset(of: masked) {
      entries[index].kind = .alike
    }
  }

  var tableNames: Set<String> {
    var names: Set<String> = []
    for told in [failed, passed] {
      names.formUnion(told.columns.keys.map { $0.name.lowercased() })
      names.formUnion(told.steps.compactMap { $0.text.target?.lowercased() })
    }
    return names
  }

  /// Ignores differing values, and keeps steps of one run only, with another error, or with an effect in one run only.
  mutating func keepOnlyOtherWays() {
    for index in entries.indices {
      guard let failed = entries[index].failed, let passed = entries[index].passed else { continue }
      func isOther(_ value: (ToldSteps.Step) -> Bool) -> Bool { value(failed) != value(passed) }
      let isOtherWay =
        isOther { $0.recorded.error != nil } || isOther { $0.recorded.rows ?? 0 > 0 }
        || isOther { !$0.written.isEmpty || $0.recorded.changed ?? 0 > 0 }
      if !isOtherWay || entries[index].isMoved { entries[index].kind = .alike }
    }
  }

  var isTooDifferent: Bool {
    let both = entries.count { $0.failed != nil && $0.passed != nil }
    return both * Self.leastAlike
      < min(failed.steps.count { !$0.isUntold }, passed.steps.count { !$0.isUntold })
  }

  /// Differences for later comparisons to ignore; none of withheld values.
  var variations: Set<PassVariation> {
    entries.reduce(into: []) { all, entry in
      let isWithheld = [entry.failed, entry.passed].contains { $0?.recorded.isWithheld == true }
      if !isWithheld { all.formUnion(variations(of: entry)) }
    }
  }

  private func variations(of entry: Entry) -> Set<PassVariation> {
    func variations(_ kinds: some Sequence<String>) -> Set<PassVariation> {
      let statement = entry.step?.bareStatement ?? ""
      return Set(kinds.map { PassVariation(statement: statement, kind: $0) })
    }
    switch entry.kind {
    case .alike: return []
    case .added, .missing: return variations(["presence"])
    case .moved: return variations(["order"])
    case .different(let difference): return variations(difference.kinds.map(\.words))
    }
  }

  // MARK: - The same at another place

  /// Pairs steps that ran elsewhere; a move matters if a step between uses their tables.
  private mutating func join(_ moved: inout MovedSteps) {
    let alone = entries.indices.filter { entries[$0].isAlone }
    let partners = moved.partners(
      alone.compactMap { index in entries[index].failed.map { (index, $0) } },
      alone.compactMap { index in entries[index].passed.map { (index, $0) } })
    for (index, place) in partners { entries[index].passed = entries[place].passed }
    var crossings = Self.mostCrossings
    for index in partners.keys.sorted() {
      guard let place = partners[index], let step = entries[index].failed, let other = entries[index].passed
      else { continue }
      let between = entries[min(index, place)...max(index, place)].prefix(crossings)
      crossings -= between.count
      entries[index].crossed = between.first { $0.isCrossed(by: step, other) }?.failed
    }
    let removed = Set(partners.values)
    entries = entries.indices.filter { !removed.contains($0) }.map { entries[$0] }
    if !removed.isEmpty { putMissingFirst(&crossings) }
  }

  /// Moves a missing step before later ones that use its tables.
  private mutating func putMissingFirst(_ looks: inout Int) {
    for index in entries.indices {
      guard let step = entries[index].passed, entries[index].failed == nil else { continue }
      var place = index
      for other in entries[..<index].indices.reversed() {
        looks -= 1
        guard looks > 0 else { return }
        guard let passed = entries[other].passed, entries[other].failed != nil,
          passed.number > step.number, passed.database == step.database, passed.touches(step)
        else { continue }
        place = other
      }
      if place < index { entries.insert(entries.remove(at: index), at: place) }
    }
  }

  /// Drops steps before the trace's overwritten beginning; counted ones stay.
  private mutating func dropWhatIsMissing() {
    guard failed.lacksSteps || passed.lacksSteps else { return }
    let counted = Set((failed.counted + passed.counted).map(ObjectIdentifier.init))
    func isCounted(_ entry: Entry) -> Bool {
      [entry.failed, entry.passed].contains { $0.map { counted.contains(ObjectIdentifier($0)) } ?? false }
    }
    let first =
      entries.firstIndex { $0.failed != nil && $0.passed != nil && !isCounted($0) } ?? entries.endIndex
    entries = entries[..<first].filter(isCounted) + entries[first...]
  }

  /// Drops the pass's steps after the failure.
  private mutating func dropWhatFollows() {
    guard let last = entries.lastIndex(where: { $0.failed != nil }) else { return }
    entries.removeSubrange((last + 1)...)
  }
}

extension ToldSteps {
  /// With counted steps in place of missing ones.
  var withCounted: ToldSteps {
    var all = self
    all.steps = counted + steps
    return all
  }

  fileprivate var lacksSteps: Bool { steps.dropFirst(counted.count).first.map { $0.number > 1 } ?? false }

  fileprivate var writers: Set<Int> { Set(steps.lazy.filter { $0.text.isWrite }.map(\.recorded.connection)) }
}

extension ToldSteps.Step {
  /// All rows it changed, even if rolled back.
  var written: [ToldSteps.Change] { changes + undone }

  /// Its statement on one line without literals.
  var bareStatement: String {
    StatementText.withoutLiterals(sql, names: []).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  fileprivate var isUntold: Bool { text.isHousekeeping }

  var touched: Set<String> {
    var tables = text.names
    for change in written { tables.insert(change.table.name.lowercased()) }
    return tables
  }

  /// True when one writes what the other uses.
  fileprivate func touches(_ other: ToldSteps.Step) -> Bool {
    let (own, others) = (writtenTables, other.writtenTables)
    return !own.isDisjoint(with: other.touched) || !others.isDisjoint(with: touched)
  }

  private var writtenTables: Set<String> {
    Set(written.map { $0.table.name.lowercased() } + (text.target.map { [$0.lowercased()] } ?? []))
  }
}
