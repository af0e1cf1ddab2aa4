import Foundation
package import ReportModel

/// Lines of a source file around one of them.
package struct SourceExcerpt: Sendable, Equatable {
  /// The number of the first line, from 1.
  package var firstLine: Int
  package var lines: [String]
  /// The number of the line that the issue names.
  package var markedLine: Int
  /// The lines from the marked one on, as many as one call may take.
  package var call: [String] = []

  /// The lines without the spaces and tabs with which all of them begin, so that more of each can be seen.
  package var withoutCommonIndentation: [String] {
    let written = lines.filter { $0.contains { $0 != " " && $0 != "\t" } }
    guard var common = written.first?.prefix(while: { $0 == " " || $0 == "\t" }) else { return lines }
    for line in written { common = Substring(common.commonPrefix(with: line)) }
    return lines.map { String($0.dropFirst(min(common.count, $0.count))) }
  }
}

/// The lines of a source file around the line that a reference names.
///
/// Only what `NamedSource` calls a source of the root is read.
///
/// - Parameters:
///   - reference: the file, absolute or relative to the root, and the line.
///   - root: the folder of the sources.
///   - context: lines before and after.
/// - Returns: `nil` when there is no such line in a readable text file of at most 4 MiB below the root.
package func excerptSource(reference: SourceReference, root: SourceRoot, context: Int = 4) -> SourceExcerpt? {
  guard let line = reference.line, line > 0, let lines = linesOfSource(reference.file, root: root),
    line <= lines.count
  else { return nil }
  // The line is one of the file's, so that neither can overflow.
  let first = max(1, line - context)
  let shown = lines[(first - 1)..<min(lines.count, line + context)]
  let call = lines[(line - 1)..<min(lines.count, line - 1 + longestCall)]
  return SourceExcerpt(
    firstLine: first, lines: shown.map { shortened(withoutCarriageReturn($0), to: longestLine) },
    markedLine: line, call: call.map { shortened(withoutCarriageReturn($0), to: longestLine) })
}

/// The texts of single lines of source files, under the same rules; lines that cannot be read are left out.
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

/// The lines of a readable text file below the root.
package func linesOfSource(_ file: String, root: SourceRoot) -> [Substring]? {
  guard case .source(let path) = NamedSource(file, in: root),
    case .success(let file) = ContainedFile.open(path),
    let text = readText(at: "/proc/self/fd/\(file.descriptor)", limit: longestSource), !text.isCut
  else { return nil }
  return textLines(of: text.text)
}

/// Lines of an assertion.
private let longestCall = 30

/// Bytes.
private let longestSource = 4 * 1024 * 1024

/// Unicode scalars.
private let longestLine = 500

private func withoutCarriageReturn(_ line: Substring) -> String {
  line.last == "\r" ? String(line.dropLast()) : String(line)
}
