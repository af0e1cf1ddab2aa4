import Foundation
import ReportTestSupport
import TestSupport
import Testing

@testable import ReportInspection

/// Binary property lists and keyed archives, as Core Data and UserDefaults keep values in columns.
@Suite struct PropertyListTests {
  private func lines(_ bytes: [UInt8]) -> [String]? {
    var work = 1_000_000
    return PropertyListText.lines(of: bytes, work: &work)
  }

  /// A list that Python made, an expression of it with `plistlib` and `UID` at hand.
  private func list(_ expression: String) throws -> [UInt8] {
    let python = """
      import plistlib, datetime, uuid
      from plistlib import UID
      print(plistlib.dumps(\(expression), fmt=plistlib.FMT_BINARY).hex())
      """
    let hexadecimal = try Command([ThisPackage.python, "-c", python]).run().output
    let digits = Array(hexadecimal.trimmingCharacters(in: .whitespacesAndNewlines))
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  @Test func membersAreNamed() throws {
    let lines = try lines(
      list(
        "{'b': [1, -2, 3.5, True, b'ab'], 'a': 'x\\u00e9\\n', 'd': datetime.datetime(2025, 1, 1), 'e': {}}"))
    #expect(
      lines == [
        "4 members", "  a: “xé⏎”", "  b: 5 members", "    1", "    -2", "    3.5", "    true",
        "    2 bytes 6162",
        "  d: 2025-01-01 00:00:00 UTC", "  e: 0 members",
      ])
  }

  @Test func anArchiveIsWhatWasArchived() throws {
    let lines = try lines(
      list(
        """
        {'$archiver': 'NSKeyedArchiver', '$version': 100000, '$top': {'root': UID(1)}, '$objects': ['$null',
          {'$class': UID(2), 'NS.keys': [UID(3), UID(5)], 'NS.objects': [UID(4), UID(6)]},
          {'$classname': 'NSDictionary', '$classes': ['NSDictionary', 'NSObject']},
          'at', {'$class': UID(7), 'NS.time': 757382400.0}, 'of', {'$class': UID(8), 'name': UID(9), 'next': UID(0)},
          {'$classname': 'NSDate', '$classes': ['NSDate']}, {'$classname': 'App.Player', '$classes': ['App.Player']}, 'Ada']}
        """))
    #expect(
      lines == [
        "NSDictionary", "  at: 2025-01-01 00:00:00 UTC", "  of: App.Player", "    name: “Ada”",
        "    next: nil",
      ])
  }

  /// An object inside of itself, and one that is there as often as two to the power of forty.
  @Test(arguments: [
    """
    {'$archiver': 'x', '$top': {'root': UID(1)}, '$objects': ['$null',
      {'$class': UID(2), 'NS.objects': [UID(1), UID(1)]}, {'$classname': 'NSArray'}]}
    """,
    """
    {'$archiver': 'x', '$top': {'root': UID(2)}, '$objects': ['$null', {'$classname': 'NSArray'}]
      + [{'$class': UID(1), 'NS.objects': [UID(number), UID(number)]} for number in range(3, 43)] + ['end']}
    """,
    """
    {'$archiver': 'x', '$top': {'root': UID(2)}, '$objects': ['$null', {'$classname': 'NSArray'},
      {'$class': UID(1), 'NS.objects': [UID(3)] * 60000}, {'$class': UID(1), 'NS.objects': [UID(2)] * 60000}]}
    """,
  ])
  func nothingIsEndless(expression: String) throws {
    let time = try ProcessorTime.of {
      let lines = try lines(list(expression))
      #expect(lines?.contains { $0.hasSuffix("…") } == true)
      #expect(lines?.count ?? 0 < 3000)
    }
    #expect(time < .seconds(20))
  }

  /// Any byte may be any other: something is read, or nothing, and no process ends.
  @Test func damagedListsEndNothing() throws {
    let whole = try list(
      "{'$archiver': 'x', '$top': {'root': UID(1)}, '$objects': ['$null', {'a': 'b' * 20, 'c': [1, 2, UID(0)]}, 'ü' * 9]}"
    )
    var read = 0
    for place in whole.indices {
      for byte in [UInt8(0), 0x7F, 0xFF, whole[place] ^ 1, whole[place] &+ 0x10] {
        var bytes = whole
        bytes[place] = byte
        if lines(bytes) != nil { read += 1 }
      }
      _ = lines(Array(whole.prefix(place)))
    }
    #expect(read > 100)
  }

  @Test(arguments: [
    [], Array("bplist00".utf8), Array("bplist15".utf8) + Array(repeating: 0, count: 64), [1, 2, 3],
  ])
  func otherBytesAreNone(bytes: [UInt8]) { #expect(lines(bytes) == nil) }
}
