import Foundation
import Testing

/// The source files below a folder, in Swift and C; what a build leaves is not meant.
struct SourceTree {
  /// Lines that a file may have.
  static let longest = 500

  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  /// Files with a name like `Type+Part.swift`, over which a type is spread.
  var namedAsExtensions: [String] {
    get throws { try files.filter { $0.split(separator: "/").last?.contains("+") == true } }
  }

  /// Files with more lines than one may have.
  var tooLong: [String] {
    get throws {
      try files.filter { name in
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        let breaks = bytes.count { $0 == UInt8(ascii: "\n") }
        return breaks + (bytes.last.map { $0 == UInt8(ascii: "\n") ? 0 : 1 } ?? 0) > Self.longest
      }
    }
  }

  private var files: [String] {
    get throws {
      let found = try #require(FileManager.default.enumerator(atPath: folder.path))
      var names: [String] = []
      for case let name as String in found {
        if (name.split(separator: "/").last ?? "").hasPrefix(".") { found.skipDescendants() }
        if [".swift", ".c", ".h"].contains(where: name.hasSuffix) { names.append(name) }
      }
      return names.sorted()
    }
  }
}
