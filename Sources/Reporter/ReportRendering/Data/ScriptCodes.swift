import ReportModel
import ReportStory

/// The constants for `report.js`, placed before it.
///
/// `codes.outcomes` lists outcomes by severity, `codes.has` the bits of `TestMark`, `codes.housekeeping` names and
/// prefixes of framework tables, `codes.sentences` shared sentences with `#` for a step number or reason.
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
