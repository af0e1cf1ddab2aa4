import Collector
import ExhibitSystem
import ReportModel

/// The user's arguments for `swift test`, and those made from them.
package struct SwiftTestArguments: Sendable, Equatable {
  let given: [String]
  let workingFolder: String

  package init(_ given: [String], workingFolder: String) {
    self.given = given
    self.workingFolder = workingFolder
  }

  /// The tested package: `--package-path`, or the nearest folder upwards with a Package.swift.
  package var packageFolder: String {
    if let path = value(of: "--package-path") { return absolute(path) }
    var folder = workingFolder
    while true {
      if FileSystem.status(folder + "/Package.swift") != nil { return folder }
      guard let parent = FileSystem.parentFolder(of: folder) else { return workingFolder }
      folder = parent
    }
  }

  func attachments(in inputs: String) -> String {
    value(of: "--attachments-path").map(absolute) ?? inputs + "/attachments"
  }

  /// Adds what a report needs.
  func completed(inputs: String) -> [String] {
    var added: [String] = []
    func add(_ option: String, _ value: String) {
      if self.value(of: option) == nil { added += [option, value] }
    }
    add("--xunit-output", inputs + "/xunit.xml")
    if value(of: "--event-stream-output-path") == nil {
      added += ["--event-stream-output-path", inputs + "/events.jsonl"]
      add("--event-stream-version", "6.3")
    }
    add("--attachments-path", inputs + "/attachments")
    return given + added
  }

  /// True where each target's runner overwrites the event stream of the one before.
  var hasTargetRunners: Bool { value(of: "--build-system") == "swiftbuild" }

  /// They make `swift test` run only some tests.
  private static let selections = [
    "--filter", "--skip", "--specifier", "-s", "--disable-xctest", "--disable-swift-testing",
    "--test-product",
  ]
  /// `swift test list` needs them to find the same build.
  private static let buildOptions = [
    "--package-path", "--scratch-path", "--build-path", "--configuration", "-c", "--sanitize", "--traits",
    "--build-system", "--triple", "--swift-sdk", "--toolchain",
  ]

  /// Lists the expected tests; `nil` where only some run.
  var listing: [String]? {
    let isSelection = given.contains { argument in
      Self.selections.contains { argument == $0 || argument.hasPrefix($0 + "=") }
    }
    return isSelection ? nil : listingOfAll
  }

  // MARK: - Failed tests again

  /// Left out when failed tests run again: the choice of tests, and files of the first run.
  private static let replacedOptions = [
    "--filter", "--skip", "--specifier", "-s", "--xunit-output", "--event-stream-output-path",
    "--event-stream-version", "--attachments-path",
  ]
  private static let replacedFlags = [
    "--skip-build", "--disable-xctest", "--disable-swift-testing", "--enable-xctest",
    "--enable-swift-testing",
    "--enable-code-coverage",
  ]

  /// For failed tests, without another build.
  ///
  /// - Parameter framework: Of all these tests, if it is one and known.
  func again(_ filters: [String], of framework: TestFramework?) -> SwiftTestArguments {
    let kept = given(without: Self.replacedOptions, Self.replacedFlags)
    let chosen = filters.flatMap { ["--filter", $0] } + [framework?.flagForNoOther].compactMap { $0 }
    return SwiftTestArguments(kept + ["--skip-build"] + chosen, workingFolder: workingFolder)
  }

  // MARK: - Shards

  /// An option that chooses tests beside a shard.
  var choosingOption: String? {
    ["--filter", "--specifier", "-s", "--test-product"].first { value(of: $0) != nil }
  }

  var skips: [String] { values(of: "--skip") }

  var isParallel: Bool { given.contains("--parallel") }

  var buildOfShard: [String] { build + ["--enable-code-coverage"].filter(given.contains) }

  /// Makes `swift test` list all built tests.
  var listingOfAll: [String] {
    let options = Self.buildOptions.flatMap { option in value(of: option).map { [option, $0] } ?? [] }
    let flags = ["--disable-xctest", "--disable-swift-testing"].filter(given.contains)
    return ["list", "--skip-build"] + options + flags
  }

  /// For a part of a built shard.
  ///
  /// - Parameter isFirst: True for the part that writes the user's files.
  func shard(_ part: ShardFilters.Invocation, isFirst: Bool) -> SwiftTestArguments {
    let files = Self.replacedOptions.filter {
      $0.hasPrefix("--") && !["--filter", "--skip", "--specifier"].contains($0)
    }
    var added =
      given(without: isFirst ? [] : files, ["--skip-build"]) + ["--skip-build", "--filter", part.filter]
    if let flag = part.framework?.flagForNoOther, !added.contains(flag) { added.append(flag) }
    return SwiftTestArguments(added, workingFolder: workingFolder)
  }

  /// For no test at all, which fails where the tests do not build.
  package var withoutTests: SwiftTestArguments {
    SwiftTestArguments(given + ["--filter", "^$"], workingFolder: workingFolder)
  }

  // MARK: - Elsewhere

  private static let placeOptions = ["--package-path", "--scratch-path", "--build-path"]
  /// Unknown to `swift build`.
  private static let testOptions = [
    "--num-workers", "--test-product", "--repetitions", "--repeat-until", "--maximum-repetitions",
    "--experimental-maximum-parallelization-width",
  ]
  private static let testFlags = [
    "--parallel", "--no-parallel", "--list-tests", "-l", "--show-codecov-path", "--show-coverage-path",
    "--show-code-coverage-path", "--enable-testable-imports", "--disable-testable-imports",
    "--enable-experimental-swift-testing", "--disable-experimental-swift-testing", "--testable-imports",
    "--experimental-xunit-message-failure",
  ]

  var scratchFolder: String {
    (value(of: "--scratch-path") ?? value(of: "--build-path")).map(absolute) ?? packageFolder + "/.build"
  }

  /// For another checkout of the package, with its own build.
  func elsewhere(package: String, scratch: String) -> SwiftTestArguments {
    SwiftTestArguments(
      given(without: Self.placeOptions, []) + ["--package-path", package, "--scratch-path", scratch],
      workingFolder: workingFolder)
  }

  var build: [String] {
    ["--build-tests"]
      + given(without: Self.replacedOptions + Self.testOptions, Self.replacedFlags + Self.testFlags)
  }

  /// - Parameter options: They have a value.
  private func given(without options: [String], _ flags: [String]) -> [String] {
    var kept: [String] = []
    var isValue = false
    for argument in given {
      if isValue {
        isValue = false
      } else if options.contains(argument) {
        isValue = true
      } else if !flags.contains(argument), !options.contains(where: { argument.hasPrefix($0 + "=") }) {
        kept.append(argument)
      }
    }
    return kept
  }

  var requestedFiles: [RequestedFile] {
    var files: [RequestedFile] = []
    if let path = value(of: "--event-stream-output-path") {
      files.append(RequestedFile(candidates: candidates(path), name: "events.jsonl"))
    }
    if let path = value(of: "--xunit-output") {
      let swiftTesting = Self.swiftTestingName(of: path)
      files.append(RequestedFile(candidates: candidates(path), name: "xunit.xml"))
      files.append(RequestedFile(candidates: candidates(swiftTesting), name: "xunit-swift-testing.xml"))
    }
    return files
  }

  struct RequestedFile: Sendable, Equatable {
    /// Two, since `swift test` changes its working folder with `--package-path`.
    var candidates: [String]
    var name: String
  }

  /// Swift Testing's file beside XCTest's: `x.xml` becomes `x-swift-testing.xml`.
  private static func swiftTestingName(of path: String) -> String {
    let folderEnd = path.lastIndex(of: "/") ?? path.startIndex
    guard let dot = path[folderEnd...].lastIndex(of: ".") else { return path + "-swift-testing" }
    return path[..<dot] + "-swift-testing" + path[dot...]
  }

  /// The last of `--option value` or `--option=value`.
  private func value(of option: String) -> String? { values(of: option).last }

  private func values(of option: String) -> [String] {
    var found: [String] = []
    for (index, argument) in given.enumerated() {
      if argument == option, index + 1 < given.count { found.append(given[index + 1]) }
      if argument.hasPrefix(option + "=") { found.append(String(argument.dropFirst(option.count + 1))) }
    }
    return found
  }

  private func candidates(_ path: String) -> [String] {
    if path.hasPrefix("/") { return [path] }
    return [absolute(path), SourceRoot(path: packageFolder + "/" + path).path]
  }

  private func absolute(_ path: String) -> String {
    SourceRoot(path: path.hasPrefix("/") ? path : workingFolder + "/" + path).path
  }
}

extension TestFramework {
  /// Keeps the other framework's tests from running.
  fileprivate var flagForNoOther: String {
    switch self {
    case .xctest: "--disable-swift-testing"
    case .swiftTesting: "--disable-xctest"
    }
  }
}
