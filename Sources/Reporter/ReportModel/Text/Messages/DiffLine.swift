package struct DiffLine: Equatable {
  package enum Kind: Equatable {
    case same, removed, added
    case omitted
  }

  package struct Span: Equatable {
    package var text: String
    package var isChanged: Bool
  }

  package var kind: Kind
  package var spans: [Span]

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    spans = text.isEmpty ? [] : [Span(text: text, isChanged: false)]
  }

  package var text: String { spans.map(\.text).joined() }
}
