import ReportModel
package import ReportPlaces

/// A sentence of Why: what may have caused the failure.
package struct Explanation: Sendable, Equatable {
  package enum Certainty: String, Sendable {
    /// The test passes where only this is changed.
    case proven
    /// It follows from what was recorded.
    case certain
    case likely
    /// What experiments had no answer to.
    case tried
  }

  package enum Piece: Sendable, Equatable {
    case text(String)
    case statement(String)
    /// `step 12`.
    case step(Int)
    case number(Int)
    case place(Place)
    /// A conclusion from values of rows, and what readers see who may not see them.
    case values(String, without: String = "")
  }

  /// Text with what it names: `"\(statement: sql) failed in \(step: 12)."`.
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

    /// Nothing where the place is not known.
    package mutating func appendInterpolation(_ word: String, place: Place?) {
      if let place { appendInterpolation([.text(word), .place(place)]) }
    }

    /// Nothing where there is no conclusion.
    package mutating func appendInterpolation(values text: String?, without: String = "") {
      appendInterpolation(text.map { [.values($0, without: without)] } ?? [])
    }

    package static func += (words: inout Words, more: Words) { words.appendInterpolation(more) }
  }

  package var certainty: Certainty
  package var pieces: [Piece]
  package var rows: RelatedRows?
  package var names = ReferenceNames()
  package var weight: Double
  /// No other sentence is about the same steps.
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

  package var text: String { pieces.text }

  package var steps: [Int] {
    pieces.compactMap { piece in
      switch piece {
      case .step(let number), .number(let number): number
      case .text, .statement, .place, .values: nil
      }
    }
  }

  package var places: [Place] {
    pieces.compactMap { if case .place(let place) = $0 { place } else { nil } }
  }

  /// On one line.
  package static func cut(_ sql: String) -> String {
    shortened(sql.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: 72)
  }

  /// - Parameter names: Of tables and columns, in lower case: no values although they stand in quotes.
  func withoutValues(_ names: Set<String>) -> Explanation {
    var bare = self
    (bare.rows, bare.names) = (nil, ReferenceNames())
    bare.pieces = pieces.withoutValues(names)
    return bare
  }
}

extension [Explanation.Piece] {
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

  /// - Parameter names: Of tables and columns, in lower case.
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
