package import ReportModel

/// A place in code: a function with the file and line that were run in it.
package struct Place: Hashable, Sendable {
  /// The symbol of the function, mangled; of C++ demangled.
  package var symbol: String
  package var name: PlaceName
  /// The source file, relative to the source root; `nil` for one that lies elsewhere or is not known.
  package var file: String?
  /// From 1; `nil` where the compiler tells none.
  package var line: Int?

  /// The file and line; `nil` where the compiler tells none.
  package var reference: SourceReference? {
    guard let file, let line else { return nil }
    return SourceReference(file: file, line: line)
  }

  /// True for code of the package itself: its file lies below the source root and was neither fetched nor generated.
  package var isOwn: Bool {
    guard let folders = file?.split(separator: "/").dropLast() else { return false }
    // The folder `checkouts` tells sources that SwiftPM fetched into another build folder.
    let outer = folders.prefix { $0 != "Sources" && $0 != "Tests" }
    return !outer.contains("checkouts")
      && !folders.contains { folder in
        folder == ".build" || folder.hasPrefix(".build-") || folder.hasPrefix(".build_")
          || folder == "DerivedSources" || folder.hasSuffix(".derived")
      }
  }

  /// The place to show for one address, of those that were inlined into each other there, innermost first.
  ///
  /// It is the first one with a line, else the first one with a file, else the function that has the address.
  package static func shown(of inlined: [Place]) -> Place? {
    inlined.first { $0.line != nil } ?? inlined.first { $0.file != nil } ?? inlined.last
  }
}

extension Place {
  /// `Depot.clear(prefix:) Depot.swift:212`, with the file's name only.
  package var text: String {
    guard let file, let line else { return name.function }
    let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    return "\(name.function) \(slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]):\(line)"
  }
}
