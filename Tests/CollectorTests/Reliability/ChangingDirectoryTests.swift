import Collector
import Foundation
import Testing

/// A file of a directory changes before each call of its archiving in turn: the archive is whole, the file is in it as
/// it was at one moment or is listed, and its neighbours are there as they are.
///
/// In short every few calls, a change in one of the sizes; every one with `EXHIBIT_LONG_TESTS=1`.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that changes files"))
struct ChangingDirectoryTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private static let changes = ["is replaced", "grows", "shrinks", "vanishes"]
  /// One is archived from memory, the other in place or, where that breaks the archive, from a copy.
  private static let sizes = [40_000, 1_500_000]
  private static let more = 3 << 20

  private static let zips = cases(from: 0)
  private static let tars = cases(from: 1)

  private static func cases(from first: Int) -> [(String, Int)] {
    let all = changes.enumerated().flatMap { place, change in
      sizes.indices.map { (place: place + $0, change: change, size: sizes[$0]) }
    }
    return all.filter { LongTests.areAsked || ($0.place + first).isMultiple(of: 2) }.map {
      ($0.change, $0.size)
    }
  }

  @Test(arguments: zips) func aFileOfAZip(thatChanges change: String, size: Int) throws {
    try check(change, size, "store.zip")
  }

  @Test(arguments: tars) func aFileOfATar(thatChanges change: String, size: Int) throws {
    try check(change, size, "store.tar.zst")
  }

  private func check(_ change: String, _ size: Int, _ archive: String) throws {
    let file = "\(store)/file"
    let old = String(repeating: "o", count: size)
    for name in ["before", "later"] { try write(name, to: "\(store)/\(name)") }
    try write(old, to: file)
    let process = try CaptureProcess(
      store, into: evidence.path, preloading: FaultLibrary.path,
      change: [
        "FAULT_CHANGE": change, "FAULT_PATH": file, "FAULT_NEW": folder("new"),
        "ARCHIVE_FORMAT": String(archive.dropFirst("store.".count)),
      ])
    var seen: Set<Fate> = []
    for kind in ["open", "read", "stat"] {
      let calls = try process.archive("store", changingBefore: kind, 0).calls
      try FileManager.default.removeItem(atPath: evidence(archive))
      for number in stride(from: 1, through: calls, by: LongTests.areAsked ? 1 : max(1, calls / 4)) {
        try write(old, to: file)
        try write("new", to: folder("new"))
        let answer = try process.archive("store", changingBefore: kind, number)
        let comment: Comment = "\(kind) \(number) of \(calls): \(answer)"
        seen.insert(try fate(of: size, change, in: archive, answer, comment))
        try FileManager.default.removeItem(atPath: evidence(archive))
      }
      if LongTests.areAsked {
        print("a file of \(size) bytes in \(archive) that \(change) before each of \(calls) calls of \(kind)")
      }
    }
    #expect(try process.end() == 0)
    #expect(seen.contains(.old) && seen.count > 1, "it changed early and late: \(seen)")
  }

  private enum Fate: Hashable {
    case old, new, listed
  }

  private func fate(
    of size: Int, _ change: String, in archive: String, _ answer: CaptureProcess.Answer, _ comment: Comment
  ) throws -> Fate {
    #expect(answer.files == [archive] && answer.descriptors == 0, comment)
    let test = archive.hasSuffix(".zip") ? ["unzip", "-tq"] : ["bsdtar", "-tf"]
    #expect(try run(test[0], test[1], evidence(archive)).status == 0, comment)
    #expect(try evidence.names == [archive], comment)
    for name in ["before", "later"] { #expect(try contents(of: name, in: archive) == name, comment) }
    let isListed = answer.failures.contains("file")
    #expect(answer.failures == (isListed ? ["file"] : []), comment)
    let found = try contents(of: "file", in: archive)
    if found == String(repeating: "o", count: size) { return .old }
    if isListed { return .listed }
    #expect(found == newContents(of: size, change), comment)
    return .new
  }

  /// `nil` when it is gone, which is listed.
  private func newContents(of size: Int, _ change: String) -> String? {
    switch change {
    case "is replaced": "new"
    case "grows": String(repeating: "o", count: size) + String(repeating: "g", count: Self.more)
    case "shrinks": String(repeating: "o", count: 10)
    default: nil
    }
  }

  private func contents(of name: String, in archive: String) throws -> String? {
    let command = archive.hasSuffix(".zip") ? ["unzip", "-p"] : ["bsdtar", "-xOf"]
    let unpacked = try run(command[0], command[1], evidence(archive), name)
    return unpacked.status == 0 ? unpacked.output : nil
  }

  private func write(_ contents: String, to path: String) throws {
    // A new file each time, as an app writes one.
    try Data(contents.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
