import Foundation

/// A package under Tests/Fixtures that uses Exhibit as its users do; each variant is built once.
actor FixturePackage {
  static let recorded = FixturePackage("Recorded", sharesBuild: true)
  static let verdicts = FixturePackage("Verdicts", sharesBuild: true)
  static let verdictsWithoutAttach = FixturePackage(
    "Verdicts", scratch: ".build-plain", environment: ["ATTACH": "0"], sharesBuild: true)
  static let verdictsInRelease = FixturePackage(
    "Verdicts", scratch: ".build-release", options: ["-c", "release"])
  static let verdictsWithThreadSanitizer = FixturePackage(
    "Verdicts", scratch: ".build-thread", options: ["--sanitize=thread"])
  static let verdictsWithAddressSanitizer = FixturePackage(
    "Verdicts", scratch: ".build-address", options: ["--sanitize=address"])
  /// Built by SwiftPM's other build system, where each test target has a runner of its own.
  static let verdictsWithSwiftBuild = FixturePackage(
    "Verdicts", scratch: ".build-swiftbuild", options: ["--build-system", "swiftbuild"])

  static let examples = FixturePackage("../../Examples", sharesBuild: true)
  /// An app with a copy of SQLite whose functions have another prefix.
  static let secondSQLite = FixturePackage(
    "Images", scratch: ".build-second", environment: ["SQLITE": StaticSQLite.renamed ?? ""], sharesBuild: true
  )
  /// An app with SQLite in its executable.
  static let ownSQLite = FixturePackage(
    "Images", scratch: ".build-own", environment: ["SQLITE": StaticSQLite.path ?? "", "OWN": "1"],
    sharesBuild: true)

  nonisolated let folder: URL
  private let scratch: String
  private let options: [String]
  private let environment: [String: String]
  private let sharesBuild: Bool
  /// SwiftPM lets no two invocations into one folder: the second would wait while its time runs.
  private let turns = Turns()
  private var building: Task<Void, any Error>?

  init(
    _ name: String, scratch: String = ".build-fixture", options: [String] = [],
    environment: [String: String] = [:], sharesBuild: Bool = false
  ) {
    folder =
      ThisPackage.file("Tests/Fixtures/\(name)")
      .standardizedFileURL
    self.scratch = scratch
    self.options = ["--scratch-path", scratch] + options
    self.environment = environment
    self.sharesBuild = sharesBuild
  }

  /// Runs `swift test` on the built package, with an artifacts folder of its own.
  func test(_ arguments: [String] = [], environment: [String: String] = [:]) async throws -> FixtureRun {
    try await build()
    let artifacts = try TemporaryFolder()
    let shell = try await runAlone(
      ["swift", "test", "--skip-build"] + options + arguments, all(environment, artifacts))
    return try FixtureRun(artifacts: artifacts, package: folder, shell: shell)
  }

  /// Runs `reporter test` on the built package.
  ///
  /// - Parameters:
  ///   - given: Options of `reporter`.
  ///   - program: What runs it instead, with the whole command as further arguments.
  func report(
    _ arguments: [String] = [], options given: [String] = [], environment: [String: String] = [:],
    through program: [String] = []
  ) async throws -> FixtureRun {
    try await build()
    let artifacts = try TemporaryFolder()
    let shell = try await runAlone(
      program + [try ThisPackage.program("reporter"), "test"] + given + ["--", "--skip-build"] + options
        + arguments,
      all(environment, artifacts))
    return try FixtureRun(artifacts: artifacts, package: folder, shell: shell)
  }

  /// Runs `reporter report` on what a run has left.
  nonisolated func reportAgain(on run: FixtureRun, _ arguments: [String] = []) async throws -> CommandResult {
    try await Shell.run(
      [try ThisPackage.program("reporter"), "report"] + arguments, in: folder,
      environment: environment.merging(["EXHIBIT_ARTIFACTS": run.artifacts.path]) { $1 })
  }

  /// Runs `reporter show` on what a run has left.
  nonisolated func show(_ arguments: [String], of run: FixtureRun) async throws -> CommandResult {
    try await Shell.run(
      [try ThisPackage.program("reporter"), "show"] + arguments, in: folder,
      environment: environment.merging(["EXHIBIT_ARTIFACTS": run.artifacts.path]) { $1 })
  }

  /// Runs `swift test list` on the built package.
  func list(environment: [String: String]) async throws -> CommandResult {
    try await build()
    return try await runAlone(
      ["swift", "test", "list", "--skip-build"] + options,
      self.environment.merging(environment) { $1 })
  }

  /// Runs Swift Testing's tests without `swift test`, which would keep others from the package meanwhile.
  ///
  /// - Parameter program: What runs them instead, with the whole command as further arguments.
  func testDirectly(
    _ arguments: [String], environment: [String: String] = [:], through program: [String] = []
  ) async throws -> FixtureRun {
    let artifacts = try TemporaryFolder()
    let bundle = try await executable().path
    let shell = try await Shell.run(
      program + [bundle, "--testing-library", "swift-testing"] + arguments, in: folder,
      environment: all(environment, artifacts))
    return try FixtureRun(artifacts: artifacts, package: folder, shell: shell)
  }

  /// Runs XCTests, given by their names, in a process of its own without `swift test`; `launcher` runs it.
  ///
  /// `swift test` compiles the manifests of all packages anew where the environment is another one, and takes ten times as
  /// long.
  func testXCTestsDirectly(
    _ tests: [String], into given: TemporaryFolder? = nil, environment: [String: String] = [:],
    launcher: [String] = []
  ) async throws -> FixtureRun {
    let artifacts = try given ?? TemporaryFolder()
    let bundle = try await executable().path
    let shell = try await Shell.run(
      launcher + [bundle, tests.joined(separator: ",")], in: folder, environment: all(environment, artifacts))
    return try FixtureRun(artifacts: artifacts, package: folder, shell: shell)
  }

  /// The built test executable.
  func executable() async throws -> URL {
    try await build()
    let configuration = options.contains("release") ? "release" : "debug"
    return folder.appendingPathComponent(
      "\(scratch)/\(configuration)/\(folder.lastPathComponent)PackageTests.xctest")
  }

  private func runAlone(_ arguments: [String], _ environment: [String: String]) async throws -> CommandResult
  {
    try await turns.next { [folder] in
      try await Shell.run(arguments, in: folder, environment: environment)
    }
  }

  private func all(_ given: [String: String], _ artifacts: TemporaryFolder) -> [String: String] {
    environment.merging(["EXHIBIT_ARTIFACTS": artifacts.path]) { $1 }.merging(given) { $1 }
  }

  private func build() async throws {
    let task =
      building ?? Task { try await sharesBuild ? copyOfSharedBuild() : build(into: options, environment) }
    building = task
    try await task.value
  }

  private func build(into options: [String], _ environment: [String: String]) async throws {
    let shell = try await Shell.run(
      ["swift", "build", "--build-tests"] + options, in: folder, environment: environment)
    guard shell.status == 0 else { throw Shell.Failure(description: shell.output) }
  }

  /// Builds it in a folder that packages which are built alike share, so that Attach and GRDB are compiled once.
  ///
  /// Each runs from a copy of it, so that their tests need not wait for each other.
  private func copyOfSharedBuild() async throws {
    try await Self.sharedBuilds.next { [self] in
      try await build(
        into: Self.inSharedFolder, environment.merging(Self.sharedFlags) { $1 })
      let copying = try await Shell.run(
        ["bash", "-c", Self.copying, "copy", Self.sharedFolder, scratch], in: folder)
      guard copying.status == 0 else { throw Shell.Failure(description: copying.output) }
    }
  }

  private static let sharedBuilds = Turns()
  private static let sharedFolder = ThisPackage.file(".build/fixtures").standardizedFileURL.path
  /// Without the second SwiftPM may build the package again that it built there before, and says that it is done.
  private static let inSharedFolder = ["--scratch-path", sharedFolder, "--disable-build-manifest-caching"]
  /// ci/documentation has built there, and with other flags all would be built anew.
  private static let sharedFlags = ProcessInfo.processInfo.environment.filter {
    $0.key == "EXHIBIT_WARNINGS_AS_ERRORS"
  }

  /// The variables with which another program builds in the folder that packages share, when all have their copies.
  static func lendSharedBuild() async throws -> [String: String] { try await lentBuild.value }

  private static let lentBuild = Task {
    var packages = [recorded, verdicts, verdictsWithoutAttach, examples]
    if StaticSQLite.path != nil { packages.append(ownSQLite) }
    if StaticSQLite.renamed != nil { packages.append(secondSQLite) }
    for package in packages { try await package.build() }
    // As which SwiftPM goes on.
    try await sharedBuilds.next { try await examples.build(into: inSharedFolder, sharedFlags) }
    return sharedFlags.merging(["SWIFTPM_BUILD_DIR": sharedFolder]) { $1 }
  }

  /// Copies the first folder to the second without what only the compiler needs.
  private static let copying = """
    set -o pipefail
    rm -rf "$2" && mkdir -p "$2" && tar -C "$1" --exclude='*.build' --exclude=ModuleCache -c . | tar -C "$2" -x
    """
}
