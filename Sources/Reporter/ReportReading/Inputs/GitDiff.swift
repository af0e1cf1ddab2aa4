package import ReportModel

/// The hunks of a `git diff` with the prefixes `a/` and `b/`.
package struct GitDiff: Sendable, Equatable {
  package private(set) var hunks: [ChangedLines] = []
  package private(set) var isCut = false

  package static let mostHunks = 2000
  package static let mostBytes = 2 << 20
  static let longestLine = 4096
  private static let mostLines = 1 << 24

  private var size = 0
  private var oldPath: String?
  private var newPath: String?

  package init(_ text: [UInt8]) {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)[
      ...]
    if lines.last?.isEmpty == true { lines.removeLast() }
    while let line = lines.popFirst() {
      if line.starts(with: "diff --git ".utf8) {
        (oldPath, newPath) = (nil, nil)
      } else if line.starts(with: "--- ".utf8) {
        oldPath = Self.path(line.dropFirst(4), prefix: "a/")
      } else if line.starts(with: "+++ ".utf8) {
        newPath = Self.path(line.dropFirst(4), prefix: "b/")
      } else if let hunk = Self.head(line, path: newPath ?? oldPath ?? "") {
        isCut = !read(hunk, from: &lines)
        if isCut { return }
      }
    }
  }

  private mutating func read(_ head: ChangedLines, from lines: inout ArraySlice<[UInt8]>) -> Bool {
    var hunk = head
    var (old, new) = (hunk.oldCount, hunk.newCount)
    while old > 0 || new > 0 {
      guard let line = lines.popFirst() else { return false }
      switch line.first {
      case UInt8(ascii: "-"): old -= 1
      case UInt8(ascii: "+"): new -= 1
      case UInt8(ascii: "\\"): continue
      case UInt8(ascii: " "), nil: (old, new) = (old - 1, new - 1)
      default:
        lines.insert(line, at: lines.startIndex)
        return true
      }
      size += min(line.count, Self.longestLine)
      guard size <= Self.mostBytes else { return false }
      hunk.lines.append(Self.text(of: line.isEmpty ? [UInt8(ascii: " ")] : line))
    }
    guard old == 0, new == 0, !hunk.path.isEmpty else { return true }
    for part in Self.parts(of: hunk) {
      guard hunks.count < Self.mostHunks else { return false }
      hunks.append(part)
    }
    return true
  }

  private static let context = 3

  /// Splits a hunk at each change, since git joins near changes of several commits.
  private static func parts(of hunk: ChangedLines) -> [ChangedLines] {
    var changes: [Range<Int>] = []
    for index in hunk.lines.indices where !hunk.lines[index].hasPrefix(" ") {
      if let last = changes.last, last.upperBound == index {
        changes[changes.count - 1] = last.lowerBound..<(index + 1)
      } else {
        changes.append(index..<(index + 1))
      }
    }
    guard changes.count > 1 else { return [hunk] }
    var (oldNumbers, newNumbers) = ([hunk.oldStart], [hunk.newStart])
    for line in hunk.lines {
      oldNumbers.append((oldNumbers.last ?? 0) + (line.hasPrefix("+") ? 0 : 1))
      newNumbers.append((newNumbers.last ?? 0) + (line.hasPrefix("-") ? 0 : 1))
    }
    return changes.indices.map { index in
      let earliest = index > 0 ? changes[index - 1].upperBound : 0
      let latest = index + 1 < changes.count ? changes[index + 1].lowerBound : hunk.lines.count
      let start = max(earliest, changes[index].lowerBound - context)
      let end = min(latest, changes[index].upperBound + context)
      return ChangedLines(
        path: hunk.path, oldStart: oldNumbers[start], oldCount: oldNumbers[end] - oldNumbers[start],
        newStart: newNumbers[start], newCount: newNumbers[end] - newNumbers[start],
        lines: Array(hunk.lines[start..<end]))
    }
  }

  private static func text(of line: [UInt8]) -> String {
    let ended = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    if ended.count <= longestLine { return String(decoding: ended, as: UTF8.self) }
    return String(decoding: ended.prefix(longestLine), as: UTF8.self) + "…"
  }

  // MARK: - Heads

  /// Reads a hunk header, `@@ -1,2 +3 @@ function`.
  private static func head(_ line: [UInt8], path: String) -> ChangedLines? {
    guard line.starts(with: "@@ -".utf8) else { return nil }
    let words = line.dropFirst(3).split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count == 3, words[2].starts(with: "@@".utf8), let old = range(words[0], mark: "-"),
      let new = range(words[1], mark: "+")
    else { return nil }
    return ChangedLines(
      path: path, oldStart: old.start, oldCount: old.count, newStart: new.start, newCount: new.count,
      lines: [])
  }

  private static func range(_ word: ArraySlice<UInt8>, mark: Character) -> (start: Int, count: Int)? {
    let parts = String(decoding: word, as: UTF8.self).dropFirst().split(
      separator: ",", omittingEmptySubsequences: false)
    guard word.first == mark.asciiValue, (1...2).contains(parts.count), let start = Int(parts[0]),
      let count = parts.count == 1 ? 1 : Int(parts[1]), (0...mostLines).contains(start),
      (0...mostLines).contains(count)
    else { return nil }
    return (start, count)
  }

  /// A file header's path; `nil` for `/dev/null` and paths that leave the folder.
  private static func path(_ text: ArraySlice<UInt8>, prefix: String) -> String? {
    let bytes = text.first == UInt8(ascii: "\"") ? unquoted(text) : unmarked(text)
    guard let bytes, bytes.starts(with: prefix.utf8) else { return nil }
    let path = String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.isEmpty, !path.utf8.contains(0), !parts.contains(where: { $0.isEmpty || $0 == ".." }) else {
      return nil
    }
    return path
  }

  /// Git writes a tab after a path with spaces.
  private static func unmarked(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var text = text
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    if text.last == UInt8(ascii: "\t") { text.removeLast() }
    return Array(text)
  }

  /// Reads a C-quoted path: `"a/\303\244 \"b\".swift"`.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let escapes: [UInt8: UInt8] = [
      UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
      UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 34,
      UInt8(ascii: "\\"): 92,
    ]
    var rest = text.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return bytes }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let code = rest.first else { return nil }
      if let escaped = escapes[code] {
        bytes.append(escaped)
        rest.removeFirst()
      } else {
        let digits = String(decoding: rest.prefix(3), as: UTF8.self)
        guard digits.count == 3, let value = UInt8(digits, radix: 8) else { return nil }
        bytes.append(value)
        rest.removeFirst(3)
      }
    }
    return nil
  }
}
