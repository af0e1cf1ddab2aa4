import ReportModel
import ReportStory

/// The meaning of the numbers in the data for `report.js`, as the beginning of that script: it has none of its own.
///
/// `codes.outcomes` has the outcomes at the places by which the data names them, which is their severity, `codes.has`
/// the bits of `TestMark`, `codes.housekeeping` the names of tables that are no app's and how such names begin, and
/// `codes.sentences` what the script says as the terminal does, with `#` for the number of a step, or for the reason.
func scriptCodes() -> String {
  let outcomes = Outcome.allCases.map { outcome in
    #"{"style":"\#(outcome.rawValue)","word":"\#(outcome.word)","symbol":"\#(outcome.symbol)","#
      + #""failure":\#(outcome.isFailure)}"#
  }
  let marks = TestMark.allCases.map { #""\#($0)":\#($0.rawValue)"# }
  let housekeeping = #"{"names":\#(list(housekeepingNames)),"prefixes":\#(list(housekeepingPrefixes))}"#
  let sentences = sharedSentences.map { name, sentence in #""\#(name)":"\#(sentence)""# }
  return """
    "use strict";
    const codes = {"outcomes":[\(outcomes.joined(separator: ","))],"has":{\(marks.joined(separator: ","))},\
    "housekeeping":\(housekeeping),"sentences":{\(sentences.joined(separator: ","))}};

    """
}

private func list(_ names: [String]) -> String { "[\(names.map { #""\#($0)""# }.joined(separator: ","))]" }

/// The number of a step that no story has, in place of any step's number.
private let anyStep = Int.max - 1

private var sharedSentences: KeyValuePairs<String, String> {
  func said(_ sentence: String) -> String { sentence.replacing("\(anyStep)", with: "#") }
  return [
    "missing": said(StateBound.missing(firstStep: anyStep).sentence),
    "unseen": said(StateBound.unseen(after: anyStep).sentence),
    "unseenAtEnd": StateBound.unseen(after: .max).sentence,
    "inserted": said(RowPast.Origin.insertedBy(step: anyStep).sentence),
    "before": said(RowPast.Origin.before(firstStep: anyStep).sentence),
    "untold": RowPast.Origin.untold("#"),
    "nowhere": RowPast.Origin.nowhere.sentence,
  ]
}
