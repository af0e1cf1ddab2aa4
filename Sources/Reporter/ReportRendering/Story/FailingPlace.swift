import ReportModel
import ReportPlaces
import ReportStory

/// Where in the code the step ran that a test's failure is about, for outputs that have a line for it.
struct FailingPlace {
  private let kind: StoryHighlight.Kind
  let place: Place

  /// - Returns: `nil` where it is not known, or is the place of the failure itself.
  init?(of test: TestResult, in story: Story?) {
    guard let step = story?.failingStep,
      step.place.reference == nil || step.place.reference != test.leadingIssue?.location
    else { return nil }
    (kind, place) = (step.kind, step.place)
  }

  /// What stands before the place.
  var title: String {
    switch kind {
    case .failed: "statement failed at"
    case .read: "last read at"
    case .wrote: "last write at"
    }
  }

  /// `Last read at Depot.swift:212 in Depot.units(of:)`.
  var sentence: String { capitalized(title) + " " + shortened(place.lineFirst, to: 300) }
}

extension TestIssue {
  /// How its place is known, where the test library told none.
  var placeNote: String? {
    switch placeOrigin {
    case .framework: nil
    case .step: "by the stack of the step that failed"
    }
  }
}
