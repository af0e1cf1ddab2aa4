import Collector
import Foundation
import Testing

/// Directories become zips that every tool opens.
@Suite struct DirectoryArchiverTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder
  var zip: String { evidence("store.zip") }

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private func archive(_ archiver: DirectoryArchiver = DirectoryArchiver()) throws -> CapturedDirectory {
    let result = try archiver.archive(store, named: "store", into: evidence.path)
    #expect(try evidence.names == ["store.zip"])
    #expect(result.file == "store.zip")
    #expect(result.bytes == bytes(of: zip)?.count)
    return result
  }

  private func write(_ contents: String, to name: String) throws {
    let path = "\(store)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// The contents of one entry, as another tool unpacks it.
  private func unpack(_ name: String) throws -> String {
    try run(
      "python3", "-c",
      "import sys,zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())", zip,
      name
    ).output
  }

  @Test func everyToolReadsTheArchive() throws {
    try write("one", to: "b.txt")
    try write(String(repeating: "long ", count: 400_000), to: "a/long.txt")
    try write("hidden", to: ".Store_SUPPORT/_EXTERNAL_DATA/7B5E")
    try write("", to: "empty")
    try write("Zürich", to: "Zürich/\u{1F600}\nnew line.txt")
    try write("long", to: String(repeating: "n", count: 250))
    let result = try archive()
    #expect(result.archive.skipped == [])
    #expect(result.archive.entries == 10)
    #expect(try run("unzip", "-tq", zip).status == 0)
    #expect(try run("python3", "-m", "zipfile", "-t", zip).output.contains("Done testing"))
    let listed = try run("env", "LC_ALL=C.UTF-8", "bsdtar", "-tf", zip)
    #expect(listed.status == 0)
    #expect(listed.output.contains(".Store_SUPPORT/_EXTERNAL_DATA/7B5E\n"))
    #expect(try unpack("Zürich/\u{1F600}\nnew line.txt") == "Zürich")
    #expect(try unpack("a/long.txt").count == 2_000_000)
    #expect(try unpack(".Store_SUPPORT/_EXTERNAL_DATA/7B5E") == "hidden")
    #expect(try FileManager.default.attributesOfItem(atPath: zip)[.posixPermissions] as? Int == 0o600)
  }

  @Test func theSameContentsGiveTheSameBytes() throws {
    for name in ["b", "a/x", "c", ".hidden"] { try write(name, to: name) }
    _ = try archive()
    let first = bytes(of: zip)
    let twin = try folder.makeFolder("Twin")
    for name in [".hidden", "c", "b", "a/x"] {
      try FileManager.default.createDirectory(atPath: "\(twin)/a", withIntermediateDirectories: true)
      try Data(name.utf8).write(to: URL(fileURLWithPath: "\(twin)/\(name)"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date.distantPast], ofItemAtPath: "\(twin)/\(name)")
    }
    _ = try DirectoryArchiver().archive(twin, named: "twin", into: evidence.path)
    #expect(bytes(of: evidence("twin.zip")) == first)
  }

  @Test func linksStayLinks() throws {
    try write("one", to: "a.txt")
    for (name, target) in [
      ("inside", "a.txt"), ("outside", "/etc/passwd"), ("dangling", "nowhere"), ("loop", "loop"),
      ("up", ".."),
    ] {
      try FileManager.default.createSymbolicLink(atPath: "\(store)/\(name)", withDestinationPath: target)
    }
    let result = try archive()
    #expect(result.archive.skipped == [])
    let listing = try ArchiveListing(path: zip)
    #expect(listing.entries.map(\.path) == ["a.txt", "dangling", "inside", "loop", "outside", "up"])
    #expect(listing.entries.map(\.target) == [nil, "nowhere", "a.txt", "loop", "/etc/passwd", ".."])
    #expect(try unpack("outside") == "/etc/passwd")
  }

  @Test func whatHasNoContentsIsListedAndNotOpened() throws {
    try write("one", to: "a.txt")
    #expect(mkfifo("\(store)/fifo", 0o600) == 0)
    let script = "import socket,sys,os; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind('socket')"
    #expect(try run("python3", "-c", script, store).status == 0)
    let result = try archive()
    #expect(result.archive.entries == 1)
    #expect(result.archive.skipped.map(\.path) == ["fifo", "socket"])
    #expect(result.archive.skipped[0].reason.contains("FIFO"))
    #expect(result.archive.skipped[1].reason.contains("socket"))
  }

  @Test func namesThatAreNotTextAreStoredAndListed() throws {
    for name in [[0x61, 0xff], [0x61, 0x25, 0x46, 0x46]] as [[UInt8]] {
      let path = Array(store.utf8) + [0x2f] + name + [0]
      let file = fopen(path.map { CChar(bitPattern: $0) }, "w")
      try #require(file != nil)
      fputs("contents", file)
      fclose(file)
    }
    #expect(symlink("\u{1}", "\(store)/link") == 0)
    let result = try archive()
    #expect(result.archive.entries == 3)
    #expect(try run("unzip", "-tq", zip).status == 0)
    #expect(try unpack("a%FF") == "contents")
    #expect(try unpack("a%FF-2") == "contents")
    #expect(result.archive.skipped.map(\.path) == ["a%FF"])
    #expect(result.archive.skipped.first?.reason.contains("a%FF-2") == true)
  }

  @Test(.enabled(if: getuid() != 0, "root reads everything"))
  func whatCannotBeReadIsListed() throws {
    try write("one", to: "a.txt")
    try write("secret", to: "secret.txt")
    try write("deep", to: "closed/deep.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(store)/secret.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(store)/closed")
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(store)/closed")
    }
    let result = try archive()
    #expect(result.archive.skipped.map(\.path) == ["closed", "secret.txt"])
    #expect(try unpack("a.txt") == "one")
  }

  @Test func theArtifactsFolderInsideIsLeftOut() throws {
    try write("one", to: "a.txt")
    let artifacts = "\(store)/test-artifacts"
    try FileManager.default.createDirectory(
      atPath: "\(artifacts)/evidence", withIntermediateDirectories: true)
    try write("large", to: "test-artifacts/evidence/earlier.zip")
    let archiver = DirectoryArchiver(excluded: [artifacts, folder("nowhere")])
    let result = try archiver.archive(store, named: "store", into: "\(artifacts)/evidence")
    #expect(result.archive.entries == 1)
    #expect(result.archive.skipped.map(\.path) == ["test-artifacts"])
  }

  @Test func aFolderOfEvidenceInsideDoesNotArchiveItself() throws {
    try write("one", to: "inner/a.txt")
    let result = try DirectoryArchiver().archive(store, named: "store", into: "\(store)/inner")
    #expect(result.archive.entries == 2)
    #expect(result.archive.skipped == [])
  }

  @Test func anEmptyDirectory() throws {
    #expect(try archive().archive.entries == 0)
    #expect(try run("python3", "-m", "zipfile", "-t", zip).status == 0)
    #expect(try ArchiveListing(path: zip).entries == [])
  }

  @Test func filesThatGrowShrinkAndVanishLeaveTheArchiveWhole() throws {
    for number in 0..<40 { try write(String(repeating: "x", count: 60_000 * (number % 40)), to: "\(number)") }
    let changes = Thread { [store] in
      for round in 0..<400 {
        let path = "\(store)/\(round % 40)"
        switch round % 3 {
        case 0: truncate(path, 10)
        case 1: _ = unlink(path)
        default: _ = FileManager.default.createFile(atPath: path, contents: Data(count: 2_000_000))
        }
      }
    }
    changes.start()
    _ = try archive()
    #expect(try run("unzip", "-tq", zip).status == 0)
    while !changes.isFinished { usleep(1000) }
  }

  @Test func aDirectoryAboveTheLimitIsNamedWithItsSize() throws {
    try write(String(repeating: "x", count: 3000), to: "a")
    try write(String(repeating: "x", count: 3000), to: "b")
    let error = #expect(throws: CaptureError.self) {
      try DirectoryArchiver(limit: 5000).archive(store, named: "store", into: evidence.path)
    }
    #expect(error?.reason == .overBudget)
    #expect(error?.bytes == 6000)
    #expect(try evidence.names == [])
  }

  @Test func whatIsNoDirectory() throws {
    try write("one", to: "a.txt")
    for (path, reason) in [("a.txt", CaptureFailure.Reason.unsupported), ("nowhere", .missing)] {
      let error = #expect(throws: CaptureError.self) {
        try DirectoryArchiver().archive("\(store)/\(path)", named: "store", into: evidence.path)
      }
      #expect(error?.reason == reason)
    }
    #expect(try evidence.names == [])
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func aFullDiskLeavesNothing() throws {
    for number in 0..<3 {
      try Data((0..<1_000_000).map { _ in UInt8.random(in: 0...255) }).write(
        to: URL(fileURLWithPath: "\(store)/\(number)"))
    }
    let disk = try SmallDisk(at: evidence.path)
    defer { disk.unmount() }
    let error = #expect(throws: CaptureError.self) {
      try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    }
    #expect(error?.reason == .io)
    #expect(error?.message.contains("No space left on device") == true)
    #expect(try evidence.names == [])
  }

  @Test func archivingIsNotLinkedIntoTheProcess() throws {
    let needed = try run("readelf", "-d", "/proc/self/exe".resolvingLinks)
    #expect(needed.output.contains("libsqlite3"))
    #expect(!needed.output.contains("libarchive"))
  }
}

extension String {
  fileprivate var resolvingLinks: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: self)) ?? self
  }
}
