import Foundation
import Testing

@testable import TestSupport

/// Package.swift, which Swift 6.0 reads, is a part of what later ones read.
@Suite struct ManifestTests {
  @Test func theOlderOneNamesNothingElse() throws {
    let older = try declarations(in: "Package.swift")
    let newer = try declarations(in: "Package@swift-6.1.swift")
    #expect(older.count == 10)
    for declaration in older { #expect(newer.contains(declaration), "\(declaration)") }
  }

  /// Products and targets, each on one line.
  private func declarations(in manifest: String) throws -> [String] {
    let text = try String(contentsOf: ThisPackage.file(manifest), encoding: .utf8)
    return text.matches(of: /\n    (\.(?:library|target|systemLibrary)\([\s\S]*?\)),(?=\n    \.|\n  \])/).map
    {
      $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
}
