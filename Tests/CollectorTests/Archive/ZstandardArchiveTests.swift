import Collector
import Foundation
import Testing

/// Directories become tar.zst archives on request.
@Suite struct ZstandardArchiveTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder
  private var file: String { evidence("store.tar.zst") }

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private static let long = String(repeating: "n", count: 250)

  private func fill(_ directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(directory)/.Store_SUPPORT/_EXTERNAL_DATA", withIntermediateDirectories: true)
    for (name, contents) in [
      (".Store_SUPPORT/_EXTERNAL_DATA/7B5E", "hidden"), ("empty", ""), (Self.long, "long"),
      ("Zürich \u{1F600}\nnew line.txt", "Zürich"),
    ] {
      try Data(contents.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    }
    symlink("empty", "\(directory)/link")
  }

  private func archive(_ directory: String, named name: String = "store") throws -> CapturedDirectory {
    var archiver = DirectoryArchiver()
    archiver.format = .tarZstandard
    return try archiver.archive(directory, named: name, into: evidence.path)
  }

  @Test func everyToolReadsTheArchive() throws {
    try fill(store)
    let result = try archive(store)
    #expect(result.file == "store.tar.zst")
    #expect(result.archive.format == "tar.zst")
    #expect(result.archive.entries == 7)
    #expect(result.archive.skipped == [])
    for tool in ["bsdtar -xf", "tar --zstd -xf"] {
      let unpacked = try folder.makeFolder("unpacked by \(tool)")
      #expect(try run("sh", "-c", "LC_ALL=C.UTF-8 \(tool) \"$0\" -C \"$1\"", file, unpacked).output == "")
      #expect(try run("diff", "-r", "--no-dereference", store, unpacked).output == "")
    }
  }

  @Test func theSameContentsGiveTheSameBytes() throws {
    try fill(store)
    _ = try archive(store)
    let twin = try folder.makeFolder("Twin")
    try fill(twin)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.distantPast], ofItemAtPath: "\(twin)/empty")
    _ = try archive(twin, named: "twin")
    #expect(bytes(of: evidence("twin.tar.zst")) == bytes(of: file))
  }

  /// Enough for several of zstd's jobs, which end in any order.
  @Test func threadsMakeNoDifference() throws {
    for number in 0..<3 {
      let lines = (0..<400_000).lazy.map { "\(number) \($0 &* 2_654_435_761 % 1_000_003)\n" }
      try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(store)/\(number)"))
    }
    _ = try archive(store)
    for name in ["second", "third", "fourth"] {
      _ = try archive(store, named: name)
      #expect(bytes(of: evidence("\(name).tar.zst")) == bytes(of: file))
    }
    let unpacked = try folder.makeFolder("unpacked")
    #expect(try run("tar", "--zstd", "-xf", file, "-C", unpacked).output == "")
    #expect(try run("diff", "-r", store, unpacked).output == "")
  }

  @Test func itsContentsAreListed() throws {
    try fill(store)
    _ = try archive(store)
    let listing = try ArchiveListing(path: file)
    #expect(listing.problems == [])
    #expect(listing.entries.map(\.path).contains("Zürich \u{1F600}\nnew line.txt"))
    #expect(listing.entries.first { $0.kind == .link }?.target == "empty")
    #expect(listing.entries.first { $0.path == Self.long }?.bytes == 4)
  }

  @Test func aBombIsNotUnpackedToItsEnd() throws {
    try Data(count: 3 << 20).write(to: URL(fileURLWithPath: "\(store)/a"))
    try Data(count: 3 << 20).write(to: URL(fileURLWithPath: "\(store)/b"))
    _ = try archive(store)
    let listing = try ArchiveListing(path: file, limits: .init(unpackedBytes: 4 << 20))
    #expect(listing.entries.map(\.path) == ["a"])
    #expect(listing.problems.count == 1)
  }

  @Test func whatIsDamagedEndsInAProblem() throws {
    try fill(store)
    _ = try archive(store)
    let whole = try #require(bytes(of: file))
    for count in stride(from: 4, to: whole.count, by: 7) {
      try whole.prefix(count).write(to: URL(fileURLWithPath: file))
      do {
        #expect(try ArchiveListing(path: file).entries.count <= 7)
      } catch is ArchiveError {}
    }
  }
}
