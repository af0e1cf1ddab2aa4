/// What a failure message says, as far as its wording is known.
enum FailureMessage: Equatable {
  /// Two values that should have been equal.
  case comparison(Comparison)
  /// A difference that the test itself printed, line by line.
  case difference(Difference)
  /// Anything else.
  case verbatim

  struct Comparison: Equatable {
    /// What failed, without the values.
    var headline: String
    var left: Side
    var right: Side
    /// What the test's author wrote about it.
    var note: String?
  }

  struct Side: Equatable {
    /// What the value is called: its expression, or its place in the assertion.
    var label: String
    var value: String
  }

  struct Difference: Equatable {
    var headline: String
    var leftLabel: String
    var rightLabel: String
    var lines: [DiffLine]
    /// What follows the difference.
    var note: String?
  }

  /// Reads the wordings of corelibs XCTest, Swift Testing and swift-custom-dump.
  ///
  /// Where a value makes a wording ambiguous, the message stays verbatim.
  init(_ text: String) {
    guard text.utf8.count <= FailureMessage.longestRead else {
      self = .verbatim
      return
    }
    if let difference = readPrintedDifference(text) {
      self = .difference(difference)
    } else if let comparison = readEqualAssertion(text) ?? readExpectation(text) {
      self = .comparison(comparison)
    } else {
      self = .verbatim
    }
  }

  /// Longer messages are shown as they are, in bytes.
  private static let longestRead = 128 * 1024

  /// The message as a difference; `nil` where there is none to show.
  var difference: Difference? {
    switch self {
    case .difference(let difference): return difference
    case .comparison(let comparison):
      guard let lines = lineDiff(from: comparison.left.value, to: comparison.right.value) else { return nil }
      return Difference(
        headline: comparison.headline, leftLabel: comparison.left.label, rightLabel: comparison.right.label,
        lines: lines, note: comparison.note)
    case .verbatim: return nil
    }
  }
}
