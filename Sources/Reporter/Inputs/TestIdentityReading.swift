import Collector

extension TestCaseID {
  /// Reads an identity of the event stream: `Module.Suite/Inner/name()/File.swift:12:3`.
  ///
  /// Raw identifiers stand in backticks and may hold every separator. A suite has no source location.
  init?(eventStreamID text: String) {
    var parts = text.splitOutsideBackticks(at: "/")
    guard let first = parts.first else { return nil }
    let head = first.splitOutsideBackticks(at: ".", maximum: 1)
    guard head.count == 2, !head[0].isEmpty else { return nil }
    parts[0] = head[1]
    if parts.count > 1, let last = parts.last, last.isSourceLocation { parts.removeLast() }
    guard let name = parts.popLast(), !name.isEmpty else { return nil }
    self.init(module: head[0], suite: parts, name: name)
  }

  /// Reads an xunit file's class name, `Module.Suite.Inner`, and name.
  init(className: String, name: String) {
    let parts = className.splitOutsideBackticks(at: ".")
    self.init(module: parts.first ?? "", suite: Array(parts.dropFirst()), name: name)
  }
}

extension String {
  /// The parts between separators that stand outside backticks.
  fileprivate func splitOutsideBackticks(at separator: Character, maximum: Int = .max) -> [String] {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    for character in self {
      if character == "`" { isQuoted.toggle() }
      if character == separator && !isQuoted && parts.count < maximum {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return parts + [part]
  }

  /// Whether it is `File.swift:12:3`.
  fileprivate var isSourceLocation: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts.suffix(2).allSatisfy { Int($0) != nil }
  }
}
