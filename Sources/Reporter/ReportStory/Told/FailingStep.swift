package import ReportPlaces

/// The step that a failure is about: a statement that failed, else what was read or written last before it.
package struct FailingStep: Sendable, Equatable {
  package var number: Int
  package var kind: StoryHighlight.Kind
  /// The innermost of the package's own places that led to it.
  package var place: Place
}

extension Story {
  /// The statement that failed or was done last before the failure, without its values; `nil` where none was recorded.
  package var failingStatement: String? {
    (highlights.last { $0.kind == .failed } ?? highlights.last).flatMap { self[step: $0.last]?.sql }
  }

  /// The step that the first failure is about; `nil` where its place is not known.
  package var failingStep: FailingStep? {
    guard let highlight = highlights.last(where: { $0.kind == .failed }) ?? highlights.last,
      let place = self[step: highlight.last]?.stack?.frames.first?.place
    else { return nil }
    return FailingStep(number: highlight.last, kind: highlight.kind, place: place)
  }
}
