import Collector
import Foundation
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
