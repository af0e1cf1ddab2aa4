import ExhibitSystem
import Foundation
import ReportModel

/// Decides whether a source file named by an untrusted input may be shown.
///
/// It must have a source file's extension and lie below the root, in no hidden folder and not behind a link that leaves
/// it.
enum NamedSource: Equatable {
  /// Below the resolved root.
  case source(ContainedPath)
  /// Outside of the package, such as a dependency.
  case elsewhere
  /// Must not be read, for a reason that ends a sentence.
  case refused(String)
  case absent

  /// - Parameter file: Absolute, or relative to the root.
  init(_ file: String, in root: SourceRoot) {
    let path = file.hasPrefix("/") ? file : root.path + "/" + file
    guard let resolved = realPath(path), let status = FileSystem.status(resolved),
      status.st_mode & S_IFMT == S_IFREG
    else {
      self = .absent
      return
    }
    guard root.mayBeRead, let base = realPath(root.path) else {
      self = .refused("\(root.path) is not a package's folder; name that of the sources with --source-root")
      return
    }
    let prefix = base == "/" ? base : base + "/"
    let isBelow = resolved.hasPrefix(prefix)
    let isNamedBelow = root.relative(path) != path
    let parts = (isBelow ? resolved.dropFirst(prefix.count) : resolved[...]).split(separator: "/")
    if !Self.hasSourceEnding(resolved) {
      self = .refused("it has not the ending of a source file")
    } else if !isBelow {
      self = isNamedBelow ? .refused("its path leads out of \(root.path)") : .elsewhere
    } else if let hidden = parts.first(where: { $0.hasPrefix(".") }) {
      // Dependencies of SwiftPM.
      self = hidden.hasPrefix(".build") ? .elsewhere : .refused("it lies in a hidden folder")
    } else {
      self = .source(ContainedPath(folder: base, path: parts.joined(separator: "/")))
    }
  }

  private static let endings: Set<String> = [
    "swift", "c", "h", "m", "mm", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "metal", "gyb", "py", "pyx", "js",
    "jsx",
    "mjs", "cjs", "ts", "tsx", "vue", "java", "kt", "kts", "scala", "groovy", "clj", "rs", "go", "rb", "php",
    "cs", "fs",
    "vb", "dart", "ex", "exs", "erl", "hs", "ml", "lua", "pl", "pm", "r", "jl", "zig", "nim", "d", "bats",
    "feature",
    "robot",
  ]

  private static func hasSourceEnding(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }
}
