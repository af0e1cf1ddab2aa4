import Collector
package import ReportCauses
package import ReportModel
import ReportPlaces
package import ReportStory

/// A pass of a test, told like its failed run.
package struct ToldPass: Sendable {
  package var origin: PassOrigin
  /// Seconds since 1970 when the test began; `nil` where that is not known.
  package var began: Double?
  package var told: ToldSteps
  /// The known differences between passes of the test.
  package var varied: Set<PassVariation>

  package init(origin: PassOrigin, began: Double?, told: ToldSteps, varied: Set<PassVariation> = []) {
    (self.origin, self.began, self.told, self.varied) = (origin, began, told, varied)
  }

  /// Finds the differences from an earlier pass of the same code, then adds those known of its statements.
  ///
  /// - Returns: `nil` where the two are too different.
  package func variations(to other: ToldPass, known: Set<PassVariation>) -> [PassVariation]? {
    guard let new = variations(to: other) else { return nil }
    let steps = told.steps + other.told.steps
    let statements = Set(steps.map { PassVariation(statement: $0.bareStatement, kind: "").statement })
    return new.sorted() + known.subtracting(new).filter { statements.contains($0.statement) }.sorted()
  }

  /// The differences from another pass of the same code; `nil` where they are too different.
  func variations(to other: ToldPass) -> Set<PassVariation>? {
    let shift = began.flatMap { began in other.began.map { began - $0 } }
    let stories = ComparedStories(
      told.withCounted, other.told.withCounted, expectedShift: shift, hasFailed: false)
    return stories.isTooDifferent ? nil : stories.variations
  }
}

/// A pass of a test whose story is told when it is needed.
package struct PassCandidate {
  package var origin: PassOrigin
  /// `nil` where its story cannot be read.
  package var tell: () -> ToldPass?

  package init(origin: PassOrigin, tell: @escaping () -> ToldPass?) {
    (self.origin, self.tell) = (origin, tell)
  }
}

/// Compares a failed run with a pass: docs/passes.md tells how, and what the sentences mean.
package struct ComparePasses: Sendable {
  private let failed: ToldSteps
  private let reads: FailingReads
  /// Seconds since 1970 when the failed run began; `nil` where that is not known.
  private let began: Double?
  /// The lines of a source file of the package; `nil` for one that cannot be read.
  private let source: @Sendable (String) -> [Substring]?
  private let hasFailed: Bool

  /// - Parameters:
  ///   - failed: The steps before the failure.
  ///   - reads: The reads in which the failure shows.
  ///   - hasFailed: False where it is a pass itself that is compared with another one.
  package init(
    _ failed: ToldSteps, _ reads: FailingReads, began: Double?, hasFailed: Bool = true,
    source: @escaping @Sendable (String) -> [Substring]?
  ) {
    (self.failed, self.reads, self.began, self.source) = (failed.withCounted, reads, began, source)
    self.hasFailed = hasFailed
  }

  package typealias Answer = (comparison: PassComparison, explanation: Explanation?)

  /// Compares with the first pass that is not of a test too different; what differs between it and others of the same code
  /// varies anyway.
  ///
  /// - Returns: `nil` without a pass.
  package func compare(with passes: [PassCandidate]) -> Answer? {
    var (tooDifferent, passedOver): (Answer?, [PassOrigin]) = (nil, [])
    for (index, candidate) in passes.enumerated() where !failed.steps.isEmpty {
      // Another one of the same code would be as different.
      if passedOver.contains(where: { $0.hasCode(of: candidate.origin) }) { continue }
      guard let pass = candidate.tell() else { continue }
      let others = passes[(index + 1)...].lazy.filter { $0.origin.hasCode(of: pass.origin) }
      var found = compare(with: pass) { others.compactMap { $0.tell() } }
      if !found.comparison.isTooDifferent {
        found.comparison.passedOver = passedOver
        return found
      }
      passedOver.append(pass.origin)
      tooDifferent = tooDifferent ?? found
    }
    return tooDifferent
  }

  /// - Parameter others: Passes of the same code.
  private func compare(with pass: ToldPass, _ others: () -> [ToldPass]) -> Answer {
    var (pass, masked) = (pass, pass.varied)
    for other in others() { masked.formUnion(pass.variations(to: other) ?? []) }
    let shift = began.flatMap { began in pass.began.map { began - $0 } }
    pass.told = pass.told.withCounted
    var stories = ComparedStories(
      failed, pass.told, expectedShift: shift, masked: masked, hasFailed: hasFailed, short: true)
    var comparison = PassComparison(origin: pass.origin)
    guard !stories.isTooDifferent else {
      comparison.isTooDifferent = true
      return (comparison, nil)
    }
    var first = FirstDifference(in: stories, reads)
    var varies = false
    var isUnexplained: Bool { first.map { stories.entries[$0.index].isConsequence } ?? true }
    if stories.hasRenamedShort, isUnexplained {
      // Such an identifier may be a value that is wrong.
      let exact = ComparedStories(
        failed, pass.told, expectedShift: shift, masked: masked, hasFailed: hasFailed)
      let found = FirstDifference(in: exact, reads)
      if first == nil || found?.index ?? .max < first?.index ?? .max {
        (stories, first) = (exact, found)
      }
    }
    if !masked.isEmpty, isUnexplained {
      // A difference that varies anyway may be the one that matters.
      let all = ComparedStories(failed, pass.told, expectedShift: shift, hasFailed: hasFailed)
      if let found = FirstDifference(in: all, reads), first.map({ found.index < $0.index }) ?? true {
        (stories, first, varies) = (all, found, true)
      }
    }
    let words = DifferenceWords(stories, pass.origin)
    add(stories, words, first: first?.index, to: &comparison)
    comparison.surroundings =
      DifferenceSurroundings.words(of: first, in: stories, comparison.followers).pieces.text
    guard let first else { return (comparison, nil) }
    let entry = stories.entries[first.index]
    let code = ChangedCode(origin: pass.origin, source: source)
    let onStack = code.changes(at: entry)
    comparison.changes = onStack.isEmpty ? code.few : onStack
    let explanation = words.explanation(
      of: first, changes: comparison.changes, areOnStack: !onStack.isEmpty, varies: varies)
    return (comparison, explanation)
  }

  // MARK: - With tests beside it

  /// Of a hundred steps of the failed test, how many another test has to run too at the same places.
  private static let leastShared = 60

  /// Compares with the test beside it that shares most of its steps, by its statements and what became of them alone: each
  /// has values of its own.
  ///
  /// - Returns: `nil` where none shares enough, or the one that does most does all of it.
  package func compare(withSiblings candidates: [PassCandidate]) -> Answer? {
    guard !failed.steps.isEmpty else { return nil }
    var best: (stories: ComparedStories, test: TestCaseID, shared: Int)?
    for candidate in candidates {
      guard case .sibling(let test) = candidate.origin, let pass = candidate.tell() else { continue }
      let stories = ComparedStories(failed, pass.told.withCounted, expectedShift: nil)
      let own = stories.entries.count(where: { $0.failed != nil })
      let shared = stories.entries.count(where: { $0.failed != nil && $0.passed != nil })
      guard shared * 100 >= own * Self.leastShared, shared > best?.shared ?? 0 else { continue }
      best = (stories, test, shared)
    }
    guard var best else { return nil }
    best.stories.keepOnlyOtherWays()
    guard let index = best.stories.entries.firstIndex(where: { !$0.isAlike }) else { return nil }
    var comparison = PassComparison(origin: .sibling(best.test))
    add(best.stories, DifferenceWords(best.stories, comparison.origin), first: index, to: &comparison)
    comparison.surroundings =
      " " + SiblingWords.sentence(at: index, in: best.stories, besides: best.test).pieces.text
    return (comparison, nil)
  }

  /// Rows of a comparison with a difference that are told.
  private static let mostRows = 400

  private func add(
    _ stories: ComparedStories, _ words: DifferenceWords, first: Int?, to comparison: inout PassComparison
  ) {
    var (followers, places): ([PassComparison.Followers], [String: Int]) = ([], [:])
    for (index, entry) in stories.entries.enumerated() {
      if entry.isAlike {
        comparison.alike += 1
        if let last = comparison.rows.indices.last, comparison.rows[last].alike > 0 {
          comparison.rows[last].alike += 1
        } else {
          comparison.rows.append(.init(alike: 1))
        }
        continue
      }
      comparison.different += 1
      if comparison.rows.count < Self.mostRows || index == first {
        if index == first { comparison.first = comparison.rows.count }
        comparison.rows.append(words.row(entry))
      }
      guard let first, index > first else { continue }
      let place = entry.step?.place
      let line = place?.text ?? ""
      if let known = places[line] {
        followers[known].count += 1
      } else {
        places[line] = followers.count
        followers.append(.init(place: place, count: 1))
      }
    }
    comparison.followers = followers
  }
}
