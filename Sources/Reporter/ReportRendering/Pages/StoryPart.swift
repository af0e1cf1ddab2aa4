import Collector
import ReportInspection
import ReportModel
import ReportStory

/// What the template `story` asks for; `nil` for a test without a story.
func storyValues(of test: TestResult, in context: PageContext) -> TemplateValues? {
  guard let story = context.contents.stories[test.id] else { return nil }
  let file = test.evidence.last { $0.kind == .story }?.path.flatMap(context.link(to:))
  return StoryPart(story, test, sources: context.contents.sources).values(file: file)
}

/// The story of one test on its page.
struct StoryPart {
  /// Steps that a page shows.
  static let mostSteps = 300
  /// Values of the message that are named before the steps.
  private static let mostValues = 5

  let story: Story
  private let test: TestResult
  private let rows: StoryRowTables
  private let marks: StoryValueMarks
  private let selection: StorySelection
  private let operands: NamedOperands?

  init(_ story: Story, _ test: TestResult, sources: [SourceReference: SourceExcerpt] = [:]) {
    (self.story, self.test) = (story, test)
    operands = test.issues.first(where: \.isFailure).flatMap { NamedOperands(of: $0, sources: sources) }
    marks = StoryValueMarks(story)
    rows = StoryRowTables(story: story, marks: marks)
    selection = StorySelection(story, marks: marks, most: Self.mostSteps)
  }

  func values(file: String?) -> TemplateValues {
    let (odd, others) = story.gatheredOddSteps(story.markText)
    let highlights = HighlightValues(story, rows, selection).values
    return [
      "change": highlights.isEmpty ? visible(story.changeText) : nil,
      "highlights": highlights, "place": placeText,
      "origin": story.sourceText, "missing": story.missingText, "advice": story.advice,
      "notices": story.notices.map { visible($0) },
      "odd": odd.prefix(Story.mostOdd).map(oddValues), "hasOdd": !odd.isEmpty || others > 0,
      "moreOdd": moreOddText(
        odd.dropFirst(Story.mostOdd).reduce(others) { $0 + $1.recent.count + $1.earlier }, of: odd.isEmpty),
      "messageValues": Array(messageValues(places: 1).prefix(Self.mostValues)),
      "hasMessageValues": !story.valuePlaces.isEmpty,
      "states": story.states.filter { $0.source == .uncommittedCopy || $0.source == .fixture }
        .map(stateValues),
      "all": StoryStepsPart(story, test, marks, selection).values(
        file: file, messageValues: messageValues(places: .max)),
    ]
  }

  /// The databases that it is about.
  private var placeText: String? {
    let files = story.databases.filter { $0.path != nil }
    let names = (files.isEmpty ? story.databases : files).map(\.name)
    let more = names.count > 2 ? " and \(grouped(names.count - 2)) more" : ""
    return names.isEmpty ? nil : visibleOnOneLine(names.prefix(2).joined(separator: ", ") + more)
  }

  private func moreOddText(_ count: Int, of isAll: Bool) -> String? {
    guard count > 0 else { return nil }
    return "\(counted(count, isAll ? "earlier odd step" : "more odd step")), marked in"
  }

  private func oddValues(_ odd: OddSteps) -> TemplateValues {
    guard let step = odd.recent.last else { return [:] }
    let (others, unnamed) = (odd.others, odd.unnamedText)
    return [
      "number": step.number, "isShown": selection.shows(number: step.number),
      "marks": story.markWords(of: step).enumerated().map { index, words in
        selection.values(
          before: visibleOnOneLine((index == 0 ? "" : "; ") + words.before), words.step,
          after: visibleOnOneLine(words.after))
      },
      "statement": visibleOnOneLine(shortened(step.statement.trimmed, to: 120)),
      "others": others.enumerated().map { index, step in
        let isLast = unnamed == nil && index + 1 == others.count
        return selection.values(
          before: index == 0 ? ", likewise " : isLast ? " and " : ", ", step.number, after: "")
      },
      "unnamed": unnamed.map { (others.isEmpty ? ", likewise " : " and ") + $0 },
    ]
  }

  /// - Parameter places: How many of each value.
  private func messageValues(places most: Int) -> [TemplateValues] {
    story.messageValues.enumerated().compactMap { index, value -> TemplateValues? in
      let places = story.valuePlaces.filter { $0.value == index }
      guard !places.isEmpty else { return nil }
      return [
        "sign": MessageValue.sign(index), "text": visibleOnOneLine(shortened(value.text, to: 60)),
        "role": visibleOnOneLine(shortened(value.roleText(operands), to: 60)),
        "places": places.prefix(most).map { place -> TemplateValues in
          [
            "text": visibleOnOneLine(story.text(of: place.place)), "step": place.place.step,
            "isShown": selection.shows(number: place.place.step),
          ]
        },
      ]
    }
  }

  private func stateValues(_ state: StoryStates) -> TemplateValues {
    [
      "name": visibleOnOneLine(state.name),
      "changes": changesValues(state.changes, baseline: nil, since: nil),
    ]
  }
}
