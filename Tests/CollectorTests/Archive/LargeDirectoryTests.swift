import Collector
import Foundation
import Testing

/// What needs Zip64: many entries, and files of more than 4 GiB.
///
/// In short some thousand files; `EXHIBIT_LONG_TESTS=1` writes 100,000, and a file of 5 GiB.
@Suite struct LargeDirectoryTests {
  private let folder: TemporaryFolder
  private let store: String
  private let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  @Test(arguments: ArchiveFormat.allCases) func manyFiles(format: ArchiveFormat) throws {
    let count = LongTests.areAsked ? 100_000 : 3000
    for number in 0..<count {
      if number % 1000 == 0 { _ = try folder.makeFolder("Store/\(number / 1000)") }
      #expect(close(open("\(store)/\(number / 1000)/\(number)", O_CREAT | O_WRONLY, 0o600)) == 0)
    }
    var archiver = DirectoryArchiver()
    archiver.format = format
    let result = try archiver.archive(store, named: "store", into: evidence.path)
    #expect(result.archive.entries == count + count / 1000)
    #expect(result.archive.skipped == [])
    try expectReadable(result, names: count + count / 1000)
  }

  @Test(.enabled(if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"), arguments: ArchiveFormat.allCases)
  func aFileOfMoreThanFourGibibytes(format: ArchiveFormat) throws {
    let file = try #require(fopen("\(store)/large", "w"))
    #expect(ftruncate(fileno(file), 5 << 30) == 0)
    fclose(file)
    try Data("behind it".utf8).write(to: URL(fileURLWithPath: "\(store)/small"))
    var archiver = DirectoryArchiver(limit: 6 << 30)
    archiver.format = format
    let result = try archiver.archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    try expectReadable(result, names: 2)
    let listing = try ArchiveListing(path: evidence(result.file), limits: .init(unpackedBytes: 6 << 30))
    #expect(listing.entries.map(\.bytes) == [5 << 30, 9])
  }

  /// Reads the archive with the tools that there are.
  private func expectReadable(_ result: CapturedDirectory, names: Int) throws {
    let path = evidence(result.file)
    let listed = try run("sh", "-c", "bsdtar -tf \"$0\" | wc -l", path).output
    #expect(Int(listed.trimmingCharacters(in: .whitespacesAndNewlines)) == names)
    guard path.hasSuffix(".zip") else {
      #expect(try run("zstd", "-tq", path).status == 0)
      return
    }
    #expect(try run("unzip", "-tqq", path).status == 0)
    let script = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.testzip())"
    #expect(try run("python3", "-c", script, path).output == "\(names) None\n")
  }
}
