import ReportModel
package import ReportPlaces

/// A sentence of Why: what may have caused the failure, with rows, place and step.
package struct Explanation: Sendable, Equatable {
  package enum Certainty: String, Sendable {
    /// The test passes where only this is changed.
    case proven
    /// It follows from what was recorded alone.
    case certain
    /// A rule that few rows break, or numbers that would hardly agree by chance.
    case likely
    /// What experiments had no answer to.
    case tried
  }

  /// A part of a sentence.
  package enum Piece: Sendable, Equatable {
    case text(String)
    /// The text of a statement.
    case statement(String)
    /// `step 12`.
    case step(Int)
    /// The number of a step alone.
    case number(Int)
    case place(Place)
    /// A conclusion from values of rows, and the text in its place for readers who may not see them.
    case values(String, without: String = "")
  }

  /// A sentence or a part of one, as a text with what it names.
  ///
  /// So is `"\(statement: sql) failed in \(step: 12)."` written.
  package struct Words: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    package private(set) var pieces: [Piece] = []
    /// True when the next text continues the last piece.
    private var endsOpen = false

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package init(stringInterpolation words: Words) { self = words }
    package init(stringLiteral text: String) { appendLiteral(text) }

    package mutating func appendLiteral(_ text: String) {
      if text.isEmpty { return }
      if endsOpen, case .text(let start)? = pieces.popLast() {
        pieces.append(.text(start + text))
      } else {
        pieces.append(.text(text))
      }
      endsOpen = true
    }

    package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }

    package mutating func appendInterpolation(_ more: [Piece]) {
      pieces += more
      endsOpen = false
    }

    package mutating func appendInterpolation(_ words: Words) { appendInterpolation(words.pieces) }

    package mutating func appendInterpolation(statement sql: String) {
      appendInterpolation([.statement(sql)])
    }

    package mutating func appendInterpolation(step number: Int) { appendInterpolation([.step(number)]) }

    /// A place behind a word; nothing where it is not known.
    package mutating func appendInterpolation(_ word: String, place: Place?) {
      if let place { appendInterpolation([.text(word), .place(place)]) }
    }

    /// Adds a conclusion from values of rows; nothing where there is none.
    package mutating func appendInterpolation(values text: String?, without: String = "") {
      appendInterpolation(text.map { [.values($0, without: without)] } ?? [])
    }

    package static func += (words: inout Words, more: Words) { words.appendInterpolation(more) }
  }

  package var certainty: Certainty
  package var pieces: [Piece]
  /// Rows that the sentence is about.
  package var rows: RelatedRows?
  /// The rows that their foreign keys lead to.
  package var names = ReferenceNames()
  /// The rank: explanations with higher weight are told first.
  package var weight: Double
  /// The steps that it is about, so that no other sentence is about the same.
  package var about: Set<Int> = []

  package init(
    _ certainty: Certainty, _ pieces: [Piece], rows: RelatedRows? = nil, weight: Double, about: Set<Int> = []
  ) {
    (self.certainty, self.pieces, self.rows) = (certainty, pieces, rows)
    (self.weight, self.about) = (weight, about)
  }

  package init(
    _ certainty: Certainty, _ words: Words, rows: RelatedRows? = nil, weight: Double, about: Set<Int> = []
  ) {
    self.init(certainty, words.pieces, rows: rows, weight: weight, about: about)
  }

  /// The sentence as plain text.
  package var text: String { pieces.text }

  /// The numbers of the steps that the sentence names.
  package var steps: [Int] {
    pieces.compactMap { piece in
      switch piece {
      case .step(let number), .number(let number): number
      case .text, .statement, .place, .values: nil
      }
    }
  }

  /// The places that the sentence names.
  package var places: [Place] {
    pieces.compactMap { if case .place(let place) = $0 { place } else { nil } }
  }

  /// A statement on one line, cut where it is long.
  package static func cut(_ sql: String) -> String {
    shortened(sql.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: 72)
  }

  /// For readers who may not see what is in the rows.
  ///
  /// - Parameter names: Names of tables and columns, in lower case: no values although they stand in quotes.
  func withoutValues(_ names: Set<String>) -> Explanation {
    var bare = self
    (bare.rows, bare.names) = (nil, ReferenceNames())
    bare.pieces = pieces.withoutValues(names)
    return bare
  }
}

extension [Explanation.Piece] {
  /// The pieces as plain text.
  package var text: String {
    map { piece in
      switch piece {
      case .text(let text), .values(let text, without: _): text
      case .statement(let sql): "“\(Explanation.cut(sql))”"
      case .step(let number): "step \(number)"
      case .number(let number): String(number)
      case .place(let place): place.text
      }
    }.joined()
  }

  /// - Parameter names: Names of tables and columns, in lower case: no values although they stand in quotes.
  package func withoutValues(_ names: Set<String>) -> Self {
    compactMap { piece in
      switch piece {
      case .values(_, let without): without.isEmpty ? nil : .text(without)
      case .statement(let sql): .statement(StatementText.withoutLiterals(sql, names: names))
      case .text, .step, .number, .place: piece
      }
    }
  }
}
