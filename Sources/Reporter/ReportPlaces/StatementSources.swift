import ExhibitSystem
import ReportModel

/// Finds the function on a stack whose source has the text of the statement: a wrapper such as `Database.int(_:)` runs what
/// its callers wrote.
///
/// All stories of a report share one, as their tests run the same code.
package final class StatementSources: Sendable {
  /// Characters of a statement, without its spaces, that tell it, and that tell that it is put together there.
  private static let (telling, built) = (24, 10)

  /// A source file without what a statement may be broken by.
  private struct Source {
    var text = ""
    /// The offset in `text` at which each line begins, and behind the last one its end.
    var starts = [0]
    /// The lines that begin a function, by their indices.
    var isStart: [Bool] = []

    init(_ lines: [Substring]) {
      for line in lines {
        text += plain(line)
        starts.append(text.utf8.count)
        isStart.append(!line.places(of: "func ").isEmpty)
      }
    }

    /// The source of the function around a line, which counts from 1.
    func window(around line: Int) -> Substring {
      guard isStart.indices.contains(line - 1) else { return "" }
      let earliest = max(0, line - before)
      let first = isStart[earliest..<line].lastIndex(of: true) ?? earliest
      let latest = min(isStart.count, line + behind)
      let end = isStart[line..<latest].firstIndex(of: true) ?? latest
      let utf8 = text.utf8
      return text[
        utf8.index(
          utf8.startIndex, offsetBy: starts[first])..<utf8.index(utf8.startIndex, offsetBy: starts[end])]
    }
  }

  private let lines: @Sendable (String) -> [Substring]?
  private let files = Locked<[String: Source]>([:])

  /// - Parameter lines: The lines of a source file, by its path; `nil` where it cannot be read.
  package init(_ lines: @escaping @Sendable (String) -> [Substring]?) { self.lines = lines }

  /// The index of the innermost frame in whose function the text of one of the statements stands, or else its beginning;
  /// `nil` where no source can be read, or none has it.
  package func frame(of stack: CallStack, running statements: some Collection<String>) -> Int? {
    guard stack.frames.count > 1 else { return nil }
    let texts = statements.map { plain($0[...]) }.filter { $0.count >= Self.built }
    guard !texts.isEmpty else { return nil }
    let places = stack.frames.map { ([$0.place] + $0.outer).compactMap(\.reference) }
    let windows = places.map { $0.map(window) }
    for length in [Self.telling, Self.built] {
      let beginnings = Set(texts.map { String($0.prefix(length)) })
      let found = windows.firstIndex { windows in
        windows.contains { window in beginnings.contains { !window.places(of: $0).isEmpty } }
      }
      if let found { return found }
    }
    return nil
  }

  private func window(around reference: SourceReference) -> Substring {
    guard let line = reference.line else { return "" }
    let source = files.withLock { files in
      let known = files[reference.file] ?? Source(lines(reference.file) ?? [])
      files[reference.file] = known
      return known
    }
    return source.window(around: line)
  }
}

/// Lines of a function before the call, and behind its beginning, in which a statement may be written.
private let (before, behind) = (30, 20)

private let others = ByteSet { "\"+\\\n\r\t ".utf8.contains($0) }

private func plain(_ text: Substring) -> String {
  String(decoding: text.utf8.filter { !others.contains($0) }, as: UTF8.self)
}
