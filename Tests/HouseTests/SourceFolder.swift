import Foundation

/// One folder of a target's sources, as the order of the house names it.
struct SourceFolder {
  /// `Collector/Trace`.
  var name: String
  var files: [SourceFile]

  init(_ name: String, in sources: URL, isRecursive: Bool = true) throws {
    self.name = name
    let folder = sources.appendingPathComponent(name)
    let manager = FileManager.default
    let paths =
      isRecursive
      ? try manager.subpathsOfDirectory(atPath: folder.path)
      : try manager.contentsOfDirectory(atPath: folder.path)
    files = try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      try SourceFile(at: folder.appendingPathComponent($0), named: "\(name)/\($0)")
    }
  }

  /// The types that other files can name.
  var types: Set<String> { files.reduce(into: []) { $0.formUnion($1.types) } }
}

/// A Swift file without its comments and the contents of its texts.
struct SourceFile {
  var name: String
  private var lines: [Substring]

  init(at url: URL, named name: String) throws {
    self.name = name
    lines = Self.code(of: try String(contentsOf: url, encoding: .utf8))
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Its types that are neither nested nor its own alone.
  var types: Set<String> {
    let declaration =
      /^(?:@\w+ )*(?:(?:public|package|final|indirect) )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
    return Set(lines.compactMap { $0.firstMatch(of: declaration).map { String($0.1) } })
  }

  /// Where it names one of these types.
  func uses(of types: Set<String>) -> [(line: Int, type: String)] {
    lines.enumerated().flatMap { number, line in
      line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init).filter(types.contains)
        .map { (number + 1, $0) }
    }
  }

  /// The text with its line breaks, and nothing else in the place of comments and of what stands between quotes.
  ///
  /// What is interpolated counts as text.
  private static func code(of text: String) -> String {
    let left = /#"(?s:.*?)"#|"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*(?s:.*?)\*\//
    return text.replacing(left) { String(repeating: "\n", count: $0.output.count { $0 == "\n" }) }
  }
}
