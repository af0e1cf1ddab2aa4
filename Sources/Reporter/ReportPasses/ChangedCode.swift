import ReportModel
import ReportPlaces
import ReportStory

/// Finds code changes since the pass's commit that a difference's stack runs through.
struct ChangedCode {
  private static let most = 2
  /// So few changes are named wherever they are.
  private static let mostOfAll = 3

  let origin: PassOrigin
  let source: (String) -> [Substring]?

  /// Changes of a line on the stack, then of a function on it, innermost first.
  func changes(at entry: ComparedStories.Entry) -> [ChangedLines] {
    let changes = origin.changes
    guard !changes.isEmpty else { return [] }
    let now = (entry.failed?.stack?.frames ?? []).flatMap { [$0.place] + $0.outer }
    let then = (entry.passed?.stack?.frames ?? []).flatMap { [$0.place] + $0.outer }
    var found: [ChangedLines] = []
    func add(_ isMeant: (ChangedLines) -> Bool) {
      for change in changes where isMeant(change) && !found.contains(change) { found.append(change) }
    }
    for place in now { add { $0.path == place.file && $0.holds(place.line) } }
    for place in then { add { $0.path == place.file && $0.held(place.line) } }
    let kept = then.compactMap { place in
      place.line.map { line in
        var place = place
        place.line =
          line
          + changes.filter { $0.path == place.file && $0.oldStart + $0.oldCount <= line }
          .reduce(0) { $0 + $1.newCount - $1.oldCount }
        return place
      }
    }
    for place in now + kept {
      guard let file = place.file, let line = place.line, let function = function(at: line, in: file) else {
        continue
      }
      add { $0.path == file && $0.newStart < function.upperBound && $0.newEnd > function.lowerBound }
    }
    return Array(found.prefix(Self.most))
  }

  var few: [ChangedLines] {
    origin.changes.count <= Self.mostOfAll ? origin.changes : []
  }

  /// The lines of the function around a line, found by braces.
  private func function(at line: Int, in file: String) -> Range<Int>? {
    guard let lines = source(file), lines.indices.contains(line - 1) else { return nil }
    var start = line - 1
    while start > 0, !lines[start].declaresFunction { start -= 1 }
    guard lines[start].declaresFunction else { return nil }
    let indent = lines[start].prefix { $0 == " " || $0 == "\t" }
    var end = start + 1
    while end < lines.count, !(lines[end].hasPrefix(indent + "}")) { end += 1 }
    return end + 1 < line ? nil : start + 1..<end + 2
  }
}

extension Substring {
  fileprivate var declaresFunction: Bool {
    let words = split(whereSeparator: \.isWhitespace)
    return words.contains("func") || words.contains { $0.hasPrefix("init(") || $0.hasPrefix("init?(") }
      || words.contains("var") && last == "{"
  }
}

extension ChangedLines {
  fileprivate var newEnd: Int { newStart + max(newCount, 1) }

  /// The added lines; for removals, both neighbours.
  private func lines(_ sign: Character, from start: Int) -> Set<Int> {
    var (line, found) = (start, Set<Int>())
    let other: Character = sign == "+" ? "-" : "+"
    for text in lines {
      if text.first == sign { found.insert(line) }
      if text.first == other { found.formUnion([line - 1, line]) }
      if text.first != other, text.first != "\\" { line += 1 }
    }
    return found
  }

  func holds(_ line: Int?) -> Bool { line.map { lines("+", from: newStart).contains($0) } ?? false }

  func held(_ line: Int?) -> Bool { line.map { lines("-", from: oldStart).contains($0) } ?? false }
}
