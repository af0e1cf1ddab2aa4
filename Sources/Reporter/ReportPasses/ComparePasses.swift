import Collector
package import ReportCauses
package import ReportModel
import ReportPlaces
package import ReportStory

/// A pass of a test with its steps.
package struct ToldPass: Sendable {
  package var origin: PassOrigin
  package var began: Double?
  package var told: ToldSteps
  /// Known differences between passes.
  package var varied: Set<PassVariation>

  package init(origin: PassOrigin, began: Double?, told: ToldSteps, varied: Set<PassVariation> = []) {
    (self.origin, self.began, self.told, self.varied) = (origin, began, told, varied)
  }

  /// The differences from another pass of the same code, with those known of its statements.
  ///
  /// - Returns: `nil` when the passes are too different.
  package func variations(to other: ToldPass, known: Set<PassVariation>) -> [PassVariation]? {
    guard let new = variations(to: other) else { return nil }
    let steps = told.steps + other.told.steps
    let statements = Set(steps.map { PassVariation(statement: $0.bareStatement, kind: "").statement })
    return new.sorted() + known.subtracting(new).filter { statements.contains($0.statement) }.sorted()
  }

  /// The differences from another pass of the same code; `nil` when too many.
  func variations(to other: ToldPass) -> Set<PassVariation>? {
    let shift = began.flatMap { began in other.began.map { began - $0 } }
    let stories = ComparedStories(
      told.withCounted, other.told.withCounted, expectedShift: shift, hasFailed: false)
    return stories.isTooDifferent ? nil : stories.variations
  }
}

/// A pass whose steps are read on demand.
package struct PassCandidate {
  package var origin: PassOrigin
  package var tell: () -> ToldPass?

  package init(origin: PassOrigin, tell: @escaping () -> ToldPass?) {
    (self.origin, self.tell) = (origin, tell)
  }
}

/// Compares a failed run with a pass; docs/passes.md describes method and sentences.
package struct ComparePasses: Sendable {
  private let failed: ToldSteps
  private let reads: FailingReads
  private let began: Double?
  private let source: @Sendable (String) -> [Substring]?
  private let hasFailed: Bool

  /// - Parameters:
  ///   - failed: The steps before the failure.
  ///   - hasFailed: False when comparing two passes.
  package init(
    _ failed: ToldSteps, _ reads: FailingReads, began: Double?, hasFailed: Bool = true,
    source: @escaping @Sendable (String) -> [Substring]?
  ) {
    (self.failed, self.reads, self.began, self.source) = (failed.withCounted, reads, began, source)
    self.hasFailed = hasFailed
  }

  package typealias Answer = (comparison: PassComparison, explanation: Explanation?)

  /// Compares with the first pass that is similar enough; differences between passes of the same code are ignored.
  ///
  /// - Returns: `nil` without a pass.
  package func compare(with passes: [PassCandidate]) -> Answer? {
    var (tooDifferent, passedOver): (Answer?, [PassOrigin]) = (nil, [])
    for (index, candidate) in passes.enumerated() where !failed.steps.isEmpty {
      // Others of the same code would be as different.
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
      // A short identifier may be the wrong value itself.
      let exact = ComparedStories(
        failed, pass.told, expectedShift: shift, masked: masked, hasFailed: hasFailed)
      let found = FirstDifference(in: exact, reads)
      if first == nil || found?.index ?? .max < first?.index ?? .max {
        (stories, first) = (exact, found)
      }
    }
    if !masked.isEmpty, isUnexplained {
      // Without other explanations, a varying difference may matter.
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

  /// The percentage of steps that a neighbouring test must share.
  private static let leastShared = 60

  /// Compares with the test that shares most steps, by statements and their outcome only, since values differ.
  ///
  /// - Returns: `nil` when none is similar, or the most similar has no difference.
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
