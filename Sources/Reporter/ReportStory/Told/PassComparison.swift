package import ReportModel
package import ReportPlaces

/// The differences of a failed test from a run of it that passed, step beside step.
package struct PassComparison: Sendable, Equatable {
  /// The origin of the pass.
  package var origin: PassOrigin
  /// In the order of the failed run; what was alike is counted.
  package var rows: [Row] = []
  /// The index in `rows` of the first difference that reaches the failure; `nil` where none does.
  package var first: Int?
  /// Steps that were alike.
  package var alike = 0
  /// Rows with a difference.
  package var different = 0
  /// True when so little is alike that nothing more is told.
  package var isTooDifferent = false
  /// The numbers of differences behind the first one, by the lines that made them, the first line first.
  package var followers: [Followers] = []
  /// Sentences on the differences before the first one and behind it.
  package var surroundings = ""
  /// The passes that were too different, before the one that is compared.
  package var passedOver: [PassOrigin] = []
  /// Lines of code on the stack of the first difference that have changed since.
  package var changes: [ChangedLines] = []

  package init(origin: PassOrigin) {
    self.origin = origin
  }

  /// Steps at one place of both stories.
  package struct Row: Sendable, Equatable {
    /// Adjacent steps that are alike; 0 for a difference.
    package var alike = 0
    /// `nil` where only the pass had it.
    package var failed: Side?
    /// `nil` where only the failed run had it.
    package var passed: Side?
    /// The difference in words, without values where these are told apart.
    package var words: [Explanation.Piece] = []
    /// Rows of a table or a result then and now, where they are told.
    package var related: RelatedRows?

    package init(alike: Int) {
      self.alike = alike
    }

    package init(failed: Side?, passed: Side?, words: [Explanation.Piece], related: RelatedRows?) {
      (self.failed, self.passed, self.words, self.related) = (failed, passed, words, related)
    }
  }

  /// A step on one side.
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
  /// True for a comparison with another test, as nobody knows a pass of this one.
  package var isOfSibling: Bool { if case .sibling = origin { true } else { false } }

  /// The first difference that reaches the failure, with its place and statement, without values; `nil` where none does.
  package var firstDifference: String? {
    guard let first, rows.indices.contains(first), !isOfSibling else { return nil }
    let row = withoutValues.rows[first]
    guard let side = row.failed ?? row.passed else { return nil }
    let place = side.place.map { "\($0.text): " } ?? ""
    let namesIt = row.words.contains { if case .statement = $0 { true } else { false } }
    return place + (namesIt ? "" : "“\(Explanation.cut(side.statement))”: ") + row.words.text
  }

  /// For readers who may not see what is in the rows.
  package var withoutValues: PassComparison {
    var bare = self
    bare.removeValues([])
    return bare
  }

  /// - Parameter names: Names of tables and columns, in lower case: no values although they stand in quotes.
  mutating func removeValues(_ names: Set<String>) {
    for index in rows.indices {
      rows[index].related = nil
      rows[index].words = rows[index].words.withoutValues(names)
      for side in [\Row.failed, \Row.passed] {
        guard let statement = rows[index][keyPath: side]?.statement else { continue }
        rows[index][keyPath: side]?.statement = StatementText.withoutLiterals(statement, names: names)
      }
    }
    // The code may have values of the data too, and is the reader's own: the place of a change is told, and not its text.
    for index in changes.indices { changes[index].lines = [] }
  }
}
