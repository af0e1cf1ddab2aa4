import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// A failed run and a pass of one test, step beside step, with all that is different.
struct ComparedStories {
  /// The steps at one place of both.
  struct Entry {
    enum Kind {
      case alike
      /// Both ran it, with a difference.
      case different(StepDifference)
      /// Only the failed run has it, or only the pass.
      case added, missing
      /// Both ran it alike, and not on the same side of another step that uses the same table.
      case moved
    }

    var failed: ToldSteps.Step?
    var passed: ToldSteps.Step?
    var kind: Kind
    /// A step that uses the same table, and on whose other side it stood in the pass.
    var crossed: ToldSteps.Step?

    var difference: StepDifference? {
      if case .different(let difference) = kind { difference } else { nil }
    }

    var isAlike: Bool { if case .alike = kind { true } else { false } }

    /// The failed run's, or what the pass alone has.
    var step: ToldSteps.Step? { failed ?? passed }

    /// True when only one run has it.
    var isAlone: Bool { failed == nil || passed == nil }

    /// True when it ran on the other side of such a step, and is different at most in how it is written.
    var isMoved: Bool {
      switch kind {
      case .moved: true
      case .different(let difference): crossed != nil && difference.kinds == [.text]
      default: false
      }
    }

    /// True when a step of both runs stood on its other side in the pass, and one writes what the other uses.
    fileprivate func isCrossed(by step: ToldSteps.Step, _ other: ToldSteps.Step) -> Bool {
      guard let failed, let passed, failed !== step, failed.database == step.database else { return false }
      return (failed.number < step.number) != (passed.number < other.number) && failed.touches(step)
    }
  }

  private(set) var entries: [Entry] = []
  let failed: ToldSteps
  let passed: ToldSteps
  /// By index of the pass's databases those of the failed run.
  let databases: [Int: Int]
  /// The databases that only the failed run had, and only the pass.
  let loneDatabases: (failed: Set<Int>, passed: Set<Int>)
  /// The connections of each that wrote.
  let writers: (failed: Set<Int>, passed: Set<Int>)

  /// True when both runs know the functions of their steps.
  let knowsFunctions: Bool

  /// True when a short identifier stands for another one, which may be a value that is wrong.
  private(set) var hasRenamedShort = false

  /// Stories of which less than a part in so many is alike are too different to be told beside each other.
  private static let leastAlike = 5
  /// Steps that are looked at, all in all, for what others were moved across.
  private static let mostCrossings = 50_000

  /// - Parameters:
  ///   - expectedShift: Seconds by which the failed run began later; `nil` where that is not known.
  ///   - masked: The differences between passes too.
  ///   - hasFailed: True when the first run ended at a failure: what the pass did behind it says nothing.
  ///   - short: Renames short identifiers too.
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
    // In the order of the failed run, so that what names a row comes behind what made it.
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

  /// The names of the tables that steps of either side changed or were about to, in lower case.
  var tableNames: Set<String> {
    var names: Set<String> = []
    for told in [failed, passed] {
      names.formUnion(told.columns.keys.map { $0.name.lowercased() })
      names.formUnion(told.steps.compactMap { $0.text.target?.lowercased() })
    }
    return names
  }

  /// Passes over what only has other values: what stays ran in one test alone, failed in one, or did nothing in one.
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

  /// The differences that a later comparison can pass over; none of steps whose values were withheld.
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

  /// Joins steps that ran on both sides at other places: harmless where nothing between uses their tables.
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

  /// Puts a step that is missing before those that came behind it in the pass and use its tables.
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

  /// Drops steps that one run alone has at its beginning, where first steps of a run were overwritten.
  ///
  /// Such steps say nothing; counted ones stay.
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

  /// The failed run ended at its failure; what the pass did behind it says nothing.
  private mutating func dropWhatFollows() {
    guard let last = entries.lastIndex(where: { $0.failed != nil }) else { return }
    entries.removeSubrange((last + 1)...)
  }
}

extension ToldSteps {
  /// The same with what is counted of the steps that are missing.
  var withCounted: ToldSteps {
    var all = self
    all.steps = counted + steps
    return all
  }

  /// True when its first steps are missing, counted ones aside.
  fileprivate var lacksSteps: Bool { steps.dropFirst(counted.count).first.map { $0.number > 1 } ?? false }

  fileprivate var writers: Set<Int> { Set(steps.lazy.filter { $0.text.isWrite }.map(\.recorded.connection)) }
}

extension ToldSteps.Step {
  /// The rows that it changed, whether they stand or were taken back.
  var written: [ToldSteps.Change] { changes + undone }

  /// Its statement on one line, with a mark in the place of each literal.
  var bareStatement: String {
    StatementText.withoutLiterals(sql, names: []).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// True when it says nothing of what a test does.
  fileprivate var isUntold: Bool { text.isHousekeeping }

  /// The tables that it may read or write, in lower case.
  var touched: Set<String> {
    var tables = text.names
    for change in written { tables.insert(change.table.name.lowercased()) }
    return tables
  }

  /// True when one of two writes what the other one uses.
  fileprivate func touches(_ other: ToldSteps.Step) -> Bool {
    let (own, others) = (writtenTables, other.writtenTables)
    return !own.isDisjoint(with: other.touched) || !others.isDisjoint(with: touched)
  }

  private var writtenTables: Set<String> {
    Set(written.map { $0.table.name.lowercased() } + (text.target.map { [$0.lowercased()] } ?? []))
  }
}
