package import ReportModel
package import ReportPlaces

/// The differences of a failed test from a run that passed, step beside step.
package struct PassComparison: Sendable, Equatable {
  package var origin: PassOrigin
  /// What was alike is counted.
  package var rows: [Row] = []
  /// The first difference that reaches the failure.
  package var first: Int?
  package var alike = 0
  package var different = 0
  /// So little is alike that nothing more is told.
  package var isTooDifferent = false
  /// Numbers of later differences, by line.
  package var followers: [Followers] = []
  /// Sentences on the other differences.
  package var surroundings = ""
  /// Passes that were too different.
  package var passedOver: [PassOrigin] = []
  /// Changed lines on the stack of the first difference.
  package var changes: [ChangedLines] = []

  package init(origin: PassOrigin) {
    self.origin = origin
  }

  package struct Row: Sendable, Equatable {
    package var alike = 0
    /// `nil` where only the pass had it.
    package var failed: Side?
    /// `nil` where only the failed run had it.
    package var passed: Side?
    /// Without values where these are told apart.
    package var words: [Explanation.Piece] = []
    /// What to say beside both statements where their texts differ; `nil` where they do not.
    package var wordsBesideTexts: [Explanation.Piece]?
    package var related: RelatedRows?

    package init(alike: Int) {
      self.alike = alike
    }

    package init(failed: Side?, passed: Side?, words: [Explanation.Piece], related: RelatedRows?) {
      (self.failed, self.passed, self.words, self.related) = (failed, passed, words, related)
    }
  }

  package struct Side: Sendable, Equatable {
    package var number: Int
    package var statement: String
    package var place: Place?

    package init(number: Int, statement: String, place: Place?) {
      (self.number, self.statement, self.place) = (number, statement, place)
    }
  }

  package struct Followers: Sendable, Equatable {
    package var place: Place?
    package var count: Int

    package init(place: Place?, count: Int) {
      (self.place, self.count) = (place, count)
    }
  }
}

extension PassComparison {
  package var isOfSibling: Bool { if case .sibling = origin { true } else { false } }

  /// With place and statement, without values.
  package var firstDifference: String? {
    guard let first, rows.indices.contains(first), !isOfSibling else { return nil }
    let row = withoutValues.rows[first]
    guard let side = row.failed ?? row.passed else { return nil }
    let place = side.place.map { "\($0.text): " } ?? ""
    let namesIt = row.words.contains { if case .statement = $0 { true } else { false } }
    return place + (namesIt ? "" : "“\(Explanation.cut(side.statement))”: ") + row.words.text
  }

  package var withoutValues: PassComparison {
    var bare = self
    bare.removeValues([])
    return bare
  }

  /// - Parameter names: Of tables and columns, in lower case.
  mutating func removeValues(_ names: Set<String>) {
    for index in rows.indices {
      rows[index].related = nil
      rows[index].words = rows[index].words.withoutValues(names)
      for side in [\Row.failed, \Row.passed] {
        guard let statement = rows[index][keyPath: side]?.statement else { continue }
        rows[index][keyPath: side]?.statement = StatementText.withoutLiterals(statement, names: names)
      }
    }
    // Code may have values of the data: the place of a change is told, not its text.
    for index in changes.indices { changes[index].lines = [] }
  }
}
