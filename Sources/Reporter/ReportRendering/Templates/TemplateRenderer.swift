import ReportModel

struct TemplateRenderer {
  private(set) var bytes: [UInt8] = []
  private let templates: [String: Template]
  /// Enclosing values, innermost last.
  private var surroundings: [TemplateValue]
  private var blocks: [String: Template] = [:]
  private var indentation: [UInt8] = []

  init(_ value: TemplateValue, templates: [String: Template]) {
    self.templates = templates
    surroundings = [value]
  }

  mutating func render(_ template: Template) {
    for part in template.parts {
      switch part {
      case .text(let text): append(text)
      case .variable(let name, let isEscaped): insert(value(of: name), isEscaped: isEscaped)
      case .section(let name, let inner): render(inner, for: value(of: name))
      case .inverted(let name, let inner): if value(of: name).isNothing { render(inner) }
      case .partial(let name, let indentation): render(partial: name, indentation: indentation)
      case .parent(let name, let blocks): render(parent: name, blocks)
      case .block(let name, let standard): render(blocks[name] ?? standard)
      }
    }
  }

  private mutating func append(_ text: Template.Text) {
    guard !indentation.isEmpty else { return bytes.append(contentsOf: text.bytes) }
    if text.beginsLine { bytes.append(contentsOf: indentation) }
    for (index, byte) in text.bytes.enumerated() {
      bytes.append(byte)
      let isLast = index == text.bytes.count - 1
      if byte == UInt8(ascii: "\n") && (!isLast || text.isContinued) {
        bytes.append(contentsOf: indentation)
      }
    }
  }

  // MARK: - Values

  private mutating func insert(_ value: TemplateValue, isEscaped: Bool) {
    switch value {
    case .text(let text) where isEscaped: bytes.append(escapingForHTML: text)
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .condition(let holds): bytes.append(contentsOf: (holds ? "true" : "false").utf8)
    case .absent, .values, .list: break
    }
  }

  private mutating func render(_ inner: Template, for value: TemplateValue) {
    switch value {
    case .absent, .condition(false): break
    case .condition(true): render(inner)
    case .text, .values: render(inner, in: value)
    case .list(let list): for element in list { render(inner, in: element) }
    }
  }

  private mutating func render(_ inner: Template, in value: TemplateValue) {
    surroundings.append(value)
    render(inner)
    surroundings.removeLast()
  }

  /// Searches enclosing values from the innermost.
  private func value(of name: Template.Name) -> TemplateValue {
    guard let first = name.path.first else { return surroundings.last ?? .absent }
    for case .values(let values) in surroundings.reversed() {
      guard var value = values[first] else { continue }
      if name.path.count == 1 { return value }
      for part in name.path.dropFirst() {
        guard case .values(let values) = value else { return .absent }
        value = values[part] ?? .absent
      }
      return value
    }
    return .absent
  }

  // MARK: - Other templates

  private mutating func render(partial name: String, indentation: [UInt8]?) {
    guard let template = templates[name] else { return }
    let outer = self.indentation
    self.indentation = indentation.map { outer + $0 } ?? []
    render(template)
    self.indentation = outer
  }

  /// Renders a parent; the most derived block wins.
  private mutating func render(parent name: String, _ replacing: [String: Template]) {
    guard let template = templates[name] else { return }
    let outer = blocks
    blocks.merge(replacing) { outermost, _ in outermost }
    render(template)
    blocks = outer
  }
}
