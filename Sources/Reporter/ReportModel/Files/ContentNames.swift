import ExhibitSystem
import Foundation

/// Names files by their content; identical ones have one name.
package struct ContentNames: Sendable {
  package struct Name: Sendable {
    /// Letters and digits.
    package var text: String
    /// The first file of that name.
    package var path: String
  }

  /// Bytes at the beginning, in the middle and at the end that are compared first.
  ///
  /// Most different databases differ there, because the header counts transactions.
  private static let glanceBytes = 4096

  private let folder: String
  /// Files that differ only elsewhere, by the hash of these parts.
  private var known: [String: [Name]] = [:]

  /// - Parameter folder: The absolute path of the files' folder.
  package init(folder: String) {
    self.folder = folder
  }

  /// Names a file; where these parts are equal and the rest differs, the later file gets a number.
  ///
  /// - Throws: `SystemError`, or an error for something that is no file of the folder.
  package mutating func name(_ path: String, _ file: ContainedFile) throws -> Name {
    let glance = try Self.glance(at: file)
    let alike = known[glance] ?? []
    if let same = alike.first(where: { isSame(path, $0.path) }) { return same }
    let name = Name(text: alike.isEmpty ? glance : "\(glance)x\(alike.count + 1)", path: path)
    known[glance] = alike + [name]
    return name
  }

  private static func glance(at file: ContainedFile) throws -> String {
    var hash = StableHash("\(file.size)")
    for place in [0, file.size / 2, max(0, file.size - glanceBytes)] {
      let bytes = try file.bytes(at: place, count: glanceBytes)
      bytes.withUnsafeBytes { hash.add($0) }
    }
    return hash.hexadecimal
  }

  private func isSame(_ path: String, _ other: String) -> Bool {
    FileManager.default.contentsEqual(atPath: folder + "/" + path, andPath: folder + "/" + other)
  }
}
