/// One line of a difference.
package struct DiffLine: Equatable {
  package enum Kind: Equatable {
    case same, removed, added
    /// Stands for lines that are not shown; the text has their number.
    case omitted
  }

  /// A part of a line; `isChanged` is true for a changed part.
  package struct Span: Equatable {
    package var text: String
    package var isChanged: Bool

    package init(text: String, isChanged: Bool) {
      self.text = text
      self.isChanged = isChanged
    }
  }

  package var kind: Kind
  package var spans: [Span]

  package init(_ kind: Kind, spans: [Span]) {
    self.kind = kind
    self.spans = spans
  }

  /// A line without marks.
  package init(_ kind: Kind, _ text: String) {
    self.init(kind, spans: text.isEmpty ? [] : [Span(text: text, isChanged: false)])
  }

  /// The whole line.
  package var text: String { spans.map(\.text).joined() }
}
