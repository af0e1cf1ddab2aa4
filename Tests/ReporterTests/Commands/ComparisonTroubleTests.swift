import Collector
import Foundation
import ReportHistory
import ReportModel
import Testing

@testable import ReportPipeline
@testable import ReportTestSupport

/// `reporter test --compare-with` where something stands in the way: it is told, the report is written, and the status
/// stays.
@Suite struct ComparisonTroubleTests {
  private let compared: ComparedPackage
  private var folder: TemporaryFolder { compared.folder }

  init() throws {
    compared = try ComparedPackage()
  }

  /// Makes a program that is found before the system's.
  private func makeProgram(_ name: String, _ body: String) throws {
    let path = try folder.write("#!/bin/sh\n" + body, to: "bin/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The lines of a script that marks where it is, and waits for the file `go` up to a minute.
  private var waiting: String {
    """
    touch '\(folder("mark"))'
    n=0; while [ ! -e '\(folder("go"))' ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done
    """
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder(name)) }

  private func wait(for name: String) throws {
    let deadline = Date() + 30
    while !exists(name) {
      try #require(Date() < deadline, "\(name) never came")
      usleep(20_000)
    }
  }

  // MARK: - Repositories

  @Test func filesInLFSComeFromTheRepositoryWithoutItsProgram() throws {
    let object = "ab" + String(repeating: "0c", count: 31)
    try folder.write("*.sqlite filter=lfs\n", to: "package/.gitattributes")
    for (name, named) in [("here", object), ("gone", object.replacing("ab", with: "cd"))] {
      try folder.write(
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(named)\nsize 7\n",
        to: "package/\(name).sqlite")
    }
    try folder.write("content", to: "package/.git/lfs/objects/ab/0c/\(object)")
    try compared.commit("With LFS")
    for (name, command) in [
      ("process", "filter-process"), ("smudge", "smudge -- %f"), ("clean", "clean -- %f"),
    ] {
      try compared.git("config", "filter.lfs.\(name)", "git-lfs \(command)")
    }
    try compared.git("config", "filter.lfs.required", "true")
    try folder.write("later", to: "package/Sources/A.swift")
    // The second time the files are there already.
    for _ in 0...1 {
      let said = try compared.compare("HEAD")
      #expect(said.contains("Building HEAD"), "\(said)")
      #expect(said.contains("of gone.sqlite first; git lfs fetch --all"), "\(said)")
      #expect(try folder.read("\(compared.worktree)/here.sqlite") == "content")
    }
  }

  @Test func theFolderOfTheRepositoryIsToBeASafeDirectory() throws {
    try makeProgram("git", "GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec /usr/bin/git \"$@\"\n")
    try folder.write("", to: "package/app/Package.swift")
    let started = try ReporterProcess.start(
      ["test", "--compare-with", "main"], in: folder("package/app"),
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null"], path: folder("bin"))
    let said = try compared.said(started, report: "package/app/test-artifacts/report")
    #expect(said.contains("belongs to another user: git config --global --add safe.directory "), "\(said)")
    #expect(said.contains("safe.directory '\(folder("package"))' allows it"), "\(said)")
  }

  @Test func aPartialCloneWithoutItsRemoteIsTold() throws {
    try compared.git("config", "uploadpack.allowFilter", "true")
    try compared.git("clone", "-q", "--filter=blob:none", "file://\(folder("package"))", "partial", in: ".")
    try FileManager.default.removeItem(atPath: folder("package"))
    try FileManager.default.moveItem(atPath: folder("partial"), toPath: folder("package"))
    let said = try compared.compare("HEAD~1")
    #expect(said.contains("This clone has not all files of its commits"), "\(said)")
  }

  @Test func theRepositoryIsNotWrittenTo() throws {
    let before = try files(in: "package/.git")
    _ = try Command(["chmod", "-R", "a-w", folder("package/.git")]).run()
    defer { _ = try? Command(["chmod", "-R", "u+w", folder("package/.git")]).run() }
    let result = try ReporterProcess.runWithoutPrivileges(
      ["test", "--compare-with", "HEAD~1"], in: folder("package"), path: folder("bin"))
    #expect(result.status == 1 && result.errors.contains("Building HEAD~1"), "\(result.errors)")
    #expect(try files(in: "package/.git") == before)
  }

  private func files(in place: String) throws -> [String: Data] {
    let names = try #require(FileManager.default.subpaths(atPath: folder(place)))
    let pairs = names.map { ($0, FileManager.default.contents(atPath: folder("\(place)/\($0)")) ?? Data()) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test func aDependencyThatCannotBeFetchedIsToldWithItsReason() throws {
    try compared.makeSwift(
      build: """
        cat <<'END'; exit 1
        warning: 'b': skipping cache due to an error: Failed to clone repository https://example.invalid/b.git:
        error: Failed to clone repository https://example.invalid/b.git:
            Cloning into bare repository 'b'...
            fatal: unable to access 'https://example.invalid/b.git/': Could not resolve host
        error: ExitCode(rawValue: 1)
        END

        """)
    let said = try compared.compare("HEAD~1")
    #expect(
      said.contains(
        "It does not build: error: Failed to clone repository https://example.invalid/b.git: fatal: unable to access "
          + "'https://example.invalid/b.git/': Could not resolve host.\n"), "\(said)")
  }

  // MARK: - The disk

  @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount"))
  func aDiskThatFillsUpMeanwhileKeepsRoomForTheReport() throws {
    let disk = try SmallDisk(at: folder.makeFolder("package/.build"), kilobytes: 2 << 20)
    defer { disk.unmount() }
    let build = disk.path + "/exhibit-worktree/build"
    try compared.makeSwift(
      build: """
        mount -o remount,size=$(($(df -k --output=used '\(disk.path)' | tail -n 1) + 2048))k '\(disk.path)'
        mkdir -p '\(build)'; cat /dev/zero > '\(build)/all'; exit 1
        """)
    let started = try compared.start("HEAD~1", environment: ["EXHIBIT_ARTIFACTS": disk.path + "/artifacts"])
    let said = try compared.said(started, report: "package/.build/artifacts/report")
    #expect(said.contains("The disk became full while it was built"), "\(said)")
    #expect(said.contains("The disk was full, so that the second build was removed"), "\(said)")
    #expect(!exists("package/.build/exhibit-worktree/build"))
    // Now there is too little room to begin with.
    let again = try compared.compare("HEAD~1")
    #expect(again.contains("A second build takes about"), "\(again)")
  }

  @Test func dependenciesAreCopiedAgainAfterADeath() throws {
    try folder.write("clone", to: "package/.build/checkouts/Dependency/file")
    try folder.write("half", to: "package/.build/exhibit-worktree/build.new/checkouts/Dependency/other")
    _ = try compared.compare("HEAD~1")
    let build = "package/.build/exhibit-worktree/build"
    #expect(try folder.read("\(build)/checkouts/Dependency/file") == "clone")
    #expect(!exists("\(build)/checkouts/Dependency/other") && !exists("\(build).new"))
  }

  // MARK: - Others at the same time

  @Test func ofTwoAtOnceOneWaits() throws {
    try compared.makeSwift(
      build: """
        cat '\(folder(compared.worktree))/Sources/A.swift' >> '\(folder("built"))'; \(waiting)
        cat '\(folder(compared.worktree))/Sources/A.swift' >> '\(folder("built"))'; exit 0
        """)
    let first = try compared.start("HEAD~1")
    try wait(for: "mark")
    let second = try compared.start("main")
    try waitUntilWaiting(second)
    try folder.write("", to: "go")
    #expect(try !compared.said(first).contains("Waiting"))
    #expect(try compared.said(second).contains("Building main"))
    let (one, two) = ("one\ntwo\nthree\n", "one\n2\nthree\n")
    #expect(try folder.read("built") == one + one + two + two)
  }

  private func waitUntilWaiting(_ started: StartedCommand) throws {
    let deadline = Date() + 30
    while try !started.errors.contains("Waiting for another reporter") {
      try #require(Date() < deadline && started.process.isRunning, "it does not wait")
      usleep(20_000)
    }
  }

  enum Stage: CaseIterable { case checkout, build, test }

  @Test(arguments: Stage.allCases, [SIGINT, SIGTERM, SIGKILL])
  func aSignalEndsItAndTheNextTimeItWorks(stage: Stage, signal: Int32) throws {
    switch stage {
    case .checkout:
      try makeProgram("git", "case \"$*\" in *read-tree*)\n\(waiting);; esac; exec /usr/bin/git \"$@\"\n")
    case .build: try compared.makeSwift(build: waiting + "; exit 0")
    case .test: try compared.makeSwift(again: waiting)
    }
    let started = try compared.start("HEAD~1")
    try wait(for: "mark")
    kill(started.process.processIdentifier, signal)
    if signal != SIGKILL {
      let said = try compared.said(started)
      #expect(said.contains("The failed tests were not compared with HEAD~1. It was interrupted."), "\(said)")
    }
    let next = try compared.start("main")
    // What a killed one has left running keeps the files; tests only read them.
    if signal == SIGKILL, stage != .test { try waitUntilWaiting(next) }
    try folder.write("", to: "go")
    #expect(try compared.said(next).contains("run with main."))
    if signal == SIGKILL { #expect(try started.wait().status == SIGKILL) }
    #expect(try folder.read("\(compared.worktree)/Sources/A.swift") == "one\n2\nthree\n")
  }

  @Test func aLockedHistoryIsTold() throws {
    try compared.makeSwift()
    _ = try compared.compare("HEAD~1")
    let path = folder("package/test-artifacts/history.sqlite")
    let other = try TestConnection(path, "BEGIN EXCLUSIVE")
    defer { other.close() }
    var file = HistoryFile(path: path)
    file.patience = 0.1
    let lookup = HistoryLookup(history: file, isNamed: false, adds: true, label: nil)
    let run = RunFolder(path: folder(try compared.package.run))
    guard case .none(let sentence) = lookup.lastPass(of: [], in: run) else {
      Issue.record("A commit was found")
      return
    }
    #expect(sentence.contains("is in use by another process, and does not tell what passed last"))
  }
}
