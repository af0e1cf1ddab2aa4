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

  package init(origin: PassOrigin, began: Double?, told: ToldSteps) {
    (self.origin, self.began, self.told) = (origin, began, told)
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

  /// - Parameters:
  ///   - failed: The steps before the failure.
  ///   - reads: Where the failure shows.
  package init(
    _ failed: ToldSteps, _ reads: FailingReads, began: Double?,
    source: @escaping @Sendable (String) -> [Substring]?
  ) {
    (self.failed, self.reads, self.began, self.source) = (failed.withCounted, reads, began, source)
  }

  /// - Parameter passes: The first one is compared; what differs between it and the others varies anyway.
  /// - Returns: `nil` without a pass.
  package func compare(with passes: [ToldPass]) -> (comparison: PassComparison, explanation: Explanation?)? {
    let passes = passes.map { ToldPass(origin: $0.origin, began: $0.began, told: $0.told.withCounted) }
    guard let pass = passes.first, !failed.steps.isEmpty else { return nil }
    var masked: Set<ComparedStories.Slot> = []
    for other in passes.dropFirst() where other.origin == pass.origin {
      let varies = ComparedStories(pass.told, other.told, expectedShift: shift(pass.began, other.began))
      if !varies.isTooDifferent { masked.formUnion(varies.slots) }
    }
    let shift = shift(began, pass.began)
    var stories = ComparedStories(failed, pass.told, expectedShift: shift, masked: masked)
    var comparison = PassComparison(origin: pass.origin)
    guard !stories.isTooDifferent else {
      comparison.isTooDifferent = true
      return (comparison, nil)
    }
    var first = FirstDifference(in: stories, reads)
    var varies = false
    if !masked.isEmpty, first.map({ stories.entries[$0.index].isConsequence }) ?? true {
      // What varies anyway may be what matters.
      let all = ComparedStories(failed, pass.told, expectedShift: shift)
      if let found = FirstDifference(in: all, reads), first.map({ found.index < $0.index }) ?? true {
        (stories, first, varies) = (all, found, true)
      }
    }
    let words = DifferenceWords(stories, pass.origin)
    add(stories, words, first, to: &comparison)
    guard let first else { return (comparison, nil) }
    let entry = stories.entries[first.index]
    comparison.changes = ChangedCode(pass.origin, source: source).changes(at: entry)
    let explanation = words.explanation(
      of: first, followers: comparison.followers, changes: comparison.changes,
      isSure: first.isSure && !varies)
    return (comparison, explanation)
  }

  private func shift(_ began: Double?, _ other: Double?) -> Double? {
    guard let began, let other else { return nil }
    return began - other
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
