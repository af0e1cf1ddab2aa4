import Collector
import Foundation
import Testing

@testable import Collector

/// A ring that a process left, taken apart into the lines of a test's story.
@Suite struct TraceImageTests {
  private func read(_ ring: RingBytes) throws(TraceImage.Fault) -> TraceImage {
    try Self.read(ring.bytes)
  }

  static func read(_ bytes: [UInt8], from start: UInt64 = 0) throws(TraceImage.Fault) -> TraceImage {
    let place = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { place.deallocate() }
    place.copyBytes(from: bytes)
    return try TraceImage(UnsafeRawBufferPointer(place), from: start)
  }

  static func story(_ image: TraceImage, of subject: TestSteps.Subject = .init(test: 1)) -> String {
    var lines = StoryLines()
    let id = TestCaseID(module: "M", suite: ["S"], name: "test")
    let steps = TestSteps(of: subject, in: image)
    lines.begin(id, missing: steps.missing, withoutChanges: nil)
    lines.add([RecordedStory.Database(connection: 1, path: nil)])
    lines.add(steps)
    lines.finish()
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  static var example: RingBytes {
    var ring = RingBytes()
    ring.add(20)
    let text = ring.text("UPDATE t SET x = ?")
    ring.step(1, text, expanded: "UPDATE t SET x = 2.5")
    ring.change(
      1, 23, old: [Payload.integer(.min), Payload.null, Payload.unknown],
      new: [Payload.real(2.5), Payload.text([0xFF, 0x61]), Payload.blob([1, 255])])
    ring.end(1, changed: 1)
    ring.add(22, Payload { $0.integer(UInt64(0)) })
    ring.step(2, ring.text("SELECT x"), flags: 3)
    ring.add(
      12,
      Payload {
        $0.integer(UInt64(2))
        $0.integer(UInt16(1))
        $0.string("x")
      })
    ring.row(2, [Payload.text(Array(String(repeating: "ä", count: 127).utf8) + [0xC3], size: 5000)])
    ring.error(2, code: 1811, "no \"more\"\n")
    ring.add(23)
    ring.close()
    ring.step(3, ring.text("BEGIN"))
    return ring
  }

  @Test func everyKindOfRecordIsALine() throws {
    let lines = Self.story(try read(Self.example)).split(separator: "\n").map(String.init)
    let cut = String(repeating: "ä", count: 127)
    #expect(
      lines.dropFirst(2) == [
        #"{"kind":"step","number":1,"time":0.000001,"connection":1,"sql":"UPDATE t SET x = ?","expanded":"UPDATE t SET x = 2.5","transaction":{"before":false,"after":false},"duration":0.000001,"rows":0,"changed":1}"#,
        #"{"kind":"change","step":1,"operation":"update","schema":"main","table":"t","key":1,"old":[-9223372036854775808,null,{"unknown":true}],"new":[{"real":"2.5"},"\#u{FFFD}a",{"blob":"01ff","size":2}]}"#,
        #"{"kind":"issue","after":1,"issue":0}"#,
        #"{"kind":"step","number":2,"time":0.000002,"connection":1,"sql":"SELECT x","readOnly":true,"transaction":{"before":false,"after":false},"running":true,"error":{"code":1811,"message":"no \"more\"\u000a"},"columns":["x"],"results":[[{"text":"\#(cut)","size":5000}]]}"#,
        #"{"kind":"baseline","after":2}"#,
        #"{"kind":"closed","connection":1,"after":2}"#,
        #"{"kind":"step","number":3,"time":0.000003,"connection":1,"sql":"BEGIN","transaction":{"before":false,"after":false},"running":true}"#,
        #"{"kind":"end"}"#,
      ])
  }

  @Test func whatFlagsSayIsTold() throws {
    var ring = RingBytes()
    ring.add(20)
    ring.step(1, ring.text("INSERT INTO t VALUES (1)"))
    ring.change(1, 18, old: [], new: [Payload.real(1)], key: 0, flags: 1)
    ring.end(1, changed: 1)
    ring.step(2, ring.text("DROP TABLE IF EXISTS u"))
    ring.end(2, flags: 64)
    let lines = Self.story(try read(ring)).split(separator: "\n")
    #expect(lines.contains { $0.contains(#""kind":"change""#) && !$0.contains(#""key""#) })
    #expect(lines.filter { $0.contains(#""idle":true"#) }.map { $0.contains("DROP") } == [true])
  }

  /// At every size of the last record of a lap, with padding behind it or without.
  @Test func lapsKeepTheLatestSteps() throws {
    for extra in 0..<40 {
      var ring = RingBytes(room: 8192)
      ring.add(20)
      for number in 1...200 as ClosedRange<UInt64> {
        let length = number % 7 == 0 ? extra : 3
        ring.step(
          number, ring.text("SELECT " + String(repeating: "x", count: length)), ordinal: UInt32(number))
        ring.end(number)
      }
      let image = try read(ring)
      #expect(image.damage == nil)
      let steps = TestSteps(of: .init(test: 1, stepsBefore: 0), in: image)
      let numbers = steps.steps.map(\.number)
      let first = try #require(numbers.first)
      #expect(numbers == Array(first...200) && first > 100)
      #expect(steps.missing == UInt64(first - 1) && image.overwrittenSteps == UInt64(first - 1))
      #expect(steps.steps.dropFirst().allSatisfy { $0.sql.hasPrefix("SELECT") && !$0.isRunning })
    }
  }

  @Test func whoRanAStepIsNotGuessed() throws {
    var ring = RingBytes()
    ring.add(20)
    ring.add(20, test: 2)
    let text = ring.text("SELECT 1")
    for (number, (test, connection)) in [(1, 1), (2, 1), (0, 1), (0, 2), (0, 3), (2, 3)].enumerated() {
      ring.step(UInt64(number + 1), text, test: UInt32(test), connection: UInt32(connection))
    }
    let subject = TestSteps.Subject(test: 1, ownConnections: [1], sharedConnections: [2], stepsBefore: 0)
    let steps = TestSteps(of: subject, in: try read(ring)).steps
    #expect(steps.map(\.number) == [1, 3, 4])
    #expect(steps.map(\.owner) == [.test, .connection, .nobody])
  }

  /// Work that a test left running when it ended is counted, and is none of the one that runs.
  @Test func whatAnotherTestLeftRunningStandsApart() throws {
    var ring = RingBytes()
    let (mine, others) = (ring.text("SELECT 1"), ring.text("SELECT value FROM other"))
    ring.step(1, others, test: 1)
    ring.add(20, test: 2)
    for number in 2...9 as ClosedRange<UInt64> {
      ring.step(number, number % 4 == 0 ? mine : others, test: number % 4 == 0 ? 2 : 1)
    }
    var subject = TestSteps.Subject(test: 2, stepsBefore: 1)
    subject.ended[1] = TestCaseID(module: "M", suite: ["S"], name: "testA")
    let story = Self.story(try read(ring), of: subject)
    #expect(
      story.contains(
        #"{"kind":"left","test":{"module":"M","suite":["S"],"name":"testA"},"steps":6,"sql":"SELECT value FROM other"}"#
      ), "\(story)")
    #expect(story.matches(of: #/"kind":"step"/#).count == 2)
  }

  /// Other tests' steps between them do not count, and what is written later goes on.
  @Test func aStoryCountsTheStepsOfItsTest() throws {
    var ring = RingBytes()
    ring.add(20)
    let text = ring.text("SELECT 1")
    for number in 41...46 as ClosedRange<UInt64> { ring.step(number, text, test: number % 2 == 0 ? 2 : 1) }
    ring.add(22, Payload { $0.integer(UInt64(0)) })
    let steps = TestSteps(of: .init(test: 1, stepsBefore: 40), in: try read(ring))
    var lines = StoryLines()
    lines.begin(TestCaseID(module: "M", suite: [], name: "t"), missing: 7, withoutChanges: nil)
    lines.add(steps)
    let begun = String(decoding: lines.bytes, as: UTF8.self)
    #expect([8, 9, 10].allSatisfy { begun.contains(#""kind":"step","number":\#($0),"#) })
    #expect(begun.contains(#"{"kind":"issue","after":10,"issue":0}"#))
    #expect(lines.end.step == 45 && lines.end.number == 10)

    ring.step(50, text, test: 1)
    var more = StoryLines(after: lines.end)
    more.add(TestSteps(of: .init(test: 1, stepsBefore: 40), in: try read(ring)))
    let added = String(decoding: more.bytes, as: UTF8.self)
    #expect(added.contains(#""kind":"step","number":11,"#) && !added.contains(#""number":10,"#))
  }

  /// Its mark is missing where the first statement of the process made the ring.
  ///
  /// A process that died in between leaves both.
  @Test func whatIsWrittenAgainIsToldOnceAndInItsPlace() throws {
    var ring = RingBytes()
    func step(_ number: UInt64, first: UInt64? = nil, end: [UInt32] = [0, 0, 0, 0, 0, 0]) -> Payload {
      Payload {
        for word in [first, number, .max, .max] as [UInt64?] { if let word { $0.integer(word) } }
        // Nothing fills up the record before its end.
        $0.string("SELECT \(number % 10)")
        for number in end { $0.integer(number) }
      }
    }
    ring.add(20)
    let first = ring.add(10, step(7, end: [1000, 3, .max, 0, 0, 3]))
    ring.add(10, step(9))
    ring.add(10, test: 2, step(8))
    ring.add(10 | 0x8000, step(7, first: first, end: [1000, 3, .max, 0, 0, 3]))
    let whole = TestSteps(of: .init(test: 1, stepsBefore: 0), in: try read(ring))
    #expect(whole.steps.map(\.expanded) == ["SELECT 7", "SELECT 9"] && whole.missing == 0)
    #expect(whole.steps.map(\.isRunning) == [false, true] && whole.steps.first?.rows == 3)
    ring.add(18, Payload { for word in [.max, .max, 5, 0, 1, 7] as [UInt64] { $0.integer(word) } })
    let part = TestSteps(of: .init(test: 1, stepsBefore: 0), in: try read(ring))
    #expect(part.steps.map(\.expanded) == ["SELECT 9"] && part.missing == 6)
    for (number, ordinal) in [(20, 31), (21, 33), (22, 34)] as [(UInt64, UInt32)] {
      ring.add(10, step(number, end: [1000, 0, 0, 0, ordinal, 3]))
    }
    let behindGap = TestSteps(of: .init(test: 1, stepsBefore: 0), in: try read(ring))
    #expect(behindGap.steps.map(\.expanded) == ["SELECT 1", "SELECT 2"] && behindGap.missing == 32)
  }

  @Test func aTestThatBeganBeforeTheRingMissesNothing() throws {
    var ring = RingBytes()
    let text = ring.text("SELECT 1")
    ring.step(1, text, test: 2)
    ring.step(2, text, test: 0, connection: 1)
    ring.step(3, text)
    let steps = TestSteps(of: .init(test: 1, ownConnections: [1], stepsBefore: 0), in: try read(ring))
    #expect(steps.steps.map(\.number) == [2, 3])
    #expect(steps.missing == 0)
  }

  @Test func whatIsClearedIsMissing() throws {
    var ring = RingBytes()
    ring.add(20)
    ring.add(24, test: 0, Payload { $0.string("Tables were excluded.") })
    ring.step(5, ring.text("SELECT 1"), ordinal: 3)
    let steps = TestSteps(of: .init(test: 1, stepsBefore: 2), in: try read(ring))
    #expect(steps.cleared == "Tables were excluded." && steps.missing == 2)
  }

  @Test func aLongTextIsWrittenOnceForManySteps() throws {
    var ring = RingBytes(room: 32_768)
    ring.add(20)
    let sql = "INSERT INTO t VALUES " + String(repeating: "(1),", count: 3000)
    let text = ring.text(sql)
    for number in 1...100 as ClosedRange<UInt64> { ring.step(number, text) }
    let lines = Self.story(try read(ring)).split(separator: "\n").filter { $0.contains(#""kind":"step""#) }
    #expect(lines.count == 100 && lines[0].contains(sql))
    let beginning = sql.prefix(4096)
    #expect(
      lines.dropFirst().allSatisfy { $0.contains("\(beginning)\\u000a-- \(sql.count - 4096) more bytes\"") })
  }

  @Test func manyTriggersAndClosedConnectionsTakeNoLongerThanTheyAreMany() throws {
    var ring = RingBytes(room: 4 << 20)
    let begin = ProcessorTime.now
    ring.add(20)
    let text = ring.text("INSERT INTO t VALUES (1)")
    for number in 1...15_000 as ClosedRange<UInt64> {
      ring.step(number, text, connection: 1)
      ring.add(
        11,
        Payload {
          $0.integer(UInt64(1))
          $0.string("TRIGGER t\(number)")
        })
      ring.close(connection: 7)
    }
    let steps = TestSteps(of: .init(test: 1, stepsBefore: 0), in: try read(ring))
    #expect(steps.steps.count == 15_000 && steps.marks.isEmpty)
    #expect(steps.steps[0].triggers.count == 1000)
    #expect(ProcessorTime.now - begin < .seconds(60))
  }

  @Test func numbersAtTheirEndsDoNotOverflow() throws {
    for last in [0, 1, .max] as [UInt64] {
      var ring = RingBytes()
      ring.step(last, ring.text("SELECT 1"), test: 2)
      ring.add(24, test: 0, Payload { $0.string("cleared") })
      for before in [0, 1, .max] as [UInt64] {
        let steps = TestSteps(of: .init(test: 1, stepsBefore: before), in: try read(ring))
        #expect(steps.missing == 0)
      }
    }
  }

  @Test func aRecordOfALaterVersionIsPassedOver() throws {
    var ring = Self.example
    ring.add(77, Payload { $0.raw([1, 2, 3]) })
    ring.step(4, ring.text("COMMIT"))
    let image = try read(ring)
    #expect(image.damage == nil)
    #expect(TestSteps(of: .init(test: 1), in: image).steps.last?.sql == "COMMIT")
  }

  @Test func whatIsNoRingIsSaidToBeNone() throws {
    #expect(throws: TraceImage.Fault.notARing) { try Self.read([]) }
    #expect(throws: TraceImage.Fault.notARing) { try Self.read(Array(repeating: 0, count: 9000)) }
    let headers: [(Int, UInt8, TraceImage.Fault)] = [
      (20, 4, .newer(version: 4)), (20, 2, .older(version: 2)), (20, 0, .older(version: 0)),
      (23, 255, .newer(version: 0xFF00_0003)), (16, 1, .damaged), (24, 1, .damaged), (31, 255, .damaged),
      (71, 255, .damaged),
      (79, 255, .damaged), (64, 8, .damaged),
    ]
    for (place, byte, fault) in headers {
      var ring = RingBytes()
      ring.changesHeader = { $0[place] = byte }
      #expect(throws: fault, "\(place)") { try Self.read(ring.bytes) }
    }
  }

  /// `EXHIBIT_FUZZ=10000` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
  @Test func mutatedRingsAreReadAsFarAsTheyAreWhole() throws {
    let variables = ProcessInfo.processInfo.environment
    let seed = variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    var numbers = LinearNumbers(state: seed)
    var lapped = RingBytes(room: 2048)
    for number in 1...60 as ClosedRange<UInt64> {
      lapped.step(number, lapped.text("SELECT \(number)"))
      lapped.row(number, [Payload.integer(Int64(number)), Payload.text(Array("text".utf8))])
    }
    let rings = [Self.example.bytes, lapped.bytes]
    let start = ProcessorTime.now
    var (read, damaged, refused) = (0, 0, 0)
    for round in 0..<(variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 300) {
      var bytes = rings[round % rings.count]
      for _ in 0...Int.random(in: 0..<8, using: &numbers) {
        // Where there is something: the header's numbers and the records.
        let place =
          Bool.random(using: &numbers)
          ? Int.random(in: 16..<92, using: &numbers)
          : Int.random(in: 4096..<min(bytes.count, 5400), using: &numbers)
        bytes[place] =
          [0, 1, 8, 127, 255, bytes[place] ^ 1, UInt8.random(in: 0...255, using: &numbers)]
          .randomElement(using: &numbers) ?? 0
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers)) }
      do throws(TraceImage.Fault) {
        let from = UInt64.random(in: 0..<3000, using: &numbers)
        let image = try Self.read(bytes, from: round % 3 == 0 ? from : 0)
        let text = Self.story(image, of: .init(test: 1, ownConnections: [1], stepsBefore: 7))
        for line in text.split(separator: "\n") {
          #expect(
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "round \(round): \(line)")
        }
        read += 1
        if image.damage != nil { damaged += 1 }
      } catch { refused += 1 }
    }
    #expect(read > 0 && damaged > 0 && refused > 0)
    #expect(ProcessorTime.now - start < .seconds(120))
  }
}

/// The same numbers for the same seed.
struct LinearNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
