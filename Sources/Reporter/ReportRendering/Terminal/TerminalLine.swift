import ReportModel

/// A line for the terminal with styled parts.
package struct TerminalLine: Sendable, Equatable {
  struct Span: Sendable, Equatable {
    /// Without control characters.
    var text: String
    var style: TerminalStyle
  }

  private(set) var spans: [Span] = []
  /// The source place that it names.
  private(set) var place: SourceReference?

  init() {}

  init(_ text: String, _ style: TerminalStyle = .plain, place: SourceReference? = nil) {
    self.place = place
    add(text, style)
  }

  /// Adds a text, replacing control characters.
  mutating func add(_ text: String, _ style: TerminalStyle = .plain) {
    let text = printedLine(text)
    if let last = spans.last, last.style == style {
      spans[spans.count - 1].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  mutating func add(_ more: TerminalLine) { spans += more.spans }

  var text: String { spans.map(\.text).joined() }
  var style: TerminalStyle { spans.first?.style ?? .plain }

  var width: Int { spans.reduce(0) { $0 + displayWidth(of: $1.text) } }

  /// Truncated to a width; `nil` for none.
  func cut(toWidth width: Int?) -> TerminalLine {
    guard let width, self.width > width else { return self }
    var (line, room) = (TerminalLine(), width)
    for span in spans {
      let taken = displayWidth(of: span.text)
      // The ellipsis needs a column.
      guard taken < room else {
        line.spans.append(
          Span(text: fitted(span.text + " ", toWidth: room), style: span.style))
        break
      }
      line.spans.append(span)
      room -= taken
    }
    return line
  }

  /// Wraps between words, or within long ones.
  ///
  /// - Parameter indent: Of all but the first line.
  func wrapped(toWidth width: Int?, indent: Int = 0) -> [TerminalLine] {
    guard let width, self.width > width else { return [self] }
    var wrapping = Wrapping(width: max(width, indent + 1), indent: indent)
    for span in spans { wrapping.add(span) }
    return wrapping.finished
  }

  /// Trimmed, and without commands for a CI at its start.
  func printed(isColoured: Bool) -> String {
    var shown = spans
    while let last = shown.last {
      var text = last.text
      while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
      shown[shown.count - 1].text = text
      if !text.isEmpty { break }
      shown.removeLast()
    }
    // GitHub ignores leading spaces.
    let beginning = shown.firstIndex { !$0.text.allSatisfy { $0 == " " } }
    if let beginning, let start = shown[beginning].text.firstIndex(where: { $0 != " " }),
      shown[beginning].text[start...].hasPrefix("::")
    {
      shown[beginning].text.insert("\\", at: start)
    }
    return Self.coloured(shown, isColoured)
  }

  private static func coloured(_ spans: [Span], _ isColoured: Bool) -> String {
    spans.map { $0.style.applied(to: $0.text, isColoured: isColoured) }.joined()
  }

  /// With colours, otherwise unchanged.
  func coloured(_ isColoured: Bool) -> String { Self.coloured(spans, isColoured) }
}

extension [TerminalLine] {
  func coloured(_ isColoured: Bool) -> String { map { $0.coloured(isColoured) + "\n" }.joined() }

  package func printed(isColoured: Bool) -> String {
    map { $0.printed(isColoured: isColoured) + "\n" }.joined()
  }
}

private struct Wrapping {
  let width: Int
  let indent: Int
  var lines: [TerminalLine] = []
  var line = TerminalLine()
  var used = 0

  var finished: [TerminalLine] { lines + [line] }

  mutating func add(_ span: TerminalLine.Span) {
    var word = ""
    for character in span.text {
      word.append(character)
      if character == " " {
        put(word, span.style)
        word = ""
      }
    }
    put(word, span.style)
  }

  private mutating func put(_ word: String, _ style: TerminalStyle) {
    guard !word.isEmpty else { return }
    let bare = word.last == " " ? String(word.dropLast()) : word
    if used + displayWidth(of: bare) <= width { return append(word, style) }
    if used > indent { breakLine() }
    guard displayWidth(of: bare) > width - used else { return append(word, style) }
    for character in word {
      if used + displayWidth(of: String(character)) > width { breakLine() }
      append(String(character), style)
    }
  }

  private mutating func append(_ text: String, _ style: TerminalStyle) {
    line.add(text, style)
    used += displayWidth(of: text)
  }

  private mutating func breakLine() {
    lines.append(line)
    line = TerminalLine(String(repeating: " ", count: indent))
    used = indent
  }
}
