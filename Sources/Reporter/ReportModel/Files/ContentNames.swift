import ExhibitSystem
import Foundation

/// Names files by their content.
package struct ContentNames: Sendable {
  package struct Name: Sendable {
    package var text: String
    package var path: String
  }

  /// Compared first at the beginning, in the middle and at the end, where most databases differ.
  private static let glanceBytes = 4096

  private let folder: String
  private var known: [String: [Name]] = [:]

  package init(folder: String) {
    self.folder = folder
  }

  /// A file that differs elsewhere gets a number.
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
