import Foundation

/// The order in which folders of sources stand; each uses the types of those before it only.
struct Borders {
  /// The rows of the table: a target, and its folders in their order.
  var order: [(target: String, folders: [String])]
  /// The folder with the targets.
  var sources: URL

  /// Reads the order from the table in a document.
  init(document: String, sources: URL) {
    order = document.matches(of: /(?m)^\| `([\w\/]+)` \| ((?:`\w+`(?:, )?)+) \|/).map { row in
      (String(row.1), row.2.matches(of: /`(\w+)`/).map { String($0.1) })
    }
    self.sources = sources
  }

  /// Each use of a type that stands in a later folder, with file and line.
  func violations() throws -> [String] { try order.flatMap { try violations(of: $0.target, $0.folders) } }

  private func violations(of target: String, _ names: [String]) throws -> [String] {
    // What lies beside the folders ties them together.
    var higher = try SourceFolder(target, in: sources, isRecursive: false).types
    var violations: [String] = []
    for name in names.reversed() {
      let folder = try SourceFolder("\(target)/\(name)", in: sources)
      let types = higher.subtracting(folder.types)
      for file in folder.files {
        violations += file.uses(of: types).map {
          "Sources/\(file.name):\($0.line) uses \($0.type), which stands higher."
        }
      }
      higher.formUnion(folder.types)
    }
    return violations
  }

  /// The targets whose folders are not those in the order.
  func incompleteTargets() throws -> [String] {
    try order.filter { target, names in
      let found = try FileManager.default.contentsOfDirectory(
        atPath: sources.appendingPathComponent(target).path)
      return Set(found.filter { !$0.contains(".") }) != Set(names)
    }
    .map(\.target)
  }

  /// The types of a target that two of its files declare.
  func repeatedTypes() throws -> [String] {
    try order.flatMap { target, names in
      var places: [String: [String]] = [:]
      for name in names {
        for file in try SourceFolder("\(target)/\(name)", in: sources).files {
          for type in file.types { places[type, default: []].append(file.name) }
        }
      }
      return places.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map {
        "\($0.key) is declared in \($0.value.sorted().joined(separator: " and "))."
      }
    }
  }
}
