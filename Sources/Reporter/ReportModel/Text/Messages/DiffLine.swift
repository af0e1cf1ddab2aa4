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
  }

  package var kind: Kind
  package var spans: [Span]

  /// A line without marks.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    spans = text.isEmpty ? [] : [Span(text: text, isChanged: false)]
  }

  /// The whole line.
  package var text: String { spans.map(\.text).joined() }
}
