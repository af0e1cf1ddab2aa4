import ReportInspection
import ReportModel

/// The names of a comparison's operands, from message or source.
struct NamedOperands: Equatable {
  struct Side: Equatable {
    /// The expression; empty for a literal.
    var name: String
    /// `was` or `expected`, if known.
    var role: String?

    var text: String { [name, role ?? ""].filter { !$0.isEmpty }.joined(separator: " · ") }
  }

  var left: Side
  var right: Side

  init?(of issue: TestIssue, sources: [SourceReference: SourceExcerpt]) {
    guard case .comparison(let comparison) = FailureMessage(issue.message) else { return nil }
    let isUnnamed = comparison.left.label == "first" && comparison.right.label == "second"
    let call =
      isUnnamed ? issue.location.flatMap { sources[$0] }.flatMap { AssertionCall(in: $0.following) } : nil
    self.init(
      left: call?.left ?? comparison.left.label, right: call?.right ?? comparison.right.label,
      values: (comparison.left.value, comparison.right.value))
    if isUnnamed, call == nil { (left.role, right.role) = (nil, nil) }
  }

  /// If one operand is a literal, it is the expected one.
  init(left: String, right: String, values: (left: String, right: String)) {
    let (isLeft, isRight) = (AssertionCall.isLiteral(left), AssertionCall.isLiteral(right))
    func side(_ name: String, _ value: String, _ isLiteral: Bool, _ isOther: Bool) -> Side {
      Side(
        name: isLiteral && (name == value || name == "\"\(value)\"") ? "" : name,
        role: isLiteral == isOther ? nil : isLiteral ? "expected" : "was")
    }
    self.left = side(left, values.left, isLeft, isRight)
    self.right = side(right, values.right, isRight, isLeft)
  }

  /// The name for the labels `first` and `second`.
  func name(for label: String) -> String? {
    switch label {
    case "first": left.text
    case "second": right.text
    default: nil
    }
  }
}

extension SourceExcerpt {
  var following: [String] {
    call.isEmpty ? Array(lines.dropFirst(max(0, markedLine - firstLine))) : call
  }
}

extension FailureMessage.Difference {
  func naming(_ operands: NamedOperands?) -> FailureMessage.Difference {
    guard let operands else { return self }
    var difference = self
    (difference.leftLabel, difference.rightLabel) = (operands.left.text, operands.right.text)
    return difference
  }
}
