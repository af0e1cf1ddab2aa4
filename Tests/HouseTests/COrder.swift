import Foundation

/// The order of a target's C files; each includes headers and uses functions and variables of those before it only.
struct COrder {
  var target: String
  /// Their paths in the target, without `.c` and `.h`.
  var files: [String]
  /// The folder with the targets.
  var sources: URL

  /// Reads the order from the row of a table in a document; nil when there is none.
  init?(document: String, sources: URL) {
    guard let row = document.firstMatch(of: /(?m)^\| `(\w+)`, C \| (.+) \|$/) else { return nil }
    target = String(row.1)
    files = row.2.matches(of: /`([\w\/]+)`/).map { String($0.1) }
    self.sources = sources
  }

  private var folder: URL { sources.appendingPathComponent(target) }

  /// The C files and headers, but for those in `include`, which belong to all.
  private func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { ($0.hasSuffix(".c") || $0.hasSuffix(".h")) && !$0.hasPrefix("include/") }.sorted()
  }

  /// The files that are not in the order, and those of the order that are not there.
  func misplacedFiles() throws -> [String] {
    try Set(paths().map { String($0.dropLast(2)) }).symmetricDifference(files).sorted()
  }

  /// Each use of a later file, with file and line.
  func violations() throws -> [String] {
    let lines = try paths().map { path in
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      return (path: path, lines: Self.code(of: text))
    }
    let places = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($0.element, $0.offset) })
    func place(_ path: String) -> Int { places[String(path.dropLast(2))] ?? 0 }
    // A function's or a variable's, neither declared only nor a file's own.
    let definition = /^(?!static|extern|#|typedef|return)[A-Za-z_].*?\b(exhibit_\w+)(?:\(.*[^;]$|[^(;]*;$)/
    var owners: [String: String] = [:]
    for file in lines where file.path.hasSuffix(".c") {
      for line in file.lines {
        if let name = line.firstMatch(of: definition)?.1 { owners[String(name)] = file.path }
      }
    }
    return lines.flatMap { file in
      file.lines.enumerated().flatMap { number, line in
        let included = line.firstMatch(of: /#include "(.+)"/).map {
          [Self.path(of: String($0.1), in: file.path)]
        }
        let used = line.replacing(/"[^"]*"/, with: "").matches(of: /\bexhibit_\w+/).compactMap {
          owners[String($0.output)]
        }
        return (included ?? (file.path.hasSuffix(".c") ? used : [])).filter { place($0) > place(file.path) }
          .map {
            "Sources/\(target)/\(file.path):\(number + 1) uses \($0), which stands later."
          }
      }
    }
  }

  /// The path in the target of a header as a file includes it.
  private static func path(of header: String, in file: String) -> String {
    let parts = file.split(separator: "/").dropLast() + header.split(separator: "/")
    return parts.reduce(into: [Substring]()) { path, part in
      if part == ".." { _ = path.popLast() } else { path.append(part) }
    }.joined(separator: "/")
  }

  /// The lines without comments.
  private static func code(of text: String) -> [Substring] {
    text.replacing(/\/\*(?s:.*?)\*\//) { String(repeating: "\n", count: $0.output.count { $0 == "\n" }) }
      .split(separator: "\n", omittingEmptySubsequences: false)
  }
}
