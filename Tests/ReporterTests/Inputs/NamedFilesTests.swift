import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportTestSupport

/// Files that an input names: what does not lie where an input may speak of is not read, and a fault names it.
@Suite struct NamedFilesTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"
  private static let secret = "TOP-SECRET"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.secret, to: "secret.txt")
    try folder.write(Self.secret, to: "Secret.swift")
    try folder.write("", to: "package/Package.swift")
    try writeManifest(package: folder.path + "/package")
  }

  private func writeManifest(package: String) throws {
    try folder.writeManifest(to: Self.run, package: package)
  }

  /// Writes a log with a test that fails at the given places.
  private func writeLog(failingAt files: [String], line: Int = 1) throws {
    var log = try WrittenLog()
    try log.start(.store("testFails"))
    for file in files {
      try log.add(.store("testFails"), RecordedIssue(message: "m", file: file, line: line))
    }
    try log.finish(.store("testFails"), .failed)
    try log.end()
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
  }

  private func link(_ path: String, to target: String) throws {
    let path = folder.path + "/" + path
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Reports from a folder that is no package, and finds nothing secret in the report.
  @discardableResult
  private func report(
    _ arguments: [String] = ["artifacts"], path: String? = nil, expecting status: Int32 = 3
  ) throws -> CommandResult {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
    let result = try ReporterProcess.run(
      ["report", "--output", "../out", "--single-file"] + arguments.map { "../" + $0 },
      in: folder.path + "/elsewhere", path: path)
    #expect(result.status == status, "\(result.output) \(result.errors)")
    for file in folder.files where file.hasPrefix("out/") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(file)"))
      #expect(bytes.firstRange(of: Data(Self.secret.utf8)) == nil, "\(file)")
    }
    return result
  }

  // MARK: - Attachments

  private func stream(attaching paths: [String]) -> String {
    let test = "\"testID\":\"M.S/f()/F.swift:1:2\""
    let attached = paths.map {
      "{\"kind\":\"event\",\"payload\":{\"kind\":\"valueAttached\",\(test),\"attachment\":{\"path\":\"\($0)\"}},\"version\":\"6.3\"}\n"
    }
    return """
      {"kind":"event","payload":{"kind":"runStarted"},"version":"6.3"}
      {"kind":"event","payload":{"kind":"testStarted",\(test)},"version":"6.3"}
      \(attached.joined()){"kind":"event","payload":{"kind":"testEnded",\(test)},"version":"6.3"}
      {"kind":"event","payload":{"kind":"runEnded"},"version":"6.3"}

      """
  }

  @Test func aFolderOfAttachmentsOutsideTheRunIsNotRead() throws {
    for attachments in [folder.path, "/", folder.path + "/" + Self.run + "/inputs/../../../..", "../../.."] {
      try folder.write(
        "{\"arguments\":[],\"attachments\":\"\(attachments)\",\"format\":\"1.4\",\"status\":0}",
        to: "\(Self.run)/inputs/inputs.json")
      for path in [attachments + "/secret.txt", folder.path + "/secret.txt"] {
        try folder.write(stream(attaching: [path]), to: "\(Self.run)/inputs/events.jsonl")
        let result = try report()
        #expect(result.errors.contains(path), "\(result.errors)")
        #expect(try folder.read("out/report.json").contains("evidenceOutside"))
      }
    }
  }

  @Test func attachmentsOfARunThatWasMovedAreRead() throws {
    try folder.write(
      "{\"arguments\":[],\"attachments\":\"/old/attachments\",\"format\":\"1.4\",\"status\":0}",
      to: "\(Self.run)/inputs/inputs.json")
    try folder.write(stream(attaching: ["/old/attachments/note.txt"]), to: "\(Self.run)/inputs/events.jsonl")
    try folder.write("noted", to: "\(Self.run)/inputs/attachments/note.txt")
    try report(expecting: 0)
    #expect(folder.files.contains { $0.hasPrefix("out/evidence/") && $0.hasSuffix("/note.txt") })
  }

  @Test func hiddenFilesBesideAnInputAreNoAttachments() throws {
    try folder.write(Self.secret, to: "in/.env")
    try folder.write(Self.secret, to: "in/.git/config")
    try folder.write(Self.secret, to: "in/attachments/.git/config")
    let hidden = [".env", ".git/config", "attachments/.git/config"]
    let marks = hidden.map { "[[ATTACHMENT|\($0)]]\n" }.joined()
    let system = "<system-out>\(marks)</system-out>"
    try folder.write(
      "<testsuite><testcase classname='M.S' name='a'><failure message='m'/>\(system)</testcase></testsuite>",
      to: "in/a.xml")
    try folder.write(stream(attaching: hidden.map { folder.path + "/in/" + $0 }), to: "in/events.jsonl")
    for input in ["in/a.xml", "in/events.jsonl"] {
      let result = try report([input])
      for name in hidden { #expect(result.errors.contains(name), "\(input): \(result.errors)") }
    }
  }

  // MARK: - Sources

  @Test(arguments: ["/", "", "none", "."])
  func aFolderThatIsNoPackageHasNoSources(package: String) throws {
    let path = package.hasPrefix("/") ? package : folder.path + "/" + package
    try folder.write("", to: "none/README.md")
    try writeManifest(package: package == "." ? "." : path)
    let places = ["secret.txt", "Secret.swift"]
    try writeLog(failingAt: places.map { folder.path + "/" + $0 })
    let result = try report()
    for place in places { #expect(result.errors.contains(place), "\(result.errors)") }
  }

  @Test func onlySourcesOfThePackageAreShown() throws {
    try folder.write("let shown = true", to: "package/Tests/A.swift")
    for name in [".git/config", "config/secrets.yml", "secret", ".env", ".hidden/A.swift"] {
      try folder.write(Self.secret, to: "package/\(name)")
    }
    try link("package/Tests/Link.swift", to: "../../Secret.swift")
    try link("package/Tests/Inner.swift", to: "../config/secrets.yml")
    try link("package/Up", to: "..")
    let refused = [
      ".git/config", "config/secrets.yml", "secret", ".env", "Tests/Link.swift", "Tests/Inner.swift",
      "Up/Secret.swift", "../Secret.swift", "../secret.txt", ".hidden/A.swift",
    ].map { folder.path + "/package/" + $0 }
    try writeLog(failingAt: refused + [folder.path + "/package/Tests/A.swift", "/etc/hostname"])
    let result = try report()
    let page = try #require(folder.files.first { $0.hasPrefix("out/tests/") })
    #expect(try folder.read(page).contains("let shown = true"))
    let json = try folder.read("out/report.json")
    for place in refused {
      let name = place.dropFirst(folder.path.count + "/package/".count)
      #expect(result.errors.contains("\(name)"), "\(name): \(result.errors)")
    }
    #expect(result.errors.contains("/etc/hostname"))
    #expect(json.components(separatedBy: "\"sourceNotShown\"").count == 1 + refused.count + 1)
  }

  /// As from a dependency, which is nobody's fault.
  @Test func sourcesOfDependenciesAndElsewhereAreNotShown() throws {
    try folder.write(Self.secret, to: "package/.build/checkouts/a/A.swift")
    try writeLog(failingAt: [
      folder.path + "/package/.build/checkouts/a/A.swift", folder.path + "/Secret.swift",
    ])
    try report(expecting: 0)
    let json = try folder.read("out/report.json")
    #expect(json.components(separatedBy: "\"sourceNotShown\"").count == 3)
    #expect(json.contains("checkouts/a/A.swift") && json.contains("Secret.swift"))
  }

  @Test func gitIsNeverRun() throws {
    let marker = folder.path + "/git-was-run"
    let script = try folder.write("#!/bin/sh\ntouch '\(marker)'\n", to: "bin/git")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try folder.write("[core]\n  fsmonitor = touch '\(marker)'\n", to: "package/.git/config")
    try folder.write("let shown = true", to: "package/Tests/A.swift")
    try writeLog(failingAt: [folder.path + "/package/Tests/A.swift"])
    try report(path: folder.path + "/bin", expecting: 0)
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  // MARK: - Links in a run

  @Test(arguments: [
    "run.json", "logs", "logs/7-70.jsonl", "inputs", "inputs/xunit.xml", "inputs/output.txt",
    "inputs/tests.txt",
    "inputs/inputs.json", "inputs/events.jsonl", "inputs/attachments",
  ])
  func aLinkInARunIsNotFollowed(name: String) throws {
    try writeLog(failingAt: [])
    let path = "\(Self.run)/\(name)"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/\(Self.run)/inputs", withIntermediateDirectories: true)
    let contents = "<testsuite><testcase classname='M.S' name='\(Self.secret)'/></testsuite>"
    try folder.write(contents, to: "target")
    try FileSystem.remove(folder.path + "/" + path)
    try link(path, to: folder.path + (name.contains(".") ? "/target" : ""))
    let result = try report()
    #expect(result.errors.contains(name), "\(result.errors)")
    #expect(result.errors.contains("a link"), "\(result.errors)")
  }
}
