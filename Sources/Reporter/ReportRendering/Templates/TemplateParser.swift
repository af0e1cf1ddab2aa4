import ReportModel

/// Parses Mustache templates.
///
/// Source: Mustache specification 1.4 with inheritance, but without block indentation, changed delimiters and
/// `{{{name}}}`.
struct TemplateParser {
  private let file: String
  private let bytes: [UInt8]
  private let known: Set<String>
  private var position = 0
  /// Open sections, innermost last.
  private var levels = [Level(tag: nil)]

  private struct Level {
    var tag: Tag?
    var parts: [Template.Part] = []
  }

  private struct Tag {
    enum Kind: UInt8 {
      case section = 0x23  // #
      case block = 0x24  // $
      case unescaped = 0x26  // &
      case end = 0x2F  // /
      case parent = 0x3C  // <
      case partial = 0x3E  // >
      case inverted = 0x5E  // ^
      case comment = 0x21  // !
      case variable = 0
    }

    var kind: Kind
    var content: String
    var range: Range<Int>

    /// True for tags whose own line is not output.
    var canStandAlone: Bool { kind != .variable && kind != .unescaped }
  }

  /// - Parameters:
  ///   - file: The name in errors.
  ///   - known: All template names.
  static func parse(_ text: String, file: String, known: Set<String>) throws(TemplateError) -> Template {
    var parser = TemplateParser(file: file, bytes: Array(text.utf8), known: known)
    return try parser.parse()
  }

  private mutating func parse() throws(TemplateError) -> Template {
    while let start = place(of: Self.opening, from: position) {
      let tag = try readTag(at: start)
      let line = tag.canStandAlone ? lineOfItsOwn(tag.range) : nil
      appendText(upTo: line?.lowerBound ?? start, isContinued: line == nil)
      position = line?.upperBound ?? tag.range.upperBound
      try take(tag, indentation: line.map { Array(bytes[$0.lowerBound..<start]) })
    }
    appendText(upTo: bytes.count, isContinued: false)
    guard levels.count == 1 else { throw error("a section is never closed", at: bytes.count) }
    return Template(parts: levels[0].parts)
  }

  // MARK: - Tags

  private static let opening = Array("{{".utf8)
  private static let closing = Array("}}".utf8)

  private func readTag(at start: Int) throws(TemplateError) -> Tag {
    var contentStart = start + Self.opening.count
    let sign = contentStart < bytes.count ? bytes[contentStart] : nil
    if sign == UInt8(ascii: "{") { throw error("raw text is written {{&name}}, not {{{name}}},", at: start) }
    if sign == UInt8(ascii: "=") { throw error("delimiters cannot be changed: write {{ and }}", at: start) }
    let kind = sign.flatMap(Tag.Kind.init(rawValue:)) ?? .variable
    if kind != .variable { contentStart += 1 }
    guard let end = place(of: Self.closing, from: contentStart) else {
      throw error("a tag has no end", at: start)
    }
    let tag = Tag(
      kind: kind, content: String(decoding: bytes[contentStart..<end], as: UTF8.self).trimmed,
      range: start..<(end + Self.closing.count))
    if kind != .comment && !Self.isName(tag.content) {
      throw error("a tag has no end or a name Mustache does not allow", at: start)
    }
    return tag
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".-_?/".utf8.contains($0) }
  }

  private mutating func take(_ tag: Tag, indentation: [UInt8]?) throws(TemplateError) {
    switch tag.kind {
    case .variable: append(.variable(Template.Name(tag.content), isEscaped: true))
    case .unescaped: append(.variable(Template.Name(tag.content), isEscaped: false))
    case .partial:
      try checkPartial(tag)
      append(.partial(tag.content, indentation: indentation))
    case .parent:
      try checkPartial(tag)
      levels.append(Level(tag: tag))
    case .section, .inverted, .block: levels.append(Level(tag: tag))
    case .end: try close(tag)
    case .comment: break
    }
  }

  private mutating func close(_ end: Tag) throws(TemplateError) {
    guard let level = levels.last, let tag = level.tag, tag.content == end.content else {
      throw error("a section is closed by another name", at: end.range.lowerBound)
    }
    levels.removeLast()
    let inner = Template(parts: level.parts)
    switch tag.kind {
    case .inverted: append(.inverted(Template.Name(tag.content), inner))
    case .block: append(.block(tag.content, inner))
    case .parent: append(.parent(tag.content, blocks: inner.blocks))
    default: append(.section(Template.Name(tag.content), inner))
    }
  }

  private func checkPartial(_ tag: Tag) throws(TemplateError) {
    guard !known.contains(tag.content) else { return }
    throw .missingPartial(file: file, line: line(at: tag.range.lowerBound).number, name: tag.content)
  }

  // MARK: - Text

  private mutating func append(_ part: Template.Part) {
    levels[levels.count - 1].parts.append(part)
  }

  /// A tag at a line's start follows an empty text, for indentation.
  private mutating func appendText(upTo end: Int, isContinued: Bool) {
    let beginsLine = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    guard position < end || beginsLine && isContinued else { return }
    append(
      .text(
        Template.Text(
          bytes: Array(bytes[position..<end]), beginsLine: beginsLine, isContinued: isContinued)))
  }

  /// The tag's whole line, if it is alone there.
  private func lineOfItsOwn(_ tag: Range<Int>) -> Range<Int>? {
    var start = tag.lowerBound
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
    var end = tag.upperBound
    while end < bytes.count, isBlank(bytes[end]) || bytes[end] == UInt8(ascii: "\r") { end += 1 }
    guard end == bytes.count || bytes[end] == UInt8(ascii: "\n") else { return nil }
    return start..<min(end + 1, bytes.count)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private func place(of text: [UInt8], from start: Int) -> Int? {
    var start = start
    while let found = bytes[start...].firstIndex(of: text[0]) {
      if bytes[found...].starts(with: text) { return found }
      start = found + 1
    }
    return nil
  }

  // MARK: - Errors

  private func error(_ reason: String, at position: Int) -> TemplateError {
    let (number, text) = line(at: position)
    return .syntax(file: file, line: number, text: text, reason: reason)
  }

  private func line(at position: Int) -> (number: Int, text: String) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let index = bytes[..<position].count { $0 == UInt8(ascii: "\n") }
    return (index + 1, String(decoding: lines[index], as: UTF8.self))
  }
}

extension Template {
  fileprivate var blocks: [String: Template] {
    var blocks: [String: Template] = [:]
    for case .block(let name, let template) in parts { blocks[name] = template }
    return blocks
  }
}
