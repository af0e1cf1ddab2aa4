package import ReportPlaces

/// The step that a failure is about: what failed, else what was read or written last.
package struct FailingStep: Sendable, Equatable {
  package var number: Int
  package var kind: StoryHighlight.Kind
  package var place: Place
}

extension Story {
  /// Without values; `nil` where none was recorded.
  package var failingStatement: String? {
    (highlights.last { $0.kind == .failed } ?? highlights.last).flatMap { self[step: $0.last]?.sql }
  }

  /// `nil` where its place is not known.
  package var failingStep: FailingStep? {
    guard let highlight = highlights.last(where: { $0.kind == .failed }) ?? highlights.last,
      let place = self[step: highlight.last]?.stack?.place
    else { return nil }
    return FailingStep(number: highlight.last, kind: highlight.kind, place: place)
  }
}
