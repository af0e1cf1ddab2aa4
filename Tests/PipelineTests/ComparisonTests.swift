import Foundation
import Testing

/// `reporter test --compare-with` with a package that is built, without Attach, which would take a minute to build.
@Suite struct ComparisonTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Small", dependencies: [.package(path: "../../Outside")],
        targets: [
          .testTarget(name: "SmallTests", dependencies: [.product(name: "Outside", package: "Outside")])
        ])
      """, to: "repository/small/Package.swift")
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Outside", products: [.library(name: "Outside", targets: ["Outside"])],
        targets: [.target(name: "Outside")])
      """, to: "Outside/Package.swift")
    try folder.write("public func five() -> Int { 5 }\n", to: "Outside/Sources/Outside/Five.swift")
    try folder.write(".build\ntest-artifacts\n", to: "repository/.gitignore")
  }

  private func commit(four: Int) async throws {
    try folder.write(
      """
      import Outside
      import XCTest
      final class SmallTests: XCTestCase {
        func testAlways() { XCTAssertEqual(five(), 6) }
        func testFour() { XCTAssertEqual(five() - 1, \(four)) }
      }
      """, to: "repository/small/Tests/SmallTests/SmallTests.swift")
    for arguments in [["init", "-q", "."], ["add", "-A"], ["commit", "-q", "-m", "Four is \(four)"]] {
      let shell = try await Shell.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c"] + arguments,
        in: URL(fileURLWithPath: folder("repository")))
      #expect(shell.status == 0, "\(shell.output)")
    }
  }

  private func compare(_ name: String) async throws -> CommandResult {
    try await Shell.run(
      [try ThisPackage.program("reporter"), "test", "--compare-with", name, "--", "--parallel"],
      in: URL(fileURLWithPath: folder("repository/small")))
  }

  @Test func theTestPassesThere() async throws {
    try await commit(four: 4)
    try await commit(four: 5)
    let shell = try await compare("HEAD~1")
    #expect(shell.status == 1, "\(shell.output)")
    #expect(shell.output.contains("Attach is not linked in HEAD~1"), "\(shell.output)")
    let outputs = folder.files.filter { $0.contains("/compared/runs/") && $0.hasSuffix("/output.txt") }
    #expect(
      try outputs.count == 1
        && folder.read(try #require(outputs.first)).contains("Testing SmallTests.SmallTests/testFour"))
    try checkNews()
    // The worktree moves, and what fails to build there is told.
    try await commit(four: 6)
    try folder.write("public func six() -> Int { 6 }\n", to: "Outside/Sources/Outside/Five.swift")
    try folder.write(
      "import Outside\nimport XCTest\nfinal class SmallTests: XCTestCase { func testFour() { XCTAssertEqual(six(), 4) } }",
      to: "repository/small/Tests/SmallTests/SmallTests.swift")
    let again = try await compare("HEAD~1")
    #expect(
      again.output.contains("It does not build: Tests/SmallTests/SmallTests.swift:4:"), "\(again.output)")
    #expect(again.output.contains("cannot find 'five' in scope"))
  }

  /// What passes there is new and first, everywhere; what fails there too is neither.
  private func checkNews() throws {
    let report = "repository/small/test-artifacts/report"
    /// Without the signs of Markdown that keep `~` what it is.
    func text(_ name: String) throws -> String { try folder.read("\(report)/\(name)").filter { $0 != "\\" } }
    let comment = try text("comment.md").split(separator: "\n")
    let failures = comment.filter { $0.hasPrefix("- ✗") }
    // Without Attach nothing tells the two apart but that.
    #expect(failures.count == 1 && failures.first?.contains("**new** `testFour`") == true, "\(comment)")
    // What is code there is a matter of the words.
    #expect(
      failures.first?.filter { $0 != "`" }.contains("new: it passes with HEAD~1 (") == true, "\(failures)")
    #expect(try text("summary.md").filter { $0 != "`" }.contains("it fails too with HEAD~1 ("))
    #expect(comment.contains { $0 == "Compared with `HEAD~1`: **1 new, 1 still failing**" })
    let index = try text("index.html")
    #expect(index.firstRange(of: "<h1><bdi>testFour</bdi>") != nil)
    #expect(index.firstRange(of: #"<span class="label standing new">New failure</span>"#) != nil)
    #expect(index.firstRange(of: #"<span class="label standing still">still</span>"#) != nil)
  }
}
