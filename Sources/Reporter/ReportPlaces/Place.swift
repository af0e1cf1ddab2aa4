package import ReportModel

/// A source place: a function, and its file and line.
package struct Place: Hashable, Sendable {
  /// Mangled; of C++ demangled.
  package var symbol: String
  package var name: PlaceName
  /// Relative to the source root; `nil` outside of it.
  package var file: String?
  package var line: Int?

  package var reference: SourceReference? {
    guard let file, let line else { return nil }
    return SourceReference(file: file, line: line)
  }

  /// True for the package's own, written code.
  package var isOwn: Bool {
    guard let folders = file?.split(separator: "/").dropLast() else { return false }
    // SwiftPM's checkouts in another build folder.
    let outer = folders.prefix { $0 != "Sources" && $0 != "Tests" }
    return !outer.contains("checkouts")
      && !folders.contains { folder in
        folder == ".build" || folder.hasPrefix(".build-") || folder.hasPrefix(".build_")
          || folder == "DerivedSources" || folder.hasSuffix(".derived")
      }
  }

  /// The place to show of several inlined ones.
  ///
  /// The first with a line, else with a file, else the outermost function.
  package static func shown(of inlined: [Place]) -> Place? {
    inlined.first { $0.line != nil } ?? inlined.first { $0.file != nil } ?? inlined.last
  }
}

extension Place {
  /// `Depot.clear(prefix:) Depot.swift:212`.
  package var text: String {
    guard let file, let line else { return name.function }
    let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    return "\(name.function) \(slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]):\(line)"
  }
}
