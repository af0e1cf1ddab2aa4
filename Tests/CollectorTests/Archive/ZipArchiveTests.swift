import Collector
import Foundation
import Testing

/// A zip opens everywhere, whatever was in the folder.
@Suite struct ZipArchiveTests {
  private let folder: TemporaryFolder
  private let store: String
  private let evidence: EvidenceFolder
  /// What is read at once.
  private static let block = 256 << 10

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private func archive(_ name: String) throws -> CapturedDirectory {
    try DirectoryArchiver().archive(store, named: name, into: evidence.path)
  }

  /// Words and numbers, so that blocks have something in common with those before them.
  private static func text(bytes: Int, seed: Int) -> Data {
    var text = Data(capacity: bytes + 64)
    var state = UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15
    while text.count < bytes {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text.append(contentsOf: "departure \(state >> 40) from platform \(state >> 60)\n".utf8)
    }
    return text.prefix(bytes)
  }

  /// Sizes around the borders of what is read at once, of what compresses well, badly and not at all, and what has no contents.
  private func fill() throws {
    let sizes = [0, 1, 1, 2, 3].flatMap { [$0 * Self.block - 1, $0 * Self.block, $0 * Self.block + 1] }
    for size in Set(sizes) where size >= 0 {
      try Self.text(bytes: size, seed: size).write(to: URL(fileURLWithPath: "\(store)/text-\(size)"))
      try Data((0..<size).map { _ in UInt8.random(in: 0...255) })
        .write(to: URL(fileURLWithPath: "\(store)/random-\(size)"))
      _ = try folder.makeFolder("Store/z-\(size)")
      symlink("text-\(size)", "\(store)/link-\(size)")
    }
    try Data(count: 2_000_000).write(to: URL(fileURLWithPath: "\(store)/zeros"))
    try Self.text(bytes: 3_000_000, seed: 7).write(to: URL(fileURLWithPath: "\(store)/z-1/large"))
  }

  @Test func everyToolUnpacksWhatWasThere() throws {
    try fill()
    _ = try archive("store")
    let zip = evidence("store.zip")
    #expect(try run("unzip", "-tqq", zip).output == "")
    let script = "import sys,zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())"
    #expect(try run("python3", "-c", script, zip).output == "None\n")
    for tool in ["unzip -qq \"$0\" -d \"$1\"", "bsdtar -xf \"$0\" -C \"$1\""] {
      let unpacked = try folder.makeFolder("unpacked by \(tool.prefix(5))")
      #expect(try run("sh", "-c", tool, zip, unpacked).output == "")
      #expect(try run("diff", "-r", "--no-dereference", store, unpacked).output == "")
    }
    #expect(try ArchiveListing(path: zip).problems == [])
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func aFullDiskLeavesNothing() throws {
    // Files so small that they are not copied to the disk first.
    let random = Data((0..<900_000).map { _ in UInt8.random(in: 0...255) })
    for number in 0..<12 { try random.write(to: URL(fileURLWithPath: "\(store)/\(number)")) }
    let disk = try SmallDisk(at: evidence.path)
    defer { disk.unmount() }
    let error = #expect(throws: CaptureError.self) { try archive("store") }
    #expect(error?.reason == .io)
    #expect(error?.message.contains("No space left on device") == true)
    #expect(try evidence.names == [])
  }
}
