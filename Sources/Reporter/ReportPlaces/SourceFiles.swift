import Foundation
import ReportModel

/// Locates source files below the source root.
struct SourceFiles {
  private let root: SourceRoot
  /// The root with links resolved, if different.
  private let realRoot: SourceRoot?
  private var known: [String: String?] = [:]

  init(below root: SourceRoot) {
    self.root = root
    let real = realPath(root.path)
    realRoot = real == root.path ? nil : real.map { SourceRoot(path: $0) }
  }

  /// The path relative to the root, if it lies there.
  ///
  /// - Parameter file: The debug information's path, absolute or relative to the root.
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
    // Links below the root belong to the package.
    for path in (isPlain ? [plain] : []) + [real] {
      for root in [root, realRoot].compactMap({ $0 }) {
        let relative = root.relative(path)
        if !relative.hasPrefix("/") { return relative }
      }
    }
    return nil
  }

  // MARK: - Expansions of macros

  /// The file that contains a macro, looked up by name in its module's folder.
  func path(of expansion: MacroExpansion) -> String? {
    // Refuses unsafe names.
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
    // An unreadable file does not match.
    guard let text = try? Data(contentsOf: URL(fileURLWithPath: "\(root.path)/\(path)")) else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(expansion.line - 1), expansion.column > 0 else { return false }
    return lines[expansion.line - 1].dropFirst(expansion.column - 1).starts(with: "#\(expansion.name)".utf8)
  }
}
