import ReportModel
import ReportPlaces
import ReportStory

/// Scalars of one piece of a sentence.
private let longestPiece = 600

/// What may have caused the failure, on the test's page.
extension StoryPart {
  /// What the template `why` asks for.
  var whyValues: [TemplateValues] {
    story.explanations.map { explanation in
      [
        "certainty": explanation.certainty.rawValue,
        "certaintyText": explanation.certaintyText, "pieces": pieceValues(explanation.pieces),
        "rows": explanation.rows.map { rowValues($0, names: explanation.names) },
      ]
    }
  }

  /// What the template `pieces` asks for: a sentence with links to steps and places.
  func pieceValues(_ pieces: [Explanation.Piece]) -> [TemplateValues] { pieces.map(pieceValues) }

  private func pieceValues(_ piece: Explanation.Piece) -> TemplateValues {
    var values: TemplateValues = ["isPlain": false, "isStatement": false, "isStep": false, "at": nil]
    func shown(_ text: String) -> String { visibleOnOneLine(shortened(text, to: longestPiece)) }
    switch piece {
    case .text(let text), .values(let text, without: _):
      values.set("isPlain", to: true)
      values.set("text", to: shown(text))
    case .statement(let sql):
      values.set("isStatement", to: true)
      values.set("text", to: shown(Explanation.cut(sql)))
    case .place(let place):
      values.set("at", to: placeValues(place))
    case .step(let number), .number(let number):
      values.set("isStep", to: true)
      values.set("text", to: [piece].text)
      values.set("link", to: selection.values(linkTo: number))
    }
    return values
  }
}
