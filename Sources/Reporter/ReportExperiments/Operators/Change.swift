/// A replaced part of a statement.
struct Edit: Sendable {
  /// The replaced tokens; empty for an insertion after the previous one.
  var place: Range<Int>
  var text: String

  init(_ place: Range<Int>, _ text: String) { (self.place, self.text) = (place, text) }

  init(_ index: Int, _ text: String) { self.init(index..<index + 1, text) }

  static func insert(behind index: Int, _ text: String) -> Edit { Edit(index + 1..<index + 1, text) }
}

/// An edit of a statement by an operator, and its description.
struct Change: Sendable {
  var edits: [Edit]
  var rank: Int
  var words: Words

  init(_ edits: Edit..., rank: Int, _ words: Words) { self.init(edits, rank: rank, words) }

  init(_ edits: [Edit], rank: Int, _ words: Words) {
    (self.edits, self.rank, self.words) = (edits, rank, words)
  }
}

struct Words: Sendable, ExpressibleByStringInterpolation {
  enum Piece: Sendable {
    /// Our own words, which all readers see: never text of the statement.
    case plain(String)
    /// The statement's text.
    case part(Range<Int>)
    /// The text around a token.
    case near(Int)
    /// Other code.
    case code(String)
    /// A value, and its text for readers who may not see values.
    case value(String, bare: String)
  }

  var pieces: [Piece]

  init(stringLiteral value: String) { pieces = [.plain(value)] }

  init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

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
