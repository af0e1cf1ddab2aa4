import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Another commit of a package, checked out beside its build and kept for the next time.
///
/// As a worktree that the repository does not know, it writes nothing there. Its path repeats all folders
/// above the repository, where links lead to local packages outside.
final class ComparedCheckout {
  let folder: String
  let package: GitPackage
  let worktree: String
  /// Locked; programs that work here have it as input, so one that outlives us keeps the lock.
  let lock: Int32
  private let git: Git

  var scratch: String { folder + "/build" }
  var packageFolder: String {
    package.prefix.isEmpty ? worktree : worktree + "/" + package.prefix.dropLast()
  }
  private var gitFolder: String { folder + "/git" }
  private var mirror: String { folder + "/at" }
  private var submodules: String { folder + "/submodules" }
  private var newScratch: String { folder + "/build.new" }
  var isBuilt: Bool { FileSystem.status(scratch + "/build.db") != nil }

  static let folderName = "exhibit-worktree"
  /// Bytes that stay free beside a build.
  private static let reserve = 1 << 30
  /// Below it, the build makes room for the report.
  private static let least = 64 << 20
  private static let patience = Duration.seconds(600)

  init(
    _ package: GitPackage, scratch: String, environment: [String: String], say: (String) -> Void
  ) throws {
    self.package = package
    let folder = scratch + "/" + Self.folderName
    self.folder = folder
    worktree = folder + "/at" + package.root
    var git = Git(folder: folder, environment: environment)
    git.place += [
      "--git-dir=\(folder)/git", "--work-tree=\(folder)/at\(package.root)", "-c", "core.sparseCheckout=false",
    ]
    try FileSystem.createFolder(folder)
    lock = try Self.locked(folder + "/lock", say)
    // git-lfs writes what it fetches into the repository.
    git.usesLFS = false
    git.input = lock
    self.git = git
  }

  deinit { close(lock) }

  private static func locked(_ path: String, _ say: (String) -> Void) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    let deadline = ContinuousClock.now + patience
    var isTold = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if !isTold { say("Waiting for another reporter that compares with a commit here.") }
      isTold = true
      guard ContinuousClock.now < deadline, !SignalForwarding.isAskedToEnd else {
        close(descriptor)
        if SignalForwarding.isAskedToEnd { throw Git.Problem.interrupted }
        throw Git.Problem(description: "Another reporter compares with a commit in the same folder.")
      }
      usleep(200_000)
    }
    return descriptor
  }

  // MARK: - The commit's files

  /// Throws where the disk lacks room for a build; a first one is about as large as the package's own.
  func checkRoom(scratch: String) throws(Git.Problem) {
    guard let free = FileSystem.freeBytes(at: folder) else { return }
    let build = isBuilt ? 0 : FileSystem.size(of: scratch)
    guard free < build + Self.reserve else { return }
    throw Git.Problem(
      description: (isBuilt ? "" : "A second build takes about \(sizeText(build)). ")
        + "Only \(sizeText(free)) are free there, and \(sizeText(Self.reserve)) are to stay free."
    )
  }

  /// Removes the build where the disk is full.
  func makeRoom() -> String? {
    guard let free = FileSystem.freeBytes(at: folder), free < Self.least else { return nil }
    // Where that fails, the report tells what it could not write.
    for path in [scratch, newScratch, folder + "/at", gitFolder, submodules] { try? FileSystem.remove(path) }
    return "The disk was full, so that the second build was removed."
  }

  /// Makes the files those of a commit.
  func checkOut(_ hash: String) throws -> [String] {
    try FileSystem.createFolder(worktree)
    try FileSystem.createFolder(gitFolder)
    // A killed process may have left it.
    try FileSystem.remove(gitFolder + "/index.lock")
    try replace(gitFolder + "/commondir", with: package.commonFolder)
    try replace(gitFolder + "/gitdir", with: worktree + "/.git")
    try replace(gitFolder + "/HEAD", with: hash)
    try replace(worktree + "/.git", with: "gitdir: " + gitFolder)
    let read = try git.run("read-tree", "--reset", "-u", hash)
    if read.status != 0 {
      // Its writer may have been killed.
      try FileSystem.remove(gitFolder + "/index")
      let again = try git.run("read-tree", "--reset", "-u", hash)
      guard again.status == 0 else {
        throw Git.Problem(description: "The commit's files cannot be had: \(again.reason)")
      }
    }
    let clean = try git.run("-C", worktree, "clean", "-ffdxq")
    if clean.status != 0 { throw Git.Problem(description: "What is left there stays: \(clean.reason)") }
    return try bringSubmodules(hash) + bringLargeFiles()
  }

  private func replace(_ path: String, with text: String) throws(SystemError) {
    try FileSystem.remove(path)
    try FileSystem.writeNewFile(path, Array((text + "\n").utf8))
  }

  /// Checks submodules out from the package's own checkouts.
  private func bringSubmodules(_ hash: String) throws -> [String] {
    let entries = try git.run("ls-tree", "-r", "-z", hash, limit: 64 << 20)
    var missing: [String] = []
    for entry in entries.output.split(separator: 0) where entry.starts(with: "160000 ".utf8) {
      let parts = String(decoding: entry, as: UTF8.self).split(separator: "\t", maxSplits: 1).map(String.init)
      guard parts.count == 2, let commit = parts[0].split(separator: " ").last else { continue }
      if try !bringSubmodule(parts[1], String(commit)) { missing.append(parts[1]) }
    }
    guard !missing.isEmpty else { return [] }
    return [
      "Of these submodules the commit is not here, so that their folders are empty there: "
        + "\(missing.prefix(5).joined(separator: ", ")). git submodule update --init fetches them."
    ]
  }

  private func bringSubmodule(_ path: String, _ commit: String) throws -> Bool {
    let own = package.root + "/" + path
    guard FileSystem.status(own + "/.git") != nil else { return false }
    var module = git
    module.place = ["-C", own]
    guard try module.run("cat-file", "-e", commit + "^{commit}").status == 0 else { return false }
    let place = worktree + "/" + path
    let index = submodules + "/" + path
    try FileSystem.createFolder(place)
    try FileSystem.createFolder(index)
    let common = try module.text("rev-parse", "--git-common-dir")
    try FileSystem.remove(index + "/index.lock")
    try replace(index + "/commondir", with: common.hasPrefix("/") ? common : own + "/" + common)
    try replace(index + "/HEAD", with: commit)
    try replace(place + "/.git", with: "gitdir: " + index)
    module.place = ["-C", place, "--git-dir=" + index, "--work-tree=" + place]
    guard try module.run("read-tree", "--reset", "-u", commit).status == 0 else { return false }
    return try module.run("clean", "-ffdxq").status == 0
  }

  /// Replaces LFS pointers by their content, where the repository has it.
  ///
  /// Their format: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
  private func bringLargeFiles() throws -> [String] {
    let answer = try git.run("-C", worktree, "ls-files", "-z", "--", ":(attr:filter=lfs)", limit: 64 << 20)
    var missing: [String] = []
    for path in answer.output.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) }) {
      let file = worktree + "/" + path
      guard let object = Self.largeObject(pointer: file) else { continue }
      let folder = "lfs/objects/\(object.prefix(2))/\(object.dropFirst(2).prefix(2))"
      let content = "\(package.commonFolder)/\(folder)/\(object)"
      guard object.count == 64, object.allSatisfy(\.isHexDigit), FileSystem.status(content) != nil else {
        missing.append(path)
        continue
      }
      try FileSystem.remove(file)
      try FileManager.default.copyItem(atPath: content, toPath: file)
    }
    guard let first = missing.first else { return [] }
    return ["The content of files in LFS is not there, of \(first) first; git lfs fetch --all brings it."]
  }

  private static func largeObject(pointer path: String) -> String? {
    guard let status = FileSystem.status(path), status.st_size < 1024,
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)),
      bytes.starts(with: Data("version https://git-lfs.github.com/spec/".utf8))
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let object = lines.first { $0.hasPrefix("oid sha256:") }?.dropFirst("oid sha256:".count)
    return object.map(String.init)
  }

  // MARK: - What it is built with

  /// Links packages outside of the repository, and copies resolved versions and clones of dependencies.
  func prepare(scratch: String) throws -> [String] {
    var told: [String] = []
    for path in Self.localPackages(scratch) where path != package.root && !path.hasPrefix(package.root + "/")
    {
      guard !(package.root + "/").hasPrefix(path + "/") else {
        told.append("\(path), on which it depends, has the repository in it, and is not there.")
        continue
      }
      try link(path)
    }
    let resolved = packageFolder + "/Package.resolved"
    let own = package.root + "/" + package.prefix + "Package.resolved"
    if FileSystem.status(resolved) == nil, let bytes = FileManager.default.contents(atPath: own) {
      try FileSystem.writeNewFile(resolved, bytes)
    }
    if FileSystem.status(self.scratch) == nil { try bringDependencies(scratch) }
    return told
  }

  private func link(_ path: String) throws(SystemError) {
    let place = mirror + path
    if let parent = FileSystem.parentFolder(of: place) { try FileSystem.createFolder(parent) }
    guard FileSystem.status(place) == nil else { return }
    guard symlink(path, place) == 0 || errno == EEXIST else { throw SystemError("link", place) }
  }

  private static func localPackages(_ scratch: String) -> [String] {
    // Without the file the build tells what it lacks.
    let bytes = FileManager.default.contents(atPath: scratch + "/workspace-state.json").map { [UInt8]($0) }
    let state = bytes?.withUnsafeBufferPointer { JSONValue($0) }
    let packages = (state?["object"]?["dependencies"]?.array ?? []).compactMap { $0["packageRef"] }
    return packages.filter { $0["kind"]?.string == "fileSystem" }.compactMap { $0["location"]?.string }
      .filter { $0.hasPrefix("/") }
  }

  /// Copies all clones or none, so that none is fetched.
  private func bringDependencies(_ scratch: String) throws {
    let names = ["checkouts", "repositories", "artifacts", "workspace-state.json"].filter {
      FileSystem.status(scratch + "/" + $0) != nil
    }
    try FileSystem.remove(newScratch)
    try FileSystem.createFolder(newScratch)
    if !names.isEmpty, try !copy(names.map { scratch + "/" + $0 }, into: newScratch) {
      return
    }
    guard rename(newScratch, self.scratch) == 0 else { throw SystemError("rename", newScratch) }
  }

  private func copy(_ paths: [String], into folder: String) throws(ChildProcess.StartingError) -> Bool {
    let ran = try ChildProcess.run(
      "cp", ["-a", "--reflink=auto"] + paths + [folder],
      environment: ProcessInfo.processInfo.environment, input: lock, keeping: 1 << 10, isSilent: true)
    return ran.end == .exited(0)
  }
}
