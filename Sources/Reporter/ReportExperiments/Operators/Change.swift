/// A part of a statement with another text.
struct Edit: Sendable {
  /// The tokens that go; none where a text is inserted, behind the token before.
  var place: Range<Int>
  var text: String

  /// Another text for some tokens.
  init(_ place: Range<Int>, _ text: String) { (self.place, self.text) = (place, text) }

  /// Another text for one token.
  init(_ index: Int, _ text: String) { self.init(index..<index + 1, text) }

  /// A text behind a token.
  static func insert(behind index: Int, _ text: String) -> Edit { Edit(index + 1..<index + 1, text) }
}

/// What an operator changes, and how that is said.
struct Change: Sendable {
  var edits: [Edit]
  var rank: Int
  var words: Words

  /// - Parameter rank: As a variant's.
  init(_ edits: Edit..., rank: Int, _ words: Words) { self.init(edits, rank: rank, words) }

  /// - Parameter rank: As a variant's.
  init(_ edits: [Edit], rank: Int, _ words: Words) {
    (self.edits, self.rank, self.words) = (edits, rank, words)
  }
}

/// A sentence about a change, parts of the statement in it.
struct Words: Sendable, ExpressibleByStringInterpolation {
  /// A part of a sentence.
  enum Piece: Sendable {
    case plain(String)
    /// A part of the statement.
    case part(Range<Int>)
    /// What stands around a token.
    case near(Int)
    /// Code that is not the statement's.
    case code(String)
    /// One text, and another for readers who may not see values.
    case value(String, bare: String)
  }

  var pieces: [Piece]

  init(stringLiteral value: String) { pieces = [.plain(value)] }

  init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// Collects the parts of a sentence.
  struct StringInterpolation: StringInterpolationProtocol {
    var pieces: [Piece] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { pieces.append(.plain(literal)) }

    mutating func appendInterpolation(_ part: Range<Int>) { pieces.append(.part(part)) }

    mutating func appendInterpolation(near index: Int) { pieces.append(.near(index)) }

    mutating func appendInterpolation(code: String) { pieces.append(.code(code)) }

    mutating func appendInterpolation(_ text: String) { pieces.append(.plain(text)) }

    mutating func appendInterpolation(_ text: String, bare: String) {
      pieces.append(.value(text, bare: bare))
    }
  }
}
