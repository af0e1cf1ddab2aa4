extension TestCaseID {
  /// Reads `Module.Suite/Inner/name()/File.swift:12:3`; raw identifiers in backticks may contain separators.
  package init?(eventStreamID text: String) {
    var parts = text.splitOutsideBackticks(at: "/")
    guard let first = parts.first else { return nil }
    let head = first.splitOutsideBackticks(at: ".", maximum: 1)
    guard head.count == 2, !head[0].isEmpty else { return nil }
    parts[0] = head[1]
    if parts.count > 1, let last = parts.last, last.isSourceLocation { parts.removeLast() }
    guard let name = parts.popLast(), !name.isEmpty else { return nil }
    self.init(module: head[0], suite: parts, name: name)
  }

  /// - Parameter className: `Module.Suite.Inner`, as in an xunit file.
  package init(className: String, name: String) {
    let parts = className.splitOutsideBackticks(at: ".")
    self.init(module: parts.first ?? "", suite: Array(parts.dropFirst()), name: name)
  }
}

extension String {
  fileprivate func splitOutsideBackticks(at separator: Unicode.Scalar, maximum: Int = .max) -> [String] {
    let separator = UInt8(ascii: separator)
    var parts: [String] = []
    var isQuoted = false
    var start = utf8.startIndex
    for index in utf8.indices {
      let byte = utf8[index]
      if byte == UInt8(ascii: "`") { isQuoted.toggle() }
      guard byte == separator, !isQuoted, parts.count < maximum else { continue }
      parts.append(String(self[start..<index]))
      start = utf8.index(after: index)
    }
    return parts + [String(self[start...])]
  }

  fileprivate var isSourceLocation: Bool {
    let parts = utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count >= 3 && parts.suffix(2).allSatisfy { Int(Substring($0)) != nil }
  }
}
