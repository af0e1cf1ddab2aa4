import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// The story of one test on its page, and on a page of its own what its set-up did where that is much.
struct StoryPart {
  /// Values of the message that are named before the steps.
  private static let mostValues = 5

  let story: Story
  let test: TestResult
  let context: PageContext
  let marks: StoryValueMarks
  let selection: StorySelection
  /// The reference of the page that has the set-up; `nil` where it stands with the other steps.
  let setUpPage: String?
  /// The numbers of the steps to which the lines of the test lead.
  let linked: Set<Int>
  /// The numbers of the steps that show the text of their source lines.
  let telling: Set<Int>

  /// - Parameter isOfSetUp: Whether it is told on the page of the set-up.
  /// - Returns: `nil` for a test without a story.
  init?(of test: TestResult, in context: PageContext, isOfSetUp: Bool = false) {
    guard let story = context.contents.stories[test.id] else { return nil }
    (self.story, self.test, self.context) = (story, test, context)
    marks = StoryValueMarks(story)
    linked = Set(story.lines.flatMap { line in [line.first] + line.called.map(\.first) }.compactMap { $0 })
    telling = Set(story.tellingSteps.map(\.number))
    setUpPage = context.setUpPath(of: test).flatMap(context.link(to:))
    let page = isOfSetUp ? context.link(toPageOf: test) : setUpPage
    let others = isOfSetUp ? story.items + story.afterFailure : story.setUp
    selection = StorySelection(
      story, elsewhere: page.map { (Set(others.steps.map(\.number)), $0) })
  }

  var values: TemplateValues {
    let (odd, hasOthers) = story.rareOddSteps { story.markText($0) }
    let rare = RareMarks(story)
    let lines = CodeLines(story: story, sources: context.contents.sourceLines)
      .values(selection, place: context.placeValues)
    let (highlights, why) = (highlightValues, whyValues)
    return [
      "why": why, "hasWhy": !why.isEmpty,
      // Where the cause is named, the lines are the way on; else what was written last is the best that is known.
      "areLinesFirst": !lines.isEmpty && !why.isEmpty,
      "areLinesLast": !lines.isEmpty && why.isEmpty, "codeLines": lines,
      "change": highlights.isEmpty ? visible(story.changeText) : nil,
      "highlights": highlights, "place": placeText,
      "origin": story.sourceText, "advice": story.advice,
      "notices": story.notices.map { visible($0) },
      "odd": odd.prefix(Story.mostOdd).map { oddValues($0, rare) }, "hasOdd": !odd.isEmpty,
      "hasMoreOdd": odd.count > Story.mostOdd || hasOthers,
      "messageValues": Array(messageValues(places: 1).prefix(Self.mostValues)),
      "hasMessageValues": !story.valuePlaces.isEmpty,
      "states": story.states.filter { $0.source == .uncommittedCopy || $0.source == .fixture }
        .map(stateValues),
      "passed": story.comparison.map(passValues), "all": allValues,
    ]
  }

  /// The databases that it is about.
  private var placeText: String? {
    let files = story.databases.filter { $0.path != nil }
    let names = (files.isEmpty ? story.databases : files).map(\.name)
    let more = names.count > 2 ? " and \(grouped(names.count - 2)) more" : ""
    return names.isEmpty ? nil : visibleOnOneLine(names.prefix(2).joined(separator: ", ") + more)
  }

  private func oddValues(_ odd: OddSteps, _ rare: RareMarks) -> TemplateValues {
    guard let step = odd.recent.last else { return [:] }
    let (others, unnamed) = (odd.others, odd.unnamedText)
    return [
      "number": step.number, "link": selection.values(linkTo: step.number),
      "marks": rare[step].enumerated().map { index, mark in
        let (before, other, after) = story.words(of: mark, in: step)
        return selection.values(
          before: visibleOnOneLine((index == 0 ? "" : "; ") + before), other, after: visibleOnOneLine(after))
      },
      "at": step.stack?.place.map(placeValues),
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
  func messageValues(places most: Int) -> [TemplateValues] {
    let operands = test.issues.first(where: \.isFailure).flatMap {
      NamedOperands(of: $0, sources: context.contents.sources)
    }
    return story.messageValues.enumerated().compactMap { index, value -> TemplateValues? in
      let places = story.valuePlaces.filter { $0.value == index }
      guard !places.isEmpty else { return nil }
      return [
        "sign": MessageValue.sign(index), "text": visibleOnOneLine(shortened(value.text, to: 60)),
        "role": visibleOnOneLine(shortened(value.roleText(operands), to: 60)),
        "places": places.prefix(most).map { place -> TemplateValues in
          [
            "text": visibleOnOneLine(story.text(of: place.place)),
            "link": selection.values(linkTo: place.place.step),
          ]
        },
      ]
    }
  }

  func placeValues(_ place: Place) -> TemplateValues {
    context.placeValues(place.reference, text: place.text)
  }

  private func stateValues(_ state: StoryStates) -> TemplateValues {
    [
      "name": visibleOnOneLine(state.name),
      "changes": changesValues(state.changes, baseline: nil, since: nil),
    ]
  }
}

extension PageContext {
  /// Entries of a set-up that stand on the test's page.
  private static let mostOfSetUp = 50

  /// Where the report has what a test's set-up did; `nil` where that stands on the test's page.
  func setUpPath(of test: TestResult) -> String? {
    guard single == nil, let story = contents.stories[test.id],
      story.setUp.reduce(0, { $0 + $1.entryCount }) > Self.mostOfSetUp
    else { return nil }
    return names.stem(of: test).map { "tests/\($0).set-up.html" }
  }
}

/// What the template `set-up-page` asks for; `nil` for a test without a set-up.
func setUpPageValues(of test: TestResult, in context: PageContext) -> TemplateValues? {
  guard let setUp = StoryPart(of: test, in: context, isOfSetUp: true)?.setUpValues else { return nil }
  var values = context.pageValues(
    title: "Set-up: \(shortened(test.title, to: 120)) · \(context.contents.report.title)")
  values.set("name", to: test.nameValues)
  values.set("testPage", to: context.link(toPageOf: test))
  values.set("setUp", to: setUp)
  return values
}

extension StoryItem {
  fileprivate var entryCount: Int {
    switch self {
    case .group(let group): group.entries.count
    case .repeated(let repeated): (repeated.first + repeated.last).reduce(0) { $0 + $1.entries.count }
    case .issue: 1
    }
  }
}
