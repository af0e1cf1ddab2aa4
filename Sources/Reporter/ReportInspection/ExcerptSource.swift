import Foundation
package import ReportModel

/// Lines of a source file around a marked one.
package struct SourceExcerpt: Sendable, Equatable {
  package var firstLine: Int
  package var lines: [String]
  package var markedLine: Int
  /// The lines of a possibly multi-line call, from the marked one on.
  package var call: [String] = []

  /// The lines without their common indentation.
  package var withoutCommonIndentation: [String] {
    let written = lines.filter { $0.contains { $0 != " " && $0 != "\t" } }
    guard var common = written.first?.prefix(while: { $0 == " " || $0 == "\t" }) else { return lines }
    for line in written { common = Substring(common.commonPrefix(with: line)) }
    return lines.map { String($0.dropFirst(min(common.count, $0.count))) }
  }
}

/// Reads the lines around a referenced one, without those of the functions before and after its own.
///
/// Only files that `NamedSource` accepts are read.
///
/// - Parameters:
///   - reference: A file, absolute or relative to the root, and a line.
///   - context: Lines before and after.
/// - Returns: `nil` without such a line in a text file of at most 4 MiB.
package func excerptSource(reference: SourceReference, root: SourceRoot, context: Int = 4) -> SourceExcerpt? {
  guard let line = reference.line, line > 0, let lines = linesOfSource(reference.file, root: root),
    line <= lines.count
  else { return nil }
  // Cannot overflow, since the line exists.
  let near = max(0, line - 1 - context)..<min(lines.count, line + context)
  let shown = lines[near.cutToFunction(of: line - 1, in: lines)]
  let call = lines[(line - 1)..<min(lines.count, line - 1 + longestCall)]
  return SourceExcerpt(
    firstLine: shown.startIndex + 1,
    lines: shown.map { shortened(withoutCarriageReturn($0), to: longestLine) },
    markedLine: line, call: call.map { shortened(withoutCarriageReturn($0), to: longestLine) })
}

/// Reads single lines under the same rules; unreadable ones are missing.
package func sourceLines(_ references: Set<SourceReference>, root: SourceRoot) -> [SourceReference: String] {
  var found: [SourceReference: String] = [:]
  for (file, references) in Dictionary(grouping: references, by: \.file) {
    guard let lines = linesOfSource(file, root: root) else { continue }
    for reference in references {
      guard let line = reference.line, line > 0, line <= lines.count else { continue }
      found[reference] = shortened(withoutCarriageReturn(lines[line - 1]), to: longestLine)
    }
  }
  return found
}

package func linesOfSource(_ file: String, root: SourceRoot) -> [Substring]? {
  guard case .source(let path) = NamedSource(file, in: root),
    case .success(let file) = ContainedFile.open(path),
    let text = readText(at: "/proc/self/fd/\(file.descriptor)", limit: longestSource), !text.isCut
  else { return nil }
  return textLines(of: text.text)
}

extension Range<Int> {
  /// Removes what a blank line parts from the place and what is indented less: where another declaration begins
  /// behind it, or a body ended before it.
  fileprivate func cutToFunction(of place: Int, in lines: [Substring]) -> Range<Int> {
    let depth = lines[place].indentation
    let start = (lowerBound..<place).last { blank in
      guard lines[blank].isBlank, let before = lines[..<blank].last(where: { !$0.isBlank }) else {
        return false
      }
      return before.indentation < depth && String(before).trimmed == "}"
    }
    let end = (place + 1..<Swift.max(place + 1, upperBound)).first { blank in
      guard lines[blank].isBlank, let next = lines[blank...].first(where: { !$0.isBlank }) else {
        return false
      }
      return next.indentation < depth && next.beginsDeclaration
    }
    return (start.map { $0 + 1 } ?? lowerBound)..<(end ?? upperBound)
  }
}

extension Substring {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
  fileprivate var indentation: Int { prefix { $0 == " " || $0 == "\t" }.count }

  fileprivate var beginsDeclaration: Bool {
    let text = drop(while: \.isWhitespace)
    if ["@", "///", "/**", "#if", "#endif", "}"].contains(where: text.hasPrefix) { return true }
    let word = text.prefix { $0.isLetter }
    return declarationWords.contains(String(word))
  }
}

private let declarationWords: Set = [
  "actor", "class", "deinit", "enum", "extension", "fileprivate", "final", "func", "init", "internal",
  "mutating",
  "nonisolated", "open", "override", "package", "private", "protocol", "public", "static", "struct",
  "subscript",
]

private let longestCall = 30

private let longestSource = 4 * 1024 * 1024

private let longestLine = 500

private func withoutCarriageReturn(_ line: Substring) -> String {
  line.last == "\r" ? String(line.dropLast()) : String(line)
}
