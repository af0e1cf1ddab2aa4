/// One line of a difference.
struct DiffLine: Equatable {
  enum Kind: Equatable {
    case same, removed, added
    /// Stands for lines that are not shown; the line's text says how many.
    case omitted
  }

  /// A part of a line, and whether it is what changed.
  struct Span: Equatable {
    var text: String
    var isChanged: Bool
  }

  var kind: Kind
  var spans: [Span]

  init(_ kind: Kind, spans: [Span]) {
    self.kind = kind
    self.spans = spans
  }

  /// A line without marks.
  init(_ kind: Kind, _ text: String) {
    self.init(kind, spans: text.isEmpty ? [] : [Span(text: text, isChanged: false)])
  }

  /// The whole line.
  var text: String { spans.map(\.text).joined() }
}
