import Foundation
import ReportModel

/// Says where the files of a program's code lie, as far as they are there.
struct SourceFiles {
  private let root: SourceRoot
  /// The root without links, where that is another path.
  private let realRoot: SourceRoot?
  private var known: [String: String?] = [:]

  init(below root: SourceRoot) {
    self.root = root
    let real = realPath(root.path)
    realRoot = real == root.path ? nil : real.map { SourceRoot(path: $0) }
  }

  /// The path below the source root of a file that lies there.
  ///
  /// - Parameter file: As the debug information names it: absolute, or relative to the source root.
  mutating func path(of file: String) -> String? {
    if let path = known[file] { return path }
    let path = look(for: file)
    known[file] = .some(path)
    return path
  }

  private func look(for file: String) -> String? {
    let plain = file.hasPrefix("/") ? file : "\(root.path)/\(file)"
    guard !file.isEmpty, let real = realPath(plain) else { return nil }
    let isPlain = !plain.split(separator: "/").contains { $0 == "." || $0 == ".." }
    // A link below the root is the package's own, wherever it leads.
    for path in (isPlain ? [plain] : []) + [real] {
      for root in [root, realRoot].compactMap({ $0 }) {
        let relative = root.relative(path)
        if !relative.hasPrefix("/") { return relative }
      }
    }
    return nil
  }

  // MARK: - Expansions of macros

  /// The path below the source root of the file in which a macro was expanded: the one of its name in the folder of its
  /// module, if the macro stands there.
  func path(of expansion: MacroExpansion) -> String? {
    // Names that lead elsewhere are none that SwiftPM knows.
    guard !expansion.module.contains("/"), !expansion.module.hasPrefix("."), !expansion.file.contains("/")
    else {
      return nil
    }
    let found = ["Tests", "Sources"].flatMap {
      files(below: "\($0)/\(expansion.module)", called: expansion.file)
    }
    guard found.count == 1, contains(found[0], expansion) else { return nil }
    return found[0]
  }

  /// A folder of sources with more entries is not looked through.
  private static let mostEntries = 20_000

  private func files(below folder: String, called name: String) -> [String] {
    guard let entries = FileManager.default.enumerator(atPath: "\(root.path)/\(folder)") else { return [] }
    var found: [String] = []
    for case let (number, path as String) in entries.enumerated() {
      if number == Self.mostEntries { return [] }
      if path == name || path.hasSuffix("/\(name)") { found.append("\(folder)/\(path)") }
    }
    return found
  }

  private func contains(_ path: String, _ expansion: MacroExpansion) -> Bool {
    // A file that cannot be read does not show the macro.
    guard let text = try? Data(contentsOf: URL(fileURLWithPath: "\(root.path)/\(path)")) else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(expansion.line - 1), expansion.column > 0 else { return false }
    return lines[expansion.line - 1].dropFirst(expansion.column - 1).starts(with: "#\(expansion.name)".utf8)
  }
}
