import Foundation
import Testing

/// The README and the pages it leads to name every option of the command line and every variable that Exhibit reads.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: ThisPackage.file(path), encoding: .utf8)
  }

  /// The matches of a pattern, each once.
  private func matches(_ pattern: String, in text: String) throws -> Set<String> {
    Set(text.matches(of: try Regex(pattern)).map { String(text[$0.range]) })
  }

  @Test(arguments: ["report", "test"]) func everyOptionIsNamed(command: String) throws {
    let options = try matches("--[a-z-]+", in: help(command)).subtracting(["--help", "--"])
    #expect(options.contains("--no-rows"))
    let named = try matches("--[a-z-]+", in: text("README.md") + text("docs/reporter.md"))
    #expect(options.subtracting(named) == [])
  }

  /// The line of a manifest that the README gives, with the path of a checkout.
  private func packageLine(_ beginning: String, in readme: String, path: String) throws -> String {
    let lines = readme.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let line = try #require(lines.first { $0.hasPrefix(beginning) })
    let code = try #require(line.split(separator: "  //").first)
    return String(code.replacing(#""../exhibit""#, with: "\"\(path)\""))
  }

  /// Loads a package that depends on this one as the README says, up to its products and what they need.
  private func load(dependencies: String, targets: String, in folder: URL) async throws -> CommandResult {
    let manifest = """
      // swift-tools-version: 6.3
      import PackageDescription
      let package = Package(
        name: "App",
        \(dependencies)
        \(targets.replacing("targets: [", with: "targets: [.target(name: \"Store\"), ")))
      """
    for (file, text) in [
      "Package.swift": manifest, "Sources/Store/Store.swift": "public let store = 1",
      "Tests/StoreTests/StoreTests.swift": "import Attach",
    ] {
      let url = folder.appendingPathComponent(file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return try await Shell.run(["swift", "package", "show-dependencies"], in: folder)
  }

  @Test func itsPackageLinesLoad() async throws {
    let readme = try text("README.md")
    let folder = try TemporaryFolder()
    // The folder of a clone may have any name.
    let exhibit = folder.path + "/recorder-2"
    try FileManager.default.createSymbolicLink(
      atPath: exhibit, withDestinationPath: ThisPackage.folder.standardizedFileURL.path)
    let root = URL(fileURLWithPath: folder.path)
    let dependencies = try packageLine("dependencies: [", in: readme, path: exhibit)
    let targets = try packageLine("targets: [", in: readme, path: exhibit)
    let plain = try await load(
      dependencies: dependencies, targets: targets, in: root.appendingPathComponent("plain"))
    #expect(plain.status == 0, "\(plain.output)")
    let package = try packageLine(".package(name:", in: readme, path: exhibit)
    let product = try packageLine(".product(name: \"AttachGRDB\"", in: readme, path: exhibit)
    let withGRDB = try await load(
      dependencies: "dependencies: [\(package)],",
      targets: targets.replacing(".product(name: \"Attach\", package: \"exhibit\")", with: product),
      in: root.appendingPathComponent("grdb"))
    #expect(withGRDB.status == 0, "\(withGRDB.output)")
    #expect(withGRDB.output.contains("GRDB.swift") && !plain.output.contains("GRDB.swift"))
  }

  @Test func everyVariableIsNamed() throws {
    let sources = ThisPackage.file("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var read: Set<String> = []
    for case let file as URL in files where ["swift", "c"].contains(file.pathExtension) {
      read.formUnion(try matches("\"EXHIBIT_[A-Z_]+\"", in: String(contentsOf: file, encoding: .utf8)))
    }
    #expect(read.contains("\"EXHIBIT_CAPTURE\""))
    let named = try matches("EXHIBIT_[A-Z_]+", in: text("docs/attach.md"))
    #expect(read.filter { !named.contains($0.trimmingCharacters(in: ["\""])) } == [])
  }

  @Test func everyExampleIsDescribed() throws {
    let folder = ThisPackage.file("Examples/Tests")
    let suites = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let readme = try text("Examples/README.md")
    #expect(suites.count > 1)
    #expect(suites.filter { !readme.contains("`\($0.dropLast("Tests".count))`") } == [])
  }

  @Test func everyFileThatItLinksToExists() throws {
    let links = try matches("\\]\\([a-z./A-Z-]+\\)", in: text("README.md")).map { $0.dropFirst(2).dropLast() }
    #expect(links.contains("docs/artifacts-format.md"))
    // The picture is made of a report, by ci/screenshot.
    for link in links where link != "docs/report.png" {
      #expect(
        FileManager.default.fileExists(atPath: ThisPackage.file(String(link)).path))
    }
  }

  /// What the built `reporter`, beside the test bundle, says of a command.
  private func help(_ command: String) throws -> String {
    try Command([ThisPackage.program("reporter"), command, "--help"]).run().output
  }
}
