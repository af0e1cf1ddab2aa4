/// A failure message, read as far as its wording is known.
package enum FailureMessage: Equatable {
  case comparison(Comparison)
  case difference(Difference)
  case verbatim

  package struct Comparison: Equatable {
    var headline: String
    package var left: Side
    package var right: Side
    var note: String?
  }

  package struct Side: Equatable {
    /// Its expression, or its place in the assertion.
    package var label: String
    package var value: String

    package init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }

  package struct Difference: Equatable {
    package var headline: String
    package var leftLabel: String
    package var rightLabel: String
    package var lines: [DiffLine]
    package var note: String?

    package init(
      headline: String, leftLabel: String, rightLabel: String, lines: [DiffLine], note: String? = nil
    ) {
      self.headline = headline
      self.leftLabel = leftLabel
      self.rightLabel = rightLabel
      self.lines = lines
      self.note = note
    }
  }

  /// Reads the wordings of corelibs XCTest, Swift Testing and swift-custom-dump, unless they are ambiguous.
  package init(_ text: String) {
    if text.utf8.count > Self.longestRead {
      self = .verbatim
    } else if let difference = readPrintedDifference(text) {
      self = .difference(difference)
    } else if let comparison = readEqualAssertion(text) ?? readExpectation(text) {
      self = .comparison(comparison)
    } else {
      self = .verbatim
    }
  }

  private static let longestRead = 128 * 1024

  package var difference: Difference? {
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
