import Collector
import ReportModel
import ReportStory

/// The steps of a story that are shown where there are more than a reader can take in, and the page they stand on.
struct StorySelection {
  private let shown: Set<Int>
  /// The steps that have a line only.
  private let listed: Set<Int>
  /// The steps that stand on another page, and what leads to it.
  private let elsewhere: (steps: Set<Int>, page: String)?

  /// - Parameter items: Those of the page, of which steps that are not shown have a line.
  init(
    _ story: Story, listing items: [StoryItem] = [], elsewhere: (steps: Set<Int>, page: String)? = nil
  ) {
    let shown = story.shown ?? Self.shown(of: story)
    self.shown = shown
    let others = items.stepNumbers.filter { !shown.contains($0) }
    listed = Set(others.suffix(StoryBudget.listedSteps))
    self.elsewhere = elsewhere
  }

  /// The numbers of the steps to show: steps named elsewhere, then rare odd ones, those that hold a value of the
  /// message, writes, and the latest.
  static func shown(of story: Story) -> Set<Int> {
    let (steps, marks) = (story.steps, StoryValueMarks(story))
    guard steps.count > StoryBudget.shownSteps else { return Set(steps.map(\.number)) }
    var numbers: [[Int]] = [[], [], [], []]
    let rare = RareMarks(story)
    // A step that is odd again and again is no odder than other writes.
    for step in steps { numbers[rank(step, marks, rare)].append(step.number) }
    var shown = Set(numbers.lazy.flatMap { $0.reversed() }.prefix(StoryBudget.shownSteps))
    let odd = story.rareOddSteps { story.markText($0) }.groups.prefix(Story.mostOdd)
    // The one that is spoken of, and the others that are named.
    shown.formUnion(odd.flatMap { $0.others + $0.recent.suffix(1) }.map(\.number))
    let shownMarks = steps.lazy.filter { shown.contains($0.number) }.flatMap(\.marks)
    return shown.union(story.namedSteps(with: shownMarks)).intersection(numbers.joined())
  }

  func shows(_ step: StoryStep) -> Bool { shown.contains(step.number) }
  func lists(_ step: StoryStep) -> Bool { listed.contains(step.number) }

  /// True where a link to the step leads to it.
  func hasPage(of step: Int?) -> Bool { step.map { shown.contains($0) || listed.contains($0) } == true }

  /// The values for a link to a step; a page may not have it, or another one may.
  func values(linkTo step: Int?) -> TemplateValues {
    [
      "step": step, "isShown": hasPage(of: step),
      "elsewhere": step.flatMap { elsewhere?.steps.contains($0) == true ? elsewhere?.page : nil },
    ]
  }

  /// The values for the template `mark`: words around the number of a step that they name.
  func values(before: String, _ step: Int?, after: String) -> TemplateValues {
    var values = values(linkTo: step)
    values.set("before", to: visible(before))
    values.set("names", to: step != nil)
    values.set("after", to: visible(after))
    return values
  }

  /// 0 for odd ones, to 3 for reads.
  static func rank(_ step: StoryStep, _ marks: StoryValueMarks, _ rare: RareMarks) -> Int {
    if !rare[step].isEmpty || step.error != nil || step.isRunning { return 0 }
    if marks.steps.contains(step.number) { return 1 }
    return step.changes.isEmpty && step.consequences.isEmpty ? 3 : 2
  }
}

extension Story {
  /// Cuts the story to what outputs show.
  package mutating func cut() { cut(showing: StorySelection.shown(of: self)) }
}
