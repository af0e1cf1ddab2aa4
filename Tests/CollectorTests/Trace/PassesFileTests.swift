import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import Collector

/// What a process recorded of tests that passed, as anybody may have left it.
@Suite struct PassesFileTests {
  /// The process of `RingBytes`.
  private static let process = ProcessIdentity(pid: 4711, startTicks: 99)

  private static func id(_ name: String) -> TestCaseID {
    TestCaseID(module: "M", suite: ["S"], name: name, argument: .init(ordinal: 1, description: "\"ü\""))
  }

  static func entry(_ name: String, began: Double? = 1.5, ring: RingBytes = TraceImageTests.example)
    -> [UInt8]
  {
    var head = PassHead(test: id(name), serial: 1, stepsBefore: 0, began: began)
    head.ownConnections = [1]
    head.databases = [
      RecordedStory.Database(connection: 1, path: "/tmp/a.db"), .init(connection: 2, path: nil),
    ]
    return ring.pass(head)
  }

  private func lines(of entry: PassesFile.Entry, in bytes: [UInt8], _ process: ProcessIdentity = process)
    throws
    -> String
  {
    let own = Array(bytes[entry.place..<entry.place + entry.size])
    return String(decoding: try own.withUnsafeBytes { try entry.lines(in: $0, of: process) }, as: UTF8.self)
  }

  private func read(_ bytes: [UInt8]) -> (entries: [PassesFile.Entry], damage: String?) {
    bytes.withUnsafeBytes { PassesFile.entries(in: $0) }
  }

  @Test func anEntryHasTheLinesOfAStory() throws {
    let bytes = Self.entry("a") + Self.entry("b", began: nil)
    let (entries, damage) = read(bytes)
    #expect(damage == nil)
    #expect(entries.map(\.test) == [Self.id("a"), Self.id("b")])
    #expect(entries.map(\.began) == [1.5, nil])
    let story = try lines(of: entries[1], in: bytes).split(separator: "\n").map(String.init)
    #expect(story[0].contains(#""name":"b""#) && story[0].contains(#""missing":0"#))
    #expect(story[1] == #"{"kind":"database","connection":1,"schema":"main","path":"/tmp/a.db"}"#)
    let whole = TraceImageTests.story(try TraceImageTests.read(TraceImageTests.example.bytes))
    #expect(story.dropFirst(2) == whole.split(separator: "\n").dropFirst(2).map(String.init)[...])
  }

  @Test func anEmptyFileIsWhole() { #expect(read([]).entries == [] && read([]).damage == nil) }

  /// As a process leaves it that is killed while it writes, or whose disk is full.
  @Test func whatComesBeforeATornEntryIsRead() {
    let first = Self.entry("a"), bytes = first + Self.entry("b")
    for count in stride(from: 0, to: bytes.count, by: 61) where count != first.count {
      let (entries, damage) = read(Array(bytes.prefix(count)))
      #expect(entries.count == (count < first.count ? 0 : 1), "\(count)")
      #expect((damage == nil) == (count == 0), "\(count)")
    }
    let torn = read(Array(bytes.dropLast(1)))
    #expect(torn.entries.map(\.test) == [Self.id("a")])
    let rest = bytes.count - 1 - first.count
    #expect(
      torn.damage
        == "From byte \(first.count) on, \(rest) bytes of it are no whole pass, so that later ones are missing."
    )
  }

  @Test func aByteThatSomebodyChangedEndsIt() {
    let first = Self.entry("a"), bytes = first + Self.entry("b")
    for place in stride(from: 0, to: first.count, by: 37) {
      var changed = bytes
      changed[first.count + place] ^= 0x41
      let (entries, damage) = read(changed)
      #expect(entries.map(\.test) == [Self.id("a")] && damage != nil, "\(place)")
    }
  }

  /// With sums that are right.
  @Test func noNumberLeadsOutOfTheFile() {
    let entry = Self.entry("a")
    func changed(_ place: Int, _ number: UInt64, bytes count: Int) -> [UInt8] {
      var entry = entry
      for byte in 0..<count { entry[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte))) }
      let sum = entry[24...].withUnsafeBufferPointer { PassesFileTests.sum($0) }
      for byte in 0..<8 { entry[16 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * UInt64(byte))) }
      return entry
    }
    for number in [
      0, 1, 8, 40, 136, UInt64(entry.count) - 8, UInt64(entry.count) + 8, 1 << 40, .max, 1 << 63,
    ] {
      #expect(read(changed(24, number, bytes: 8)).entries == [], "size \(number)")
    }
    for number in [0, 7, UInt64(entry.count), 1 << 24, 1 << 31, 0xFFFF_FFFF] as [UInt64] {
      #expect(read(changed(32, number, bytes: 4)).entries == [], "line \(number)")
      #expect(read(changed(36, number, bytes: 4)).entries == [], "header \(number)")
    }
    #expect(read(changed(36, 96, bytes: 4)).entries.count == 1)
  }

  private static func sum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var sum = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
    for place in stride(from: 0, to: bytes.count, by: 8) {
      let word = (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
      sum = (sum ^ word) &* 0x9FB2_1C65_1E98_DF25
      sum ^= sum >> 32
    }
    return sum
  }

  @Test func whatAnEntryLacksIsSaid() throws {
    func fault(_ ring: RingBytes, _ process: ProcessIdentity = Self.process) -> String? {
      let bytes = Self.entry("a", ring: ring)
      do {
        _ = try lines(of: try #require(read(bytes).entries.first), in: bytes, process)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(fault(TraceImageTests.example) == nil)
    let other = ProcessIdentity(pid: 4711, startTicks: 100)
    #expect(fault(TraceImageTests.example, other) == "It has steps of another process: 4711.")
    #expect(fault(RingBytes()) == "It has a test without steps.")
    var newer = TraceImageTests.example
    newer.changesHeader = { $0[20] = 9 }
    #expect(
      fault(newer)?.hasPrefix("What it has of a test's steps cannot be read. It is of version 9") == true)
  }

  @Test func namesOfFilesAreThoseOfProcesses() {
    #expect(PassesFile.fileName(Self.process) == "4711-99.passes")
    #expect(PassesFile.process(ofFile: "4711-99.passes") == Self.process)
    for name in ["4711-99.ring", "a-b.passes", "4711.passes", "1-2-3.passes", ".passes"] {
      #expect(PassesFile.process(ofFile: name) == nil, "\(name)")
    }
  }
}
