import Collector
import ExhibitSystem
import Foundation
import Glibc
import Testing

/// How processes that belong together find one run folder, whoever comes first.
@Suite struct RunFolderTests {
  private let folder: TemporaryFolder
  private var artifacts: ArtifactsFolder { ArtifactsFolder(path: folder.path + "/test-artifacts") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func theFirstProcessMakesTheFolderAndTheOthersFindIt() throws {
    let run = RunIdentity(key: "0123abcd", start: 1_795_000_000)
    let first = try RunFolder.open(run, in: artifacts)
    var later = run
    // Another process may have rounded the start to the next second.
    later.start += 1
    let second = try RunFolder.open(later, in: artifacts)
    #expect(first.isNew && !second.isNew)
    #expect(first.folder == second.folder)
    #expect(first.folder.name == "20261118-110640-0123abcd")
  }

  @Test func manyProcessesAtOnceMakeOneFolder() async throws {
    let artifacts = artifacts
    let opened = try await withThrowingTaskGroup(of: RunFolder.Opened.self) { group in
      for second in 0..<32 {
        group.addTask {
          try RunFolder.open(
            RunIdentity(key: "feedbeef", start: 1_795_000_000 + Double(second % 2)), in: artifacts)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // Whoever lost the race for the name found the other's folder, or removed its own empty one.
    #expect(try FileSystem.entries(of: artifacts.runsFolder).count <= 2)
    #expect(opened.filter(\.isNew).count >= 1)
  }

  @Test func aNamedRunHasItsNameMadeSafe() throws {
    let run = RunIdentity.current(name: "../job 7")
    let opened = try RunFolder.open(run, in: artifacts)
    #expect(opened.folder.path == artifacts.runsFolder + "/" + SafeName("../job 7").description)
    #expect(try !RunFolder.open(run, in: artifacts).isNew)
  }

  @Test func theProcessesOfOneSwiftTestShareTheirIdentity() {
    let first = RunIdentity.current(name: nil)
    let second = RunIdentity.current(name: nil)
    #expect(first.key == second.key)
    #expect(abs(first.start - second.start) < 0.5)
    #expect(first.owner?.isRunning == true)
  }

  private func link(_ path: String, to target: String) throws {
    try FileSystem.createFolder(folder.path + "/elsewhere")
    try FileSystem.createFolder(try #require(FileSystem.parentFolder(of: path)))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/" + target)
  }

  private let run = RunIdentity(key: "job", start: 1, isNamed: true)
  private let process = ProcessHeader(pid: 7, startTicks: 70, executable: "x")

  @Test(arguments: ["runs", "runs/job", "runs/job/logs", "runs/job/logs/7-70.jsonl"])
  func aLinkInTheirPlaceIsRefused(place: String) throws {
    let isLog = place.hasSuffix(".jsonl")
    try link(artifacts.path + "/" + place, to: isLog ? "elsewhere/precious" : "elsewhere")
    if isLog { try FileSystem.writeNewFile(folder.path + "/elsewhere/precious", [1]) }
    #expect(throws: SystemError.self) {
      _ = try LogFile(for: process, in: try RunFolder.open(run, in: artifacts).folder)
    }
    #expect(try FileSystem.entries(of: folder.path + "/elsewhere") == (isLog ? ["precious"] : []))
    if isLog { #expect(FileSystem.size(of: folder.path + "/elsewhere/precious") == 1) }
  }

  @Test func aLinkInPlaceOfTheEvidenceIsRefused() throws {
    let opened = try RunFolder.open(run, in: artifacts).folder
    try link(opened.evidenceFolder, to: "elsewhere")
    #expect(throws: SystemError.self) {
      _ = try TestEvidenceFolder(for: TestCaseID(module: "M", suite: [], name: "t()"), in: opened)
    }
    #expect(try FileSystem.entries(of: folder.path + "/elsewhere") == [])
  }

  /// The name of a second file would make what is written there ours to change.
  @Test func aSecondNameOfAnotherFileIsNoLog() throws {
    let opened = try RunFolder.open(run, in: artifacts).folder
    try FileSystem.createFolder(opened.logsFolder)
    try FileSystem.writeNewFile(folder.path + "/precious", [1])
    try FileManager.default.linkItem(
      atPath: folder.path + "/precious", toPath: opened.logsFolder + "/7-70.jsonl")
    #expect(throws: SystemError.self) { _ = try LogFile(for: process, in: opened) }
    #expect(FileSystem.size(of: folder.path + "/precious") == 1)
  }

  @Test func aLinkToTheArtifactsFolderIsTheUsersChoice() throws {
    try link(artifacts.path, to: "elsewhere")
    _ = try LogFile(for: process, in: try RunFolder.open(run, in: artifacts).folder)
    #expect(FileSystem.status(folder.path + "/elsewhere/runs/job/logs/7-70.jsonl") != nil)
  }

  @Test(.enabled(if: getuid() == 0, "root may give folders away"), arguments: ["", "/runs", "/runs/job"])
  func aFolderOfAnotherUserIsRefused(place: String) throws {
    try FileSystem.createFolder(artifacts.path + place)
    #expect(chown(artifacts.path + place, 65_534, 65_534) == 0)
    let before = try FileManager.default.subpathsOfDirectory(atPath: artifacts.path)
    let error = #expect(throws: SystemError.self) { _ = try RunFolder.open(run, in: artifacts) }
    #expect(error?.description.contains("another user's folder \(artifacts.path + place)") == true)
    let after = try FileManager.default.subpathsOfDirectory(atPath: artifacts.path)
    #expect(
      after.filter { $0.hasSuffix(".jsonl") || $0.hasPrefix("runs/job/") }
        == before.filter { $0.hasPrefix("runs/job/") })
  }

  @Test func gitIgnoresTheArtifactsFolder() throws {
    try artifacts.create()
    try artifacts.create()
    let text = try String(contentsOfFile: artifacts.path + "/.gitignore", encoding: .utf8)
    #expect(text == "*\n")
  }

  @Test func theVariableNamesTheFolder() {
    #expect(ArtifactsFolder(variable: nil, packageFolder: "/p").path == "/p/test-artifacts")
    #expect(ArtifactsFolder(variable: "", packageFolder: "/p").path == "/p/test-artifacts")
    #expect(ArtifactsFolder(variable: "/elsewhere/", packageFolder: "/p").path == "/elsewhere")
    #expect(ArtifactsFolder(variable: "out/a", packageFolder: "/p").path == "/p/out/a")
  }
}
