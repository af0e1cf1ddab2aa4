import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// A run as one file: what becomes of it, and what nobody may do with one.
@Suite struct PackTests {
  private let folder: TemporaryFolder
  private var artifacts: ArtifactsFolder { ArtifactsFolder(path: folder("artifacts")) }

  init() throws {
    folder = try TemporaryFolder()
    var log = try WrittenLog()
    try log.pass(.store("test"), .xctest)
    try log.end()
    try folder.write(log.bytes, to: "artifacts/runs/r/logs/7-70.jsonl")
    try folder.write(
      JSONEncoder().encode(RunManifest(run: "r", start: 1, package: "/package")),
      to: "artifacts/runs/r/run.json")
    let random = (0..<300_000).map { _ in UInt8.random(in: 0...255) }
    for name in ["a/x.sqlite", "a/x.baseline.sqlite", "b/\(String(repeating: "long", count: 28)).sqlite"] {
      try folder.write(random, to: "artifacts/runs/r/evidence/\(name)")
    }
    try folder.write("", to: "artifacts/runs/r/evidence/a/empty.txt")
    try folder.write("7", to: "artifacts/runs/r/.evidence-bytes")
    try FileManager.default.createSymbolicLink(
      atPath: folder("artifacts/runs/r/evidence/a/link"), withDestinationPath: "/etc/hostname")
  }

  @discardableResult private func pack(_ name: String = "pack.tar.gz") throws -> PackWriter.Content {
    try PackWriter.write([RunFolder(path: artifacts.runsFolder + "/r")], of: artifacts, to: folder(name))
  }

  private func unpack(_ name: String = "pack.tar.gz", limits: PackReader.Limits = .init()) throws
    -> TemporaryFolder
  {
    let target = try TemporaryFolder()
    try PackReader.unpack(folder(name), to: target.path, limits: limits)
    return target
  }

  @Test func aPackHasAllOfARunAndEachContentOnce() throws {
    let content = try pack()
    #expect(content.files == 6 && content.repeated == 2 && content.bytes > 900_000)
    #expect((300_000..<330_000).contains(content.packed))
    let target = try unpack()
    let files = folder.files.filter {
      $0.hasPrefix("artifacts/runs") && !$0.contains("/.") && !$0.hasSuffix("/link")
    }
    #expect(target.files == files.map { String($0.dropFirst("artifacts/".count)) })
    for file in target.files {
      #expect(FileManager.default.contentsEqual(atPath: target(file), andPath: folder("artifacts/\(file)")))
    }
    let status = FileSystem.status(target("runs/r/evidence/a/x.sqlite"))
    #expect(status?.st_nlink == 3 && status.map { $0.st_mode & 0o777 } == 0o600)
  }

  @Test func theSameRunIsTheSamePackWhichTarReads() throws {
    try pack("one.tar.gz")
    try pack("two.tar.gz")
    #expect(FileManager.default.contentsEqual(atPath: folder("one.tar.gz"), andPath: folder("two.tar.gz")))
    _ = try folder.makeFolder("by-tar")
    let result = try Command(["tar", "xzf", folder("one.tar.gz"), "-C", folder("by-tar")], in: folder.path)
      .run()
    #expect(result.status == 0)
    #expect(try folder.read("by-tar/runs/r/run.json") == folder.read("artifacts/runs/r/run.json"))
  }

  @Test func packsAreInputsByTheirContent() throws {
    for name in ["one", "two"] { _ = try folder.makeFolder("downloads/\(name)") }
    try pack("downloads/one/artifact")
    try pack("downloads/two/artifact")
    try folder.write(gzipped("text"), to: "downloads/other.gz")
    let places = try InputDiscovery(spare: folder("spare")).find([folder("downloads")])
    let runs = try RunInputs.read(places, recovered: [:], named: ["downloads"])
    #expect(
      runs.map(\.name).map { $0.replacing(folder.path, with: "") } == [
        "/downloads/one/artifact/runs/r", "/downloads/two/artifact/runs/r",
      ])
    #expect(runs.allSatisfy { $0.hasTests && !$0.temporary.isEmpty && $0.remarks == Remarks() })
    #expect(RunJoin(runs).tests.map(\.attempts.count) == [1])
    #expect(throws: InputError.unknown(name: folder("downloads/other.gz"))) {
      try InputDiscovery().find(folder("downloads/other.gz"))
    }
  }

  @Test func whatIsUnpackedGoesWithItsUse() throws {
    try pack()
    do {
      let places = try InputDiscovery(spare: folder("spare")).find([folder("pack.tar.gz")])
      #expect(places.count == 1 && folder.files.contains { $0.hasPrefix("spare") })
    }
    #expect(!folder.files.contains { $0.hasPrefix("spare") })
  }

  private func gzipped(_ text: String) throws -> [UInt8] {
    try #require(Array(text.utf8).withUnsafeBufferPointer(gzip))
  }

  @Test func aPackThatIsCutOffOrDamagedIsAFaultBesideOthers() throws {
    _ = try folder.makeFolder("downloads")
    try pack("downloads/one.tar.gz")
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder("downloads/one.tar.gz"))))
    for count in [bytes.count - 1, bytes.count / 2] {
      try folder.write(bytes.prefix(count), to: "downloads/cut-\(count)")
    }
    bytes[bytes.count / 2] ^= 0x55
    try folder.write(bytes, to: "downloads/damaged")
    let places = try InputDiscovery(spare: folder("spare")).find([folder("downloads")])
    let runs = try RunInputs.read(places, recovered: [:], named: ["downloads"])
    #expect(runs.filter(\.hasTests).count == 1)
    #expect(runs.map(\.remarks.faultKinds).filter { $0 == ["unreadableInput"] }.count == 3)
    #expect(runs.flatMap(\.remarks.faults).allSatisfy { $0.message.contains("It is cut off or damaged") })
  }

  @Test(arguments: [1, 8, 12, 40]) func aSmallPackThatIsCutOffIsKnownAsOne(missing: Int) throws {
    try write([TarHeader(.file, "runs/r/run.json", bytes: 100)])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("hostile.tar.gz")))
    try folder.write([UInt8](bytes.dropLast(missing)), to: "cut.tar.gz")
    let places = try InputDiscovery(spare: folder("spare")).find([folder("cut.tar.gz")])
    #expect("\(places)".contains("It is cut off or damaged: pack the run again."))
  }

  // MARK: - Hostile ones

  /// A pack with entries that no run has.
  private func write(_ entries: [TarHeader], mark: String = PackWriter.mark, format: String = "1.4") throws {
    var tar = TarHeader(.file, mark, bytes: format.utf8.count).block + TarHeader.padded(Array(format.utf8))
    for entry in entries {
      tar += entry.overflow + entry.block
      if entry.kind == .file { tar += TarHeader.padded([UInt8](repeating: 7, count: min(entry.bytes, 4096))) }
    }
    tar += [UInt8](repeating: 0, count: 1024)
    try folder.write(try #require(tar.withUnsafeBufferPointer(gzip)), to: "hostile.tar.gz")
  }

  private func problem(_ entries: [TarHeader], format: String = "1.4", limits: PackReader.Limits = .init())
    throws
    -> PackReader.Problem?
  {
    try write(entries, format: format)
    let target = try TemporaryFolder()
    do {
      try PackReader.unpack(folder("hostile.tar.gz"), to: target.path, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "/etc/passwd", "../a/b", "runs/../../x/y", "runs/r/../../../x", "runs//x", "runs/r/.hidden", "runs/r/./x",
    "other/r/x",
    "runs/r", "runs/r/a\nb/../../../c", "runs/r/" + String(repeating: "x", count: 2000), "",
  ]) func noEntryLeavesItsFolder(name: String) throws {
    let found = try problem([TarHeader(.file, name, bytes: 1)])
    guard case .outside? = found else {
      Issue.record("\(name.prefix(50)): \(String(describing: found))")
      return
    }
  }

  @Test func linksLeadToEarlierEntriesOnly() throws {
    #expect(try problem([TarHeader(.link, "runs/r/x", target: "/etc/passwd")]) == .outside("/etc/passwd"))
    #expect(try problem([TarHeader(.link, "runs/r/x", target: "runs/r/none")]) == .damaged)
    let file = TarHeader(.file, "runs/r/a", bytes: 3)
    #expect(try problem([file, TarHeader(.link, "runs/r/x", target: "runs/r/a")]) == nil)
    // A symbolic link, a device.
    var symbolic = file.block
    symbolic[156] = 0x32
    #expect(TarHeader(symbolic[...]) == nil)
  }

  @Test func sizesAndCountsAreLimited() throws {
    #expect(try problem([TarHeader(.file, "runs/r/a", bytes: TarHeader.largestFile)]) == .damaged)
    let files = (0..<10).map { TarHeader(.file, "runs/r/\($0)", bytes: 3) }
    #expect(try problem(files, limits: .init(files: 5)) == .tooLarge)
    #expect(try problem(files, limits: .init(bytes: 4096)) == .tooLarge)
    #expect(try problem(files + files) != nil)
  }

  @Test func ofAnotherFormatOnlyALaterMinorOneIsUnpacked() throws {
    let files = [TarHeader(.file, "runs/r/a", bytes: 3)]
    for (format, kind) in [("1.3", FormatRefusal.Kind.older), ("2.0", .newer), ("x", .none)] {
      #expect(try problem(files, format: format) == .format(FormatRefusal(kind, format)))
    }
    #expect(try problem(files, format: "1.9") == nil)
    let wrong = [TarHeader(.file, "runs/r/a", bytes: TarHeader.largestFile)]
    #expect(try problem(wrong, format: "1.9") == .format(FormatRefusal(.later, "1.9")))
  }

  @Test func mutatedPacksAreRefusedOrRead() throws {
    try pack()
    let target = try TemporaryFolder()
    try gunzip(InputFile(path: folder("pack.tar.gz")), to: target("tar"), most: 1 << 24)
    let tar = try [UInt8](Data(contentsOf: URL(fileURLWithPath: target("tar"))))
    var generator = SeededGenerator(seed: 7)
    for number in 0..<100 {
      var changed = tar
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: 0..<6144, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      try folder.write(try #require(changed.withUnsafeBufferPointer(gzip)), to: "m\(number)")
      let place = try TemporaryFolder()
      try? PackReader.unpack(folder("m\(number)"), to: place.path)
      #expect(place.files.allSatisfy { $0.hasPrefix("runs/") || $0 == ".tar" })
    }
  }
}
