import ReportModel
import ReportStory

/// Which steps of a story are shown where there are more than a reader can take in: those that are named elsewhere, then
/// odd ones, those that hold a value of the message, writes, and the latest.
struct StorySelection {
  private let told: Set<Int>
  private var hidden: Set<Int> = []

  init(_ story: Story, marks: StoryValueMarks, most: Int) {
    let steps = story.steps
    told = Set(steps.map(\.number))
    guard steps.count > most else { return }
    let odd = story.gatheredOddSteps(story.markText).groups.prefix(Story.mostOdd)
    let ranked = Self.ranked(steps, marks: marks)
    let shown = Set(ranked.prefix(most).map(\.number)).union(odd.flatMap(\.named).map(\.number))
    let shownMarks = steps.lazy.filter { shown.contains($0.number) }.flatMap(\.marks)
    hidden = told.subtracting(shown).subtracting(story.namedSteps(with: shownMarks))
  }

  /// Steps as they rank, the most telling first.
  static func ranked(_ steps: [StoryStep], marks: StoryValueMarks) -> [StoryStep] {
    steps.enumerated().sorted { one, other in
      let (first, second) = (rank(one.element, marks), rank(other.element, marks))
      return first != second ? first < second : one.offset > other.offset
    }.map(\.element)
  }

  func shows(_ step: StoryStep) -> Bool { !hidden.contains(step.number) }

  /// Whether a page has the step of that number, so that a link leads to it.
  func shows(number: Int?) -> Bool { number.map { told.contains($0) && !hidden.contains($0) } ?? false }

  /// What the template `mark` asks for: words around the number of a step that they name.
  func values(before: String, _ step: Int?, after: String) -> TemplateValues {
    [
      "before": visible(before), "names": step != nil, "step": step, "isShown": shows(number: step),
      "after": visible(after),
    ]
  }

  /// 0 for odd ones, to 3 for reads.
  static func rank(_ step: StoryStep, _ marks: StoryValueMarks) -> Int {
    if !step.marks.isEmpty || step.error != nil || step.isRunning { return 0 }
    if marks.steps.contains(step.number) { return 1 }
    return step.changes.isEmpty && step.consequences.isEmpty ? 3 : 2
  }
}

extension OddSteps {
  /// The one that is spoken of, and the others that are named.
  fileprivate var named: [StoryStep] { others + recent.suffix(1) }
}
