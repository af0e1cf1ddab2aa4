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

  /// - Parameter passes: The first one is compared; what differs between it and the others varies anyway.
  /// - Returns: `nil` without a pass.
  package func compare(with passes: [ToldPass]) -> (comparison: PassComparison, explanation: Explanation?)? {
    guard var pass = passes.first, !failed.steps.isEmpty else { return nil }
    var masked = pass.varied
    for other in passes.dropFirst() where other.origin == pass.origin {
      masked.formUnion(pass.variations(to: other) ?? [])
    }
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
    add(stories, words, first, to: &comparison)
    guard let first else { return (comparison, nil) }
    let entry = stories.entries[first.index]
    let code = ChangedCode(origin: pass.origin, source: source)
    let onStack = code.changes(at: entry)
    comparison.changes = onStack.isEmpty ? code.few : onStack
    let explanation = words.explanation(
      of: first, followers: comparison.followers, changes: comparison.changes,
      areOnStack: !onStack.isEmpty, varies: varies)
    return (comparison, explanation)
  }

  /// Rows of a comparison with a difference that are told.
  private static let mostRows = 400

  private func add(
    _ stories: ComparedStories, _ words: DifferenceWords, _ first: FirstDifference?,
    to comparison: inout PassComparison
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
      if comparison.rows.count < Self.mostRows || index == first?.index {
        if index == first?.index { comparison.first = comparison.rows.count }
        comparison.rows.append(words.row(entry))
      }
      guard let first, index > first.index else { continue }
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
