import ExhibitSystem
import Foundation
import Glibc
import Testing

@testable import ReportPlaces

/// Whether a file is the one whose code was run.
@Suite struct CodeFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A 64-bit little-endian ELF file with one segment of notes.
  private static func elf(notes: [UInt8], alignment: UInt64 = 4, change: (inout [UInt8]) -> Void = { _ in })
    -> [UInt8]
  {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
    header.replaceSubrange(32..<40, with: bytes(64, 8))
    header.replaceSubrange(54..<58, with: bytes(56, 2) + bytes(1, 2))
    let segment =
      bytes(4, 4) + bytes(0, 4) + bytes(120, 8) + bytes(0, 16) + bytes(UInt64(notes.count), 8) + bytes(0, 8)
      + bytes(alignment, 8)
    var file = header + segment + notes
    change(&file)
    return file
  }

  private static func note(_ type: UInt8, name: String = "GNU\0", _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    return [UInt8(name.utf8.count), 0, 0, 0, UInt8(content.count), 0, 0, 0, type, 0, 0, 0] + Array(name.utf8)
      + content + padding
  }

  private func id(of bytes: [UInt8]) throws -> String? {
    try CodeFile(at: try folder.write(bytes, to: "program")).buildID
  }

  // MARK: - The build id

  @Test func theBuildIDIsRead() throws {
    let notes = Self.note(1, [1, 2, 3, 4]) + Self.note(3, [0xAB, 0x01, 0xFF])
    #expect(try id(of: Self.elf(notes: notes)) == "ab01ff")
  }

  @Test func aNoteOfAnotherNameIsNone() throws {
    #expect(try id(of: Self.elf(notes: Self.note(3, name: "Xen\0", [1, 2]))) == nil)
    #expect(try id(of: Self.elf(notes: Self.note(3, []))) == nil)
    #expect(try id(of: Self.elf(notes: Self.note(3, [UInt8](repeating: 1, count: 80)))) == nil)
  }

  @Test(
    arguments: [
      // The class, the order of bytes, the place, size and number of segments, the place and size of the notes.
      (4, [1]), (5, [2]), (32, [255, 255, 255, 255, 255, 255, 255, 255]), (32, [0, 1]), (54, [1, 0]),
      (56, [255, 255]), (72, [255, 255, 255, 255, 255, 255, 255, 255]), (96, [255, 255, 255, 255, 255, 255]),
      (96, [200]), (120, [255, 255, 255, 255]), (124, [255, 255, 255, 255]), (0, [0]),
    ] as [(Int, [UInt8])])
  func damagedFilesHaveNone(offset: Int, bytes: [UInt8]) throws {
    let file = Self.elf(notes: Self.note(3, [1, 2, 3, 4])) {
      $0.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    #expect(try id(of: file) == nil)
  }

  @Test func noCutOfAFileCrashes() throws {
    let file = Self.elf(notes: Self.note(1, [1]) + Self.note(3, [1, 2, 3, 4]))
    for count in file.indices { #expect(try id(of: Array(file.prefix(count))) == nil) }
  }

  @Test func noMutationCrashes() throws {
    var random = SystemRandomNumberGenerator()
    let file = Self.elf(notes: Self.note(1, [1]) + Self.note(3, [1, 2, 3, 4]))
    for _ in 0..<300 {
      var mutated = file
      for _ in 0..<3 { mutated[Int.random(in: 4..<file.count, using: &random)] = .random(in: 0...255) }
      _ = try id(of: mutated)
    }
  }

  @Test func aFileOfAnotherKindHasNone() throws {
    #expect(try id(of: []) == nil)
    #expect(try id(of: Array("#!/bin/sh\n".utf8)) == nil)
  }

  // MARK: - Recognition

  @Test func theSameFileHasNoProblem() throws {
    let file = try CodeFile(at: try folder.write("code", to: "DemoTests.xctest"))
    #expect(file.size == 4)
    #expect(file.problem == nil)
  }

  @Test func aFileThatWasWrittenAgainIsAnother() throws {
    let path = try folder.write("code", to: "DemoTests.xctest")
    let file = try CodeFile(at: path)
    var times = [timespec(tv_sec: 1000, tv_nsec: 1), timespec(tv_sec: 1000, tv_nsec: 1)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    #expect(
      file.problem == "DemoTests.xctest was built again since the run; no names for its addresses.")
    #expect(try CodeFile(at: path).changedAt == 1_000_000_000_001)
  }

  @Test func theSameBuildIDIsTheSameCodeWheneverItWasWritten() throws {
    let path = try folder.write(Self.elf(notes: Self.note(3, [1, 2])), to: "a")
    var file = try CodeFile(at: path)
    file.changedAt += 1
    #expect(file.problem == nil)
    file.buildID = "0103"
    #expect(file.problem == "a was built again since the run; no names for its addresses.")
    // Only one of them has one.
    file.buildID = nil
    #expect(file.problem != nil)
    file.changedAt -= 1
    #expect(file.problem == nil)
  }

  @Test func aMissingFileIsSaid() {
    let file = CodeFile(path: folder("gone.xctest"), size: 1, changedAt: 1)
    #expect(file.problem == "gone.xctest is not there any more; no names for its addresses.")
  }

  @Test func whatIsNoFileIsSaid() throws {
    #expect(mkfifo(folder("fifo"), 0o600) == 0)
    for path in [folder("fifo"), folder.path] {
      let problem = try #require(CodeFile(path: path, size: 0, changedAt: 0).problem)
      #expect(problem.contains("cannot be read (Invalid argument)"), "\(problem)")
    }
    for path in ["linux-vdso.so.1", "", "/a\0b"] {
      let problem = try #require(CodeFile(path: path, size: 0, changedAt: 0).problem)
      #expect(problem.hasSuffix("is no file; no names for its addresses."), "\(problem)")
    }
  }

  @Test func linksAreFollowed() throws {
    let file = try CodeFile(at: try folder.write("code", to: "libsqlite3.so.0.8.6"))
    try FileManager.default.createSymbolicLink(
      atPath: folder("libsqlite3.so.0"), withDestinationPath: "libsqlite3.so.0.8.6")
    let link = try CodeFile(at: folder("libsqlite3.so.0"))
    #expect(link.hasCode(of: file))
    #expect(link.problem == nil)
  }
}
