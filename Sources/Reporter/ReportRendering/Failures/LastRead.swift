import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// A sentence on the last read, for failures such as `#expect(try f() == 5)` whose message has no value.
///
/// - Returns: `nil` unless a literal was compared and the read was on the failing line.
func lastReadText(of issue: TestIssue, _ story: Story?) -> String? {
  let opening = "Expectation failed: "
  guard let story, issue.isFailure, issue.message.hasPrefix(opening),
    let read = story.highlights.last(where: { $0.kind == .read }), let step = story[step: read.last],
    let line = story.lines.last(where: \.isFailure), line.place?.reference == issue.location,
    let last = line.last, line.first.map({ $0 <= step.number && step.number <= last }) == true
  else { return nil }
  let expression = firstLine(issue.message).dropFirst(opening.count)
  guard expression.places(of: " → ").isEmpty, let sign = expression.places(of: " == ").last else {
    return nil
  }
  let sides = [expression[..<sign.lowerBound], expression[sign.upperBound...]]
  guard sides.count(where: { AssertionCall.isLiteral(String($0)) }) == 1 else { return nil }
  let isCount = sides.contains { $0.hasSuffix(".count") }
  let value = isCount ? step.rows.map { counted($0, "row") } : step.onlyValue
  return value.map {
    "The message tells no value. The last read on this line, step \(step.number), returned \($0)."
  }
}
