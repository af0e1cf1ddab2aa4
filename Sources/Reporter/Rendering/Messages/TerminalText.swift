/// Text with terminal control sequences (ECMA-48), taken apart into runs of one style.
///
/// Colours and emphasis (SGR) become styles of the style sheet; other sequences (cursor movements, titles, links)
/// are left out. An escape character that begins nothing complete stays, to be shown as a sign.
struct TerminalText: Equatable {
  struct Run: Equatable {
    var text: String
    /// Classes of the style sheet, such as `ansi-1 ansi-bold`; `nil` for plain text.
    var style: String?
  }

  private(set) var runs: [Run] = []

  /// The text without its sequences.
  var plain: String { runs.count == 1 ? runs[0].text : runs.map(\.text).joined() }

  init(_ text: String) {
    guard text.holds(escape) else {
      if !text.isEmpty { runs = [Run(text: text)] }
      return
    }
    let bytes = Array(text.utf8)
    var style = TerminalStyle()
    var pending: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard let sequence = ControlSequence(in: bytes, from: index) else {
        pending.append(bytes[index])
        index += 1
        continue
      }
      let before = style
      if let parameters = sequence.rendition { style.apply(parameters) }
      if style != before { take(&pending, before) }
      index = sequence.end
    }
    take(&pending, style)
  }

  /// Beyond so many runs what follows is plain: a text can change its colour with every letter.
  private static let mostRuns = 4000

  private mutating func take(_ bytes: inout [UInt8], _ style: TerminalStyle) {
    guard !bytes.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    bytes.removeAll(keepingCapacity: true)
    let classes = runs.count < Self.mostRuns ? style.classes : nil
    if let last = runs.indices.last, runs[last].style == classes {
      runs[last].text += text
    } else {
      runs.append(Run(text: text, style: classes))
    }
  }
}

/// The text without terminal control sequences, which colour what tests print.
func withoutTerminalColors(_ text: String) -> String {
  text.holds(escape) ? TerminalText(text).plain : text
}

/// What the templates show of a text that may be coloured.
func styledValues(_ text: String) -> TemplateValues {
  let runs: [TemplateValues] = TerminalText(text).runs.map { ["text": $0.text, "style": $0.style] }
  return ["runs": runs]
}

private let escape: UInt8 = 0x1B

/// One complete sequence that begins with an escape character.
///
/// Source: ECMA-48, 5.4 (control sequences) and 5.6 (control strings), and ECMA-35, 13 (other escape sequences).
private struct ControlSequence {
  /// The index behind it.
  var end: Int
  /// The parameters of a Select Graphic Rendition; `nil` for any other sequence.
  var rendition: ArraySlice<UInt8>?

  /// `nil` where no complete sequence begins.
  init?(in bytes: [UInt8], from start: Int) {
    guard bytes[start] == escape, start + 1 < bytes.count else { return nil }
    let found: ControlSequence? =
      switch bytes[start + 1] {
      case UInt8(ascii: "["): Self.control(in: bytes, from: start + 2)
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
        Self.stringEnd(in: bytes, from: start + 2).map { ControlSequence(end: $0) }
      default: Self.other(in: bytes, from: start + 1)
      }
    guard let found else { return nil }
    self = found
  }

  private init(end: Int, rendition: ArraySlice<UInt8>? = nil) {
    self.end = end
    self.rendition = rendition
  }

  /// Intermediate bytes and one final byte.
  private static func other(in bytes: [UInt8], from start: Int) -> ControlSequence? {
    var index = start
    while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
    guard index < bytes.count, (0x30...0x7E).contains(bytes[index]) else { return nil }
    return ControlSequence(end: index + 1)
  }

  /// Parameter bytes, intermediate bytes, one final byte.
  private static func control(in bytes: [UInt8], from start: Int) -> ControlSequence? {
    var index = start
    while index < bytes.count, (0x30...0x3F).contains(bytes[index]) { index += 1 }
    let parameters = bytes[start..<index]
    while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
    guard index < bytes.count, (0x40...0x7E).contains(bytes[index]) else { return nil }
    let isRendition = bytes[index] == UInt8(ascii: "m") && index == parameters.endIndex
    return ControlSequence(end: index + 1, rendition: isRendition ? parameters : nil)
  }

  /// Behind the bell or string terminator that ends a control string on the same line.
  private static func stringEnd(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
      if bytes[index] == 0x07 { return index + 1 }
      if bytes[index] == escape, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\") {
        return index + 2
      }
      index += 1
    }
    return nil
  }
}
