import ExhibitSystem
import Foundation

/// Names files by what is in them: identical ones have one name.
package struct ContentNames: Sendable {
  package struct Name: Sendable {
    /// Letters and digits.
    package var text: String
    /// The first file of that name.
    package var path: String
  }

  /// Bytes at the beginning, in the middle and at the end that are looked at first: most databases that differ do there,
  /// the header counts transactions.
  private static let glanceBytes = 4096

  private let folder: String
  /// By what is seen at a glance: files that differ behind it.
  private var known: [String: [Name]] = [:]

  /// - Parameter folder: In which the files are, as an absolute path.
  package init(folder: String) {
    self.folder = folder
  }

  /// The name of a file; of files that are alike at a glance and differ, the later gets a number.
  ///
  /// - Throws: `SystemError`, or what says that it is no file of the folder.
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
