import Foundation

/// Where the jobs of a recipe run, as their service would run them: Examples, and stand-ins for what is the service's own.
final class CIWorkspace {
  /// What the service keeps: artifacts, caches, comments, and what was asked of it.
  let service: TemporaryFolder
  /// The package that is tested.
  static let package = ThisPackage.file("Examples")
  /// For which what failed runs again with changes, in place of the minutes of the recipes.
  static let explainSeconds = 5

  /// What is built for one job is there for the next ones.
  private let build: [String: String]

  init() async throws {
    build = try await FixturePackage.lendSharedBuild()
    service = try TemporaryFolder()
    try service.write("[]", to: "comments.json")
    _ = try service.makeFolder("artifacts")
    for name in ["calls", "installed"] { try service.write("", to: name) }
  }

  deinit {
    // What stays is in nobody's way but that of git.
    try? clean()
  }

  /// Makes the package's folder that of a new checkout, but for the build, which a cache would bring.
  func clean() throws {
    for name in ["test-results", "test-artifacts/report", "test-artifacts/runs", "test-history", "shards"] {
      try remove(Self.package.appendingPathComponent(name).path)
    }
  }

  private func remove(_ path: String) throws {
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
  }

  /// Copies a file or folder, in place of what lies there; nothing where there is none.
  func copy(_ from: String, to path: String) throws {
    guard FileManager.default.fileExists(atPath: from) else { return }
    try remove(path)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: from, toPath: path)
  }

  /// Runs shell lines as both services do: they end with the first that fails.
  ///
  /// - Parameter variables: Those of the service; nothing of this test run reaches it.
  func shell(_ script: String, in folder: String, _ variables: [String: String]) throws -> CommandResult {
    var environment = Command.isolatedEnvironment
    let standIns = ThisPackage.file("Tests/Fixtures/CI").path
    environment["PATH"] = standIns + ":" + (environment["PATH"] ?? "")
    environment["SERVICE_STORE"] = service.path
    environment["REPORTER"] = LongTests.areAsked ? "" : try ThisPackage.program("reporter")
    environment.merge(build) { $1 }
    return try Command(
      ["sh", "-e", "-c", script], in: folder, environment: environment.merging(variables) { $1 }
    ).run()
  }

  /// Keeps an archive as `ci/release` makes one, and its sum, for whom they are to be downloaded.
  ///
  /// In it is the built reporter: a program that runs that one.
  func release(_ name: String) throws {
    let program = try ThisPackage.program("reporter")
    let packed = "reporter-1/reporter"
    let path = try service.write("#!/bin/sh\nexec '\(program)' \"$@\"\n", to: "release/\(packed)")
    let lines = """
      chmod +x '\(path)'
      tar --create --gzip --file '\(name)' reporter-1
      sha256sum '\(name)' > '\(name).sha256'
      """
    let result = try shell(lines, in: service("release"), [:])
    guard result.status == 0 else { throw UnknownPart(part: result.output) }
  }

  // MARK: - What became of it

  /// The comments of the request.
  func comments() throws -> [String] {
    let comments = try JSONDecoder().decode([Note].self, from: Data(service.read("comments.json").utf8))
    return comments.map(\.body)
  }

  private struct Note: Decodable {
    var body: String
  }

  func calls() throws -> [String] { try service.read("calls").split(separator: "\n").map(String.init) }

  /// The report as it was uploaded.
  func report(_ path: String) throws -> ReportJSON { try ReportJSON(in: service(path)) }

  /// The tests of Examples that fail on purpose.
  static func failingTests() throws -> Set<String> {
    let file = package.appendingPathComponent("failing-tests.txt")
    return Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
  }
}

extension ReportJSON {
  /// The failed tests, without their arguments.
  var failed: Set<String> {
    Set(
      document.tests.filter { $0.outcome == "failed" }.map { String($0.id.prefix { $0 != "(" && $0 != " " }) }
    )
  }
}
