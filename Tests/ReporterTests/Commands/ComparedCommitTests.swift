import Foundation
import ReportModel
import Testing

@testable import ReportTestSupport

/// `reporter test --compare-with` in real repositories, with a `swift` that is a script.
@Suite struct ComparedCommitTests {
  private let compared: ComparedPackage
  private var package: ScriptedPackage { compared.package }
  private var folder: TemporaryFolder { package.folder }
  private var worktree: String { compared.worktree }

  init() throws {
    compared = try ComparedPackage()
  }

  @Test func theCommitIsCheckedOutAndTold() throws {
    let before = try compared.git("status", "--porcelain", "--ignored")
    let said = try compared.compare("HEAD~1")
    #expect(said.contains("Building HEAD~1"), "\(said)")
    #expect(try folder.read("\(worktree)/Sources/A.swift") == "one\ntwo\nthree\n")
    let told = try JSONDecoder().decode(
      ComparedCommit.self, from: Data(folder.read("\(package.run)/compared/commit.json").utf8))
    #expect(
      try told.hash == compared.git("rev-parse", "HEAD~1") && told.subject == "First" && told.name == "HEAD~1"
    )
    #expect(told.changes.map(\.path) == ["Sources/A.swift", "Sources/A.swift"])
    #expect(told.changes.map(\.lines) == [[" one", "-two", "+2", " three"], [" three", "+four"]])
    // The last line is not committed.
    #expect(told.changes.map(\.lastCommit?.subject) == ["Second", nil])
    #expect(try folder.read("arguments").contains("--skip-build --filter"))
    #expect(try folder.read("environment").contains("EXHIBIT_RECORD_PASSES=on\n"))
    #expect(try folder.read("environment").contains("/compared\n"))
    // Nothing of the repository is touched.
    #expect(
      try compared.git("status", "--porcelain", "--ignored") == before + "\n!! .build/\n!! test-artifacts/")
    #expect(try compared.git("worktree", "list").split(separator: "\n").count == 1)
    #expect(try compared.git("rev-parse", "--abbrev-ref", "HEAD") == "main")
  }

  @Test func aCommittedChangeHasItsCommit() throws {
    try compared.commit("Third")
    _ = try compared.compare("HEAD~1")
    let told = try JSONDecoder().decode(
      ComparedCommit.self, from: Data(folder.read("\(package.run)/compared/commit.json").utf8))
    #expect(told.changes.map(\.lastCommit?.subject) == ["Third"])
  }

  @Test func theNextTimeTheWorktreeMoves() throws {
    _ = try compared.compare("HEAD~1")
    try folder.write("left", to: "\(worktree)/Left.swift")
    try folder.write("changed", to: "\(worktree)/Sources/A.swift")
    // One that was killed in the middle.
    try folder.write("", to: "package/.build/exhibit-worktree/git/index.lock")
    try folder.write("torn", to: "package/.build/exhibit-worktree/git/index")
    let said = try compared.compare("main")
    #expect(said.contains("Building main"), "\(said)")
    #expect(try folder.read("\(worktree)/Sources/A.swift") == "one\n2\nthree\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/\(worktree)/Left.swift"))
  }

  @Test func anUnknownCommitIsToldBeforeTheTestsRunAndInTheReport() throws {
    let said = try compared.compare("nowhere")
    let sentence = "Failed tests will not be compared with nowhere. nowhere is no commit, branch or tag"
    #expect(said.split(separator: "\n").first?.contains(sentence) == true, "\(said)")
    #expect(try package.report("report.json").contains("\"kind\":\"notCompared\""))
  }

  @Test func theCodeThatWasTestedIsNotComparedWith() throws {
    try compared.commit("Third")
    #expect(try compared.compare("main").contains("It is the code that was tested"))
  }

  @Test func withoutARepositoryItIsTold() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/package/.git")
    #expect(try compared.compare("main").contains("is in no git repository"))
  }

  @Test func withoutGitItIsTold() throws {
    let programs = try folder.makeFolder("programs")
    for name in ["sh", "env", "cat", "cp", "sort", "dirname", "mkdir"] {
      try FileManager.default.createSymbolicLink(
        atPath: programs + "/" + name, withDestinationPath: "/usr/bin/" + name)
    }
    let said = try compared.compare("main", environment: ["PATH": folder.path + "/bin:" + programs])
    #expect(said.contains("git cannot be started: No such file"), "\(said)")
  }

  @Test func aShallowCloneNamesTheRemedy() throws {
    try compared.git("clone", "-q", "--depth", "1", "file://\(folder.path)/package", "shallow", in: ".")
    try FileManager.default.removeItem(atPath: folder.path + "/package")
    try FileManager.default.moveItem(atPath: folder.path + "/shallow", toPath: folder.path + "/package")
    let said = try compared.compare("HEAD~1")
    #expect(said.contains("fetch-depth: 0"), "\(said)")
  }

  @Test func aBranchOfTheOriginIsFound() throws {
    try compared.git("branch", "topic", "HEAD~1")
    try compared.git("clone", "-q", "package", "clone", in: ".")
    try FileManager.default.removeItem(atPath: folder.path + "/package")
    try FileManager.default.moveItem(atPath: folder.path + "/clone", toPath: folder.path + "/package")
    #expect(try compared.compare("topic").contains("Building topic"))
  }

  @Test func aBuildThatFailsIsToldWithItsFirstError() throws {
    try compared.makeSwift(build: "echo 'x.swift:1:1: error: no such thing'; exit 1")
    let said = try compared.compare("HEAD~1")
    #expect(said.contains("It does not build: x.swift:1:1: error: no such thing"), "\(said)")
  }

  @Test func aPackageThatIsNotThereIsTold() throws {
    try compared.git("checkout", "-q", "--orphan", "bare")
    try compared.git("rm", "-q", "--cached", "Package.swift")
    try compared.git("commit", "-q", "-m", "Without Package.swift")
    #expect(try compared.compare("bare").contains("The package is not in that commit"))
  }

  @Test func hooksDriversAndACallersRepositoryPlayNoPart() throws {
    for name in ["post-checkout", "post-index-change", "reference-transaction"] {
      let hook = try folder.write(
        "#!/bin/sh\ntouch '\(folder.path)/hook-ran'\n", to: "package/.git/hooks/\(name)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    }
    let program = folder.path + "/package/.git/hooks/post-checkout"
    try folder.write("* diff=trap merge=trap\n", to: "package/.gitattributes")
    for name in [
      "diff.trap.textconv", "diff.trap.command", "diff.external", "merge.trap.driver", "core.fsmonitor",
    ] {
      try compared.git("config", name, program)
    }
    let said = try compared.compare(
      "HEAD~1",
      environment: [
        "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "GIT_WORK_TREE": "/nowhere",
        "LC_ALL": "de_DE.UTF-8",
      ])
    #expect(said.contains("Building HEAD~1"), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/hook-ran"))
  }

  @Test func submodulesComeFromTheOwnCheckout() throws {
    try folder.write("inner 1\n", to: "inner/file")
    try compared.git("init", "-q", "-b", "main", ".", in: "inner")
    try compared.commit("Inner", in: "inner")
    try compared.git("submodule", "--quiet", "add", "\(folder.path)/inner", "deep/inner")
    try compared.commit("With inner")
    try folder.write("changed\n", to: "package/Sources/B.swift")
    try compared.commit("More")
    let said = try compared.compare("HEAD~1")
    #expect(!said.contains("submodule"), "\(said)")
    #expect(try folder.read("\(worktree)/deep/inner/file") == "inner 1\n")
    try FileManager.default.removeItem(atPath: folder.path + "/package/deep/inner/.git")
    #expect(try compared.compare("HEAD~1").contains("Of these submodules the commit is not here"))
  }

  @Test func filesOfLFSWithoutContentAreTold() throws {
    try folder.write("*.sqlite filter=lfs\n", to: "package/.gitattributes")
    try folder.write(
      "version https://git-lfs.github.com/spec/v1\noid sha256:1\n", to: "package/Tests/a b.sqlite")
    try compared.commit("With LFS")
    try folder.write("later", to: "package/Sources/A.swift")
    #expect(
      try compared.compare("HEAD").contains(
        "The content of files in LFS is not there, of Tests/a b.sqlite first"))
  }

  @Test func packagesOutsideAreLinkedAndVersionsCopied() throws {
    try folder.write("outside", to: "outside/file")
    try folder.write("{\"pins\":[]}", to: "package/Package.resolved")
    try folder.write("clone", to: "package/.build/checkouts/Dependency/file")
    let location = folder.url.resolvingSymlinksInPath().path + "/outside"
    try folder.write(
      """
      {"object":{"dependencies":[{"packageRef":{"identity":"o","kind":"fileSystem","location":"\(location)","name":"o"}},
      {"packageRef":{"identity":"r","kind":"remoteSourceControl","location":"https://example.invalid","name":"r"}}]},
      "version":7}
      """, to: "package/.build/workspace-state.json")
    _ = try compared.compare("HEAD~1")
    #expect(try folder.read("\(worktree)/../outside/file") == "outside")
    #expect(try folder.read("\(worktree)/Package.resolved") == "{\"pins\":[]}")
    #expect(try folder.read("package/.build/exhibit-worktree/build/checkouts/Dependency/file") == "clone")
  }

  @Test func aPackageInASubfolderIsFound() throws {
    try folder.write("", to: "package/app/Package.swift")
    try folder.write("1\n", to: "package/app/A.swift")
    try compared.commit("App")
    try folder.write("2\n", to: "package/app/A.swift")
    try folder.write("beside\n", to: "package/Sources/A.swift")
    let result = try ReporterProcess.run(
      ["test", "--compare-with", "HEAD"], in: folder.path + "/package/app", path: folder.path + "/bin")
    #expect(result.errors.contains("Building HEAD"), "\(result.errors)")
    let place = folder.url.resolvingSymlinksInPath().path + "/package"
    #expect(try folder.read("package/app/.build/exhibit-worktree/at\(place)/app/A.swift") == "1\n")
    #expect(try folder.read("arguments").contains("/at\(place)/app --scratch-path"))
    let runs = try FileManager.default.contentsOfDirectory(
      atPath: folder.path + "/package/app/test-artifacts/runs")
    let file = "package/app/test-artifacts/runs/\(try #require(runs.first))/compared/commit.json"
    let told = try JSONDecoder().decode(ComparedCommit.self, from: Data(folder.read(file).utf8))
    #expect(told.changes.map(\.path) == ["A.swift"])
  }

  @Test func lastPassNeedsAHistory() throws {
    #expect(try compared.compare("last-pass").contains("There is no history at "))
    // That run is in it now, and the tests failed.
    #expect(try compared.compare("last-pass").contains("passed on a commit without changes"))
  }

  @Test func lastPassIsTheCommitOfTheHistory() throws {
    _ = try compared.compare("HEAD~1")
    let history = try TestConnection(folder.path + "/package/test-artifacts/history.sqlite")
    let first = try compared.git("rev-parse", "HEAD~1")
    try history.execute(
      "UPDATE runs SET commit_hash = '\(first)', dirty = 0; UPDATE outcomes SET outcome = 'passed'")
    history.close()
    #expect(try compared.compare("last-pass").contains("Building last-pass (\(first.prefix(7)))"))
  }
}
