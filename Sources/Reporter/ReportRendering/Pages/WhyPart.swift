import ReportModel
import ReportPlaces
import ReportStory

/// What may have caused the failure, on the test's page.
struct WhyPart {
  let story: Story
  let rows: StoryRowTables
  let selection: StorySelection
  let context: PageContext

  /// What the template `why` asks for.
  var values: [TemplateValues] {
    let words = PieceValues(selection: selection, context: context)
    return story.explanations.map { explanation in
      [
        "certainty": explanation.certainty.rawValue,
        "certaintyText": explanation.certaintyText, "pieces": words.values(explanation.pieces),
        "rows": explanation.rows.map { rows.values($0, names: explanation.names, selection) },
      ]
    }
  }
}

/// What the template `pieces` asks for: a sentence with links to steps and places.
struct PieceValues {
  /// Scalars of one piece of a sentence.
  private static let longestPiece = 600

  let selection: StorySelection
  let context: PageContext

  func values(_ pieces: [Explanation.Piece]) -> [TemplateValues] { pieces.map(values) }

  private func values(_ piece: Explanation.Piece) -> TemplateValues {
    var values: TemplateValues = ["isPlain": false, "isStatement": false, "isStep": false, "at": nil]
    func shown(_ text: String) -> String { visibleOnOneLine(shortened(text, to: Self.longestPiece)) }
    switch piece {
    case .text(let text), .values(let text, without: _):
      values.set("isPlain", to: true)
      values.set("text", to: shown(text))
    case .statement(let sql):
      values.set("isStatement", to: true)
      values.set("text", to: shown(Explanation.cut(sql)))
    case .place(let place):
      values.set("at", to: context.placeValues(place.reference, text: place.text))
    case .step(let number), .number(let number):
      values.set("isStep", to: true)
      values.set("text", to: [piece].text)
      values.set("link", to: selection.values(linkTo: number))
    }
    return values
  }
}
