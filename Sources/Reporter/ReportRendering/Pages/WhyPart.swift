import ReportModel
import ReportPlaces
import ReportStory

/// What may have caused the failure, on the test's page.
struct WhyPart {
  /// Scalars of one piece of a sentence.
  private static let longestPiece = 600

  let story: Story
  let rows: StoryRowTables
  let selection: StorySelection
  let context: PageContext

  /// What the template `why` asks for.
  var values: [TemplateValues] {
    story.explanations.map { explanation in
      [
        "certainty": explanation.certainty == .certain ? "certain" : "likely",
        "certaintyText": explanation.certaintyText, "pieces": explanation.pieces.map(values),
        "rows": explanation.rows.map { rows.values($0, names: explanation.names, selection) },
      ]
    }
  }

  private func values(_ piece: Explanation.Piece) -> TemplateValues {
    var values: TemplateValues = ["isPlain": false, "isStatement": false, "isStep": false, "at": nil]
    func shown(_ text: String) -> String { visibleOnOneLine(shortened(text, to: Self.longestPiece)) }
    switch piece {
    case .text(let text), .values(let text):
      values.set("isPlain", to: true)
      values.set("text", to: shown(text))
    case .statement(let sql):
      values.set("isStatement", to: true)
      values.set("text", to: shown(Explanation.cut(sql)))
    case .place(let place):
      values.set("at", to: context.placeValues(place.reference, text: place.text))
    case .step(let number), .number(let number):
      values.set("isStep", to: true)
      if case .number = piece {
        values.set("text", to: String(number))
      } else {
        values.set("text", to: "step \(number)")
      }
      values.set("link", to: selection.values(linkTo: number))
    }
    return values
  }
}
