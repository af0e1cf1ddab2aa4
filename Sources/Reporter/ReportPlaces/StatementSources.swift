import ReportModel

/// Finds the function on a stack whose source has the text of the statement: a wrapper such as `Database.int(_:)` runs what
/// its callers wrote.
package struct StatementSources {
  /// Lines of a function before the call, and behind its beginning, in which a statement may be written.
  private static let (before, behind) = (30, 20)
  /// Characters of a statement, without its spaces, that tell it, and that tell that it is put together there.
  private static let (telling, built) = (24, 10)

  private let lines: (String) -> [Substring]?
  private var files: [String: [Substring]] = [:]
  private var windows: [SourceReference: String] = [:]

  /// - Parameter lines: The lines of a source file, by its path; `nil` where it cannot be read.
  package init(_ lines: @escaping (String) -> [Substring]?) { self.lines = lines }

  /// The index of the innermost frame in whose function the text of one of the statements stands, or else its beginning;
  /// `nil` where no source can be read, or none has it.
  package mutating func frame(of stack: CallStack, running statements: some Collection<String>) -> Int? {
    let texts = statements.map { Self.plain($0[...]) }.filter { $0.count >= Self.built }
    guard stack.frames.count > 1, !texts.isEmpty else { return nil }
    for length in [Self.telling, Self.built] {
      let found = stack.frames.firstIndex { frame in
        ([frame.place] + frame.outer).compactMap(\.reference).contains { reference in
          let window = window(around: reference)
          return texts.contains { !window.places(of: String($0.prefix(length))).isEmpty }
        }
      }
      if let found { return found }
    }
    return nil
  }

  /// The source of the function around a line, without what a statement may be broken by.
  private mutating func window(around reference: SourceReference) -> String {
    if let known = windows[reference] { return known }
    let all = files[reference.file] ?? lines(reference.file) ?? []
    files[reference.file] = all
    guard let line = reference.line, all.indices.contains(line - 1) else { return "" }
    let isStart: (Substring) -> Bool = { !$0.places(of: "func ").isEmpty }
    let first = all[max(0, line - Self.before)..<line].lastIndex(where: isStart) ?? max(0, line - Self.before)
    let rest = all[line..<min(all.count, line + Self.behind)]
    let window = Self.plain(all[first..<(rest.firstIndex(where: isStart) ?? rest.endIndex)].joined()[...])
    windows[reference] = window
    return window
  }

  private static func plain(_ text: Substring) -> String {
    let others: Set<UInt8> = [
      UInt8(ascii: "\""), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: "\t"), UInt8(ascii: " "),
    ]
    return String(decoding: text.utf8.filter { !others.contains($0) }, as: UTF8.self)
  }
}
