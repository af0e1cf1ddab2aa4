import Foundation

/// The lines of a source file around the line that a reference names.
///
/// Nothing outside the root is read, and no link is followed out of it.
///
/// - Parameters:
///   - reference: the file, absolute or relative to the root, and the line.
///   - root: the folder of the sources.
///   - context: lines before and after.
/// - Returns: `nil` when there is no such line in a readable text file of at most 4 MiB below the root.
func excerptSource(reference: SourceReference, root: URL, context: Int = 4) -> SourceExcerpt? {
  guard let line = reference.line, line > 0, let file = resolvedFile(reference.file, in: root),
    let text = readText(at: file, limit: longestSource), !text.isCut
  else { return nil }
  let lines = textLines(of: text.text)
  guard line <= lines.count else { return nil }
  let first = max(1, line - context)
  let shown = lines[(first - 1)..<min(lines.count, line + context)]
  return SourceExcerpt(
    firstLine: first, lines: shown.map { shortened(withoutCarriageReturn($0), to: longestLine) },
    markedLine: line)
}

/// Bytes.
private let longestSource = 4 * 1024 * 1024

/// Unicode scalars.
private let longestLine = 500

private func withoutCarriageReturn(_ line: Substring) -> String {
  line.last == "\r" ? String(line.dropLast()) : String(line)
}

/// The real path of a file if it lies below the real root.
private func resolvedFile(_ file: String, in root: URL) -> String? {
  let path = file.hasPrefix("/") ? file : root.path + "/" + file
  guard let base = realPath(root.path), let resolved = realPath(path) else { return nil }
  return resolved.hasPrefix(base == "/" ? base : base + "/") ? resolved : nil
}

private func realPath(_ path: String) -> String? {
  guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
