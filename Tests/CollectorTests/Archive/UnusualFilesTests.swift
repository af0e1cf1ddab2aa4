import Collector
import Foundation
import Testing

/// Files that most directories do not have.
@Suite struct UnusualFilesTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private func write(_ contents: String, to name: String) throws {
    try Data(contents.utf8).write(to: URL(fileURLWithPath: "\(store)/\(name)"))
  }

  private func unpack(_ name: String) throws -> String {
    try run("unzip", "-p", evidence("store.zip"), name).output
  }

  @Test func everyNameOfAHardLinkHasTheContents() throws {
    try write("twice", to: "a.txt")
    #expect(link("\(store)/a.txt", "\(store)/b.txt") == 0)
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.entries == 2 && result.archive.skipped == [])
    #expect(try unpack("a.txt") == "twice" && unpack("b.txt") == "twice")
  }

  @Test func holesAreZeros() throws {
    let file = try #require(fopen("\(store)/sparse", "w"))
    #expect(ftruncate(fileno(file), 20 << 20) == 0 && fseek(file, 0, SEEK_END) == 0)
    fputs("end", file)
    fclose(file)
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    #expect(result.bytes < 1 << 20)
    let compare = try run(
      "sh", "-c", "unzip -p \"$0\" sparse | cmp - \"$1\"", evidence("store.zip"), "\(store)/sparse")
    #expect(compare.status == 0, "\(compare.output)")
  }

  @Test func emptyFoldersAreThere() throws {
    _ = try folder.makeFolder("Store/empty")
    _ = try folder.makeFolder("Store/outer")
    _ = try folder.makeFolder("Store/outer/inner")
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    #expect(
      try ArchiveListing(path: evidence("store.zip")).entries.map(\.path) == [
        "empty/", "outer/", "outer/inner/",
      ])
  }

  @Test(.enabled(if: getuid() == 0, "only root makes devices")) func devicesAreListedAndNotOpened() throws {
    try write("one", to: "a.txt")
    // A container may forbid it to root too.
    guard mknod("\(store)/zero", S_IFCHR | 0o600, makedev(1, 5)) == 0 else { return }
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.entries == 1)
    #expect(result.archive.skipped.map(\.path) == ["zero"])
    #expect(result.archive.skipped.first?.reason.contains("device") == true)
  }

  /// Root reads everything, so somebody else archives.
  @Test(.enabled(if: SomebodyElse.reachesTheCheckout, "somebody else has to reach the checkout"))
  func whatMayNotBeReadIsListed() throws {
    try write("one", to: "a.txt")
    try write("secret", to: "secret.txt")
    _ = try folder.makeFolder("Store/closed")
    for name in ["secret.txt", "closed"] { #expect(chmod("\(store)/\(name)", 0) == 0) }
    for path in [folder.path, evidence.path] { #expect(chmod(path, 0o777) == 0) }
    let process = try CaptureProcess(
      store, into: evidence.path, through: SomebodyElse.launcher)
    let answer = try process.capture("store")
    #expect(answer.files == ["store.zip"])
    #expect(answer.failures == ["closed", "secret.txt"])
    #expect(try unpack("a.txt") == "one")
    #expect(try process.end() == 0)
  }
}

/// `makedev` is a macro that Swift does not see; for small numbers it is this.
private func makedev(_ major: dev_t, _ minor: dev_t) -> dev_t { major << 8 | minor }
