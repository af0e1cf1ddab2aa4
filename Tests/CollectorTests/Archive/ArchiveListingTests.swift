import Collector
import ExhibitSystem
import Foundation
import Testing

/// Zips are listed without being trusted.
@Suite struct ArchiveListingTests {
  let folder: TemporaryFolder
  let zip: String

  init() throws {
    folder = try TemporaryFolder()
    zip = folder("a.zip")
  }

  /// Makes a zip with Python's zipfile: `entries` is a list of name and contents.
  private func makeZip(_ entries: String) throws {
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
        for name, contents in \(entries): z.writestr(name, contents)
      """
    #expect(try run("python3", "-c", script, zip).output == "")
  }

  @Test func entriesWithKindsAndSizes() throws {
    try makeZip("[('a.txt', 'x' * 100), ('folder/', ''), ('Zürich/\u{1F600}', 'y')]")
    let listing = try ArchiveListing(path: zip)
    #expect(listing.entries.map(\.path) == ["a.txt", "folder/", "Zürich/\u{1F600}"])
    #expect(listing.entries.map(\.kind) == [.file, .directory, .file])
    #expect(listing.entries.map(\.bytes) == [100, 0, 1])
    #expect(listing.omitted == 0)
    #expect(listing.problems == [])
  }

  @Test func hostileNamesAreText() throws {
    try makeZip(#"[('../../etc/passwd', ''), ('/absolute', ''), ('<script>', ''), ('a\x1b[31m', '')]"#)
    #expect(
      try ArchiveListing(path: zip).entries.map(\.path) == [
        "../../etc/passwd", "/absolute", "<script>", "a\u{1b}[31m",
      ])
  }

  @Test func moreEntriesThanTheLimitAreCounted() throws {
    try makeZip("[(str(i), '') for i in range(25)]")
    let listing = try ArchiveListing(path: zip, limits: .init(entries: 10))
    #expect(listing.entries.count == 10)
    #expect(listing.omitted == 15)
    let capped = try ArchiveListing(path: zip, limits: .init(entries: 2))
    #expect(capped.omitted == 18)
    #expect(capped.problems.count == 1)
  }

  @Test func longNamesAreCut() throws {
    try makeZip("[('n' * 5000, '')]")
    #expect(try ArchiveListing(path: zip).entries.map(\.path.count) == [4096])
  }

  @Test func aBombIsNotUnpacked() throws {
    try makeZip("[('bomb', b'0' * 100_000_000)]")
    let start = ProcessorTime.now
    #expect(try ArchiveListing(path: zip).entries.map(\.bytes) == [100_000_000])
    #expect(ProcessorTime.now - start < .seconds(60))
  }

  @Test(arguments: [false, true])
  func namesThatAreNotTextDoNotEndTheListing(isMarkedAsText: Bool) throws {
    try makeZip(isMarkedAsText ? "[('é/x', '1'), ('b', '')]" : "[('abc/x', '1'), ('b', '')]")
    var data = try #require(bytes(of: zip))
    let (name, bad) =
      isMarkedAsText ? (Data("é".utf8), Data([0xff, 0xc3])) : (Data("abc".utf8), Data([0xff, 0xfe, 0x63]))
    while let range = data.range(of: name) { data.replaceSubrange(range, with: bad) }
    try data.write(to: URL(fileURLWithPath: zip))
    let listing = try ArchiveListing(path: zip)
    #expect(listing.entries.count == 2)
    #expect(listing.entries.last?.path == "b")
  }

  @Test func whatIsNoZip() throws {
    for contents in ["", "not a zip", "PK\u{3}\u{4}"] {
      try Data(contents.utf8).write(to: URL(fileURLWithPath: zip))
      #expect(throws: ArchiveError.self) { try ArchiveListing(path: zip) }
    }
    #expect(throws: SystemError.self) { try ArchiveListing(path: folder("nowhere")) }
    #expect(throws: SystemError.self) { try ArchiveListing(path: folder.path) }
  }

  @Test func damagedZipsEndInAProblemAndNeverInACrash() throws {
    try makeZip("[(str(i), 'x' * i) for i in range(50)]")
    let whole = try #require(bytes(of: zip))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        damaged[Int.random(in: 4..<damaged.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if Bool.random() { damaged = damaged.prefix(Int.random(in: 4..<damaged.count)) }
      try damaged.write(to: URL(fileURLWithPath: zip))
      do {
        let listing = try ArchiveListing(path: zip)
        #expect(listing.entries.count <= 10_000)
      } catch is ArchiveError {}
    }
  }
}
