/// What the numbers in the data for `report.js` mean, as the beginning of that script: it has none of its own.
///
/// `codes.outcomes` has the outcomes at the places by which the data names them, `codes.has` the bits of `TestMarks`.
func scriptCodes() -> String {
  let outcomes = Outcome.allCases.sorted { $0.severity < $1.severity }.map { outcome in
    #"{"style":"\#(outcome.rawValue)","word":"\#(outcome.word)","symbol":"\#(outcome.symbol)","#
      + #""failure":\#(outcome.isFailure)}"#
  }
  let marks = TestMarks.names.map { name, mark in #""\#(name)":\#(mark.rawValue)"# }
  return """
    "use strict";
    const codes = {"outcomes":[\(outcomes.joined(separator: ","))],"has":{\(marks.joined(separator: ","))}};

    """
}
