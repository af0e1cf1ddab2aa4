import Foundation
import Testing

/// What a package that uses Exhibit has to fetch.
@Suite struct PackageTraitTests {
  private func dependencies(traits: String) async throws -> String {
    let folder = try TemporaryFolder()
    let manifest = """
      // swift-tools-version: 6.3
      import PackageDescription
      let package = Package(
        name: "Consumer",
        dependencies: [.package(name: "Exhibit", path: "\(ThisPackage.folder.path)"\(traits))],
        targets: [.testTarget(name: "ConsumerTests", dependencies: [.product(name: "Attach", package: "Exhibit")])])
      """
    let root = URL(fileURLWithPath: folder.path)
    try manifest.write(to: root.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
    let tests = root.appendingPathComponent("Tests/ConsumerTests")
    try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
    try "import Attach".write(to: tests.appendingPathComponent("A.swift"), atomically: true, encoding: .utf8)
    let shell = try await Shell.run(["swift", "package", "show-dependencies"], in: root)
    #expect(shell.status == 0, "\(shell.output)")
    let checkouts = root.appendingPathComponent(".build/checkouts").path
    return try FileManager.default.contentsOfDirectory(atPath: checkouts).sorted().joined(separator: " ")
  }

  @Test func withoutTheTraitGRDBIsNotFetched() async throws {
    let without = try await dependencies(traits: "")
    #expect(without == "swift-argument-parser")
  }

  @Test func withTheTraitItIs() async throws {
    let with = try await dependencies(traits: ", traits: [\"GRDB\"]")
    #expect(with == "GRDB.swift swift-argument-parser")
  }
}
