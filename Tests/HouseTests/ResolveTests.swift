import Foundation
import Testing

/// `Tests/Diagnosis/resolve` makes every choice of an app, and leaves nothing that tells of one.
@Suite struct ResolveTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.1
      // Two tests that fail on purpose; KEY.md tells why.
      import PackageDescription

      let package = Package(name: "till", targets: [.target(name: "Till"), .testTarget(name: "TillTests")])

      """, to: "app/Package.swift")
    try folder.write("The key of the planted causes.\n", to: "app/KEY.md")
    try folder.write(Self.fixture("forms.txt"), to: "app/Sources/Till/Till.swift")
    try folder.write(Self.tests([1, 2]), to: "app/Tests/TillTests/TillTests.swift")
    try folder.write(Self.tests([3]), to: "app/Tests/TillTests/MoreTests.swift")
  }

  private static func fixture(_ name: String) throws -> String {
    try String(contentsOf: ThisPackage.file("Tests/Diagnosis/\(name)"), encoding: .utf8)
  }

  /// A file of tests, each of which opens a site.
  private static func tests(_ sites: [Int]) -> String {
    let tests = sites.map { "  /// Site \($0).\n  @Test func site\($0)() { open(\($0)) }\n" }
    return "struct TillTests {\n  func open(_ site: Int) {}\n\n\(tests.joined(separator: "\n"))}\n"
  }

  private func resolve(_ arguments: String...) throws -> CommandResult { try resolve(arguments) }

  private func resolve(_ arguments: [String]) throws -> CommandResult {
    try Command([ThisPackage.file("Tests/Diagnosis/resolve").path, folder("app")] + arguments).run()
  }

  /// `EXHIBIT_RECORD=1 swift test --filter ResolveTests` records what is expected again.
  @Test(arguments: [("faulty", []), ("good", ["--good"])])
  func everyFormIsResolved(kind: String, options: [String]) throws {
    let result = try resolve(["1", folder("out")] + options)
    #expect(result.status == 0, "\(result.output)")
    let resolved = try folder.read("out/Sources/Till/Till.swift")
    if ProcessInfo.processInfo.environment["EXHIBIT_RECORD"] == "1" {
      let golden = ThisPackage.file("Tests/Diagnosis/forms.\(kind).txt")
      try resolved.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(resolved == (try Self.fixture("forms.\(kind).txt")))
  }

  @Test func onlyTheTestOfTheSiteStays() throws {
    #expect(try resolve("2", folder("out")).status == 0)
    let files = ["Package.swift", "Sources/Till/Till.swift", "Tests/TillTests/TillTests.swift"]
    #expect(folder.files.filter { $0.hasPrefix("out/") } == files.map { "out/" + $0 })
    #expect(try folder.read("out/Tests/TillTests/TillTests.swift") == Self.tests([2]))
    #expect(
      try folder.read("out/Package.swift").hasPrefix(
        "// swift-tools-version: 6.1\nimport PackageDescription\n"))
  }

  @Test func theSecondCommitIsTheFaultyOne() throws {
    #expect(try resolve("1", folder("out"), "--commits").status == 0)
    #expect(try resolve("1", folder("good"), "--good").status == 0)
    #expect(try resolve("1", folder("again"), "--commits").status == 0)
    func git(_ arguments: String...) throws -> String {
      try Command(["git", "-C", folder("out")] + arguments).run().output
    }
    let path = "Sources/Till/Till.swift"
    #expect(try folder.read("out/\(path)") == Self.fixture("forms.faulty.txt"))
    #expect(try git("show", "HEAD~1:\(path)") == folder.read("good/\(path)"))
    #expect(try git("diff", "--name-only", "HEAD~1") == path + "\n")
    #expect(try git("rev-list", "--count", "HEAD") == "2\n")
    #expect(try git("status", "--short") == "")
    let head = try Command(["git", "-C", folder("again"), "rev-parse", "HEAD"]).run().output
    #expect(try git("rev-parse", "HEAD") == head)
  }

  @Test func eachCauseHasAFolder() throws {
    try folder.write("let third = planted(3)\n", to: "app/Sources/Till/Third.swift")
    #expect(try resolve("--all", folder("out")).status == 0)
    for (name, value) in [("01", false), ("02", false), ("03", true)] {
      #expect(try folder.read("out/\(name)/Sources/Till/Third.swift") == "let third = \(value)\n")
    }
  }

  @Test(arguments: [
    ("let a = planted(n)", "1: planted(n) has no number"),
    ("let a = 1\nlet b = 1 == planted(1)", "2: planted(1) cannot be resolved: its form is not known"),
    ("let a = 1 + planted(1) ? 2 : 3", "1: planted(1) cannot be resolved: it stands behind “+”"),
    ("let a = planted(1) ? 2", "1: planted(1) cannot be resolved: there is no “:” for its “?”"),
    (
      "let a = if planted(1) { 1 } else { 2 }",
      "1: planted(1) cannot be resolved: “if” is no statement of its own"
    ),
    (
      "func f() {\n  guard !planted(1) else { return }\n}",
      "2: planted(1) cannot be resolved: its “guard” would be of no use"
    ),
    ("func f() { switch planted(1) { default: break } }", "its “switch” would be of no use"),
    ("func f() { repeat { break } while !planted(1) }", "its loop is left by break or continue"),
    (
      "func f() {\n  let a = 1\n  if planted(1) {\n    let a = 2\n  }\n}",
      "3: planted(1) cannot be resolved: a would be declared twice"
    ),
    ("let a = planted", "1: “planted” is left"),
    ("let a = \"planted\"", "1: “planted” is left"),
    ("let a = f(planted(1)", "1: a bracket is never closed"),
    ("let a = (1]", "1: “]” closes nothing"),
    ("let a = \"1\n", "1: a text has no end"),
  ])
  func whatCannotBeResolvedIsAnError(text: String, message: String) throws {
    try folder.write(text, to: "app/Sources/Till/Wrong.swift")
    let result = try resolve("1", folder("out"))
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("resolve: Sources/Till/Wrong.swift:"), "\(result.output)")
    #expect(result.output.hasSuffix(message + "\n"), "\(result.output)")
    #expect(try folder.names == ["app"])
  }

  @Test func aCauseHasCallsAndOneTest() throws {
    #expect(try resolve("3", folder("out")).output == "resolve: no source has planted(3)\n")
    try folder.write(Self.tests([1]), to: "app/Tests/TillTests/MoreTests.swift")
    #expect(try resolve("1", folder("out")).output == "resolve: 2 tests open site 1\n")
    try folder.write("", to: "app/Tests/TillTests/TillTests.swift")
    #expect(try resolve("2", folder("out")).output == "resolve: 0 tests open site 2\n")
  }

  @Test func aFolderThatHoldsSomethingIsLeftAlone() throws {
    try folder.write("mine", to: "out/file")
    let result = try resolve("1", folder("out"))
    #expect(result.status == 1)
    #expect(result.output == "resolve: \(folder("out")) is not empty\n")
    #expect(try resolve(folder("out")).status == 2)
    #expect(try resolve("1", folder("out"), "--all").status == 2)
  }
}
