import Foundation
import Testing

/// docs/architecture.md says in which order the folders of a target stand; each uses those before it only.
@Suite struct BordersTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let sources = repository.appendingPathComponent("Sources")

  /// The rows of the table: a target, and its folders in their order.
  private static func order() throws -> [(target: String, folders: [String])] {
    let document = try String(
      contentsOf: repository.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
    return document.matches(of: /(?m)^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|/).map { row in
      (String(row.1), row.2.matches(of: /`(\w+)`/).map { String($0.1) })
    }
  }

  @Test func noFolderUsesATypeOfAHigherOne() throws {
    for (target, names) in try Self.order() {
      let folders = try names.map { try SourceFolder("\(target)/\($0)", in: Self.sources) }
      // What lies beside the folders ties them together.
      let top = try SourceFolder(target, in: Self.sources, isRecursive: false)
      var higher = top.types
      for folder in folders.reversed() {
        let types = higher.subtracting(folder.types)
        for file in folder.files {
          for use in file.uses(of: types) {
            Issue.record("Sources/\(file.name):\(use.line) uses \(use.type), which stands higher.")
          }
        }
        higher.formUnion(folder.types)
      }
    }
  }

  @Test func everyFolderOfATargetIsInTheOrder() throws {
    let order = try Self.order()
    #expect(!order.isEmpty)
    for (target, names) in order {
      let folder = Self.sources.appendingPathComponent(target)
      let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        !$0.contains(".")
      }
      #expect(Set(found) == Set(names), "Sources/\(target)")
    }
  }

  @Test func noTypeOfATargetHasTheNameOfAnother() throws {
    for (target, names) in try Self.order() {
      var places: [String: [String]] = [:]
      for name in names {
        let folder = try SourceFolder("\(target)/\(name)", in: Self.sources)
        for file in folder.files { for type in file.types { places[type, default: []].append(file.name) } }
      }
      for (type, files) in places where files.count > 1 {
        Issue.record("\(type) is declared in \(files.joined(separator: " and ")).")
      }
    }
  }
}
