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

/// Reads the lines around a referenced one.
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
  let first = max(1, line - context)
  let shown = lines[(first - 1)..<min(lines.count, line + context)]
  let call = lines[(line - 1)..<min(lines.count, line - 1 + longestCall)]
  return SourceExcerpt(
    firstLine: first, lines: shown.map { shortened(withoutCarriageReturn($0), to: longestLine) },
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

private let longestCall = 30

private let longestSource = 4 * 1024 * 1024

private let longestLine = 500

private func withoutCarriageReturn(_ line: Substring) -> String {
  line.last == "\r" ? String(line.dropLast()) : String(line)
}
