import Foundation
import Testing

@testable import Collector

/// A ring that was damaged loses the damaged records alone, and says so.
@Suite struct TraceDamageTests {
  /// Twenty steps of a test, with a row each, from step 1 on.
  private static func ring(room: Int = 8192, steps: ClosedRange<UInt64> = 1...20) -> RingBytes {
    var ring = RingBytes(room: room)
    ring.add(20)
    for number in steps {
      ring.step(number, ring.text("SELECT \(number)"))
      ring.row(number, [Payload.integer(Int64(number))])
      ring.end(number, rows: 1)
    }
    return ring
  }

  private static func steps(_ image: TraceImage) -> [Int] {
    TestSteps(of: .init(test: 1), in: image).steps.map(\.number)
  }

  /// Where the record of a step begins in the file.
  private static func place(ofStep number: UInt64, in ring: RingBytes) throws -> Int {
    let image = try TraceImageTests.read(ring.bytes)
    let record = try #require(
      image.records.first { if case .step(let step) = $0.content { step.number == number } else { false } })
    return 4096 + Int(record.position % UInt64(ring.bytes.count - 4096))
  }

  @Test func whatIsWholeBehindADamagedPlaceIsRead() throws {
    let ring = Self.ring()
    let place = try Self.place(ofStep: 7, in: ring)
    for byte in place..<place + 48 {
      var bytes = ring.bytes
      bytes[byte] ^= 0x10
      let image = try TraceImageTests.read(bytes)
      #expect(Self.steps(image) == (1...20).filter { $0 != 7 }, "\(byte - place)")
      let damage = try #require(image.damage, "\(byte - place)")
      #expect(damage == TraceDamage(place: place, bytes: 88, step: 6))
      #expect(
        damage.sentence.contains("From byte \(place) on, 88 bytes")
          && damage.sentence.contains("after step 6"))
    }
  }

  @Test func aWholeRingHasNoDamage() throws {
    for room in [1024, 1032, 2048, 8192] {
      let image = try TraceImageTests.read(Self.ring(room: room).bytes)
      #expect(image.damage == nil && Self.steps(image).last == 20, "\(room)")
      #expect(image.overwrittenSteps == (Self.steps(image).first ?? 0) - 1)
    }
  }

  /// The process died between writing a record and its header.
  @Test func aRecordThatTheHeaderDoesNotHaveYetIsRead() throws {
    var ring = Self.ring(steps: 1...3)
    let before = ring.bytes
    let text = ring.text("SELECT 4")
    #expect(text < 4096)
    let after = ring.bytes
    let image = try TraceImageTests.read(Array(before[..<4096]) + after[4096...])
    #expect(image.damage == nil && Self.steps(image) == [1, 2, 3])
    #expect(image.records.last?.content == .text(name: text, TraceText("SELECT 4", size: 8)))
  }

  @Test func aHeaderThatLeavesRecordsOutIsFound() throws {
    for (place, value) in [(64, 512), (72, 0), (72, 1024)] {
      var bytes = Self.ring().bytes
      withUnsafeBytes(of: UInt64(value).littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
      let image = try TraceImageTests.read(bytes)
      #expect(image.damage != nil && Self.steps(image) == Array(1...20), "\(place) \(value)")
    }
    var bytes = Self.ring().bytes
    bytes[92] = 0
    #expect(try Self.steps(TraceImageTests.read(bytes)) == Array(1...20))
    bytes[88] = 0
    #expect(try TraceImageTests.read(bytes).tellsChanges == false)
  }

  @Test func rowsThatAreThereAreToldWhateverTheHeaderSays() throws {
    var ring = Self.ring(steps: 1...2)
    ring.change(2, 18, old: [], new: [Payload.integer(1)])
    ring.changesHeader = { $0[88] = 0 }
    #expect(try TraceImageTests.read(ring.bytes).tellsChanges)
  }

  /// `EXHIBIT_FUZZ=25000` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
  @Test func noMutationLosesAStepUnsaid() throws {
    let variables = ProcessInfo.processInfo.environment
    var numbers = LinearNumbers(state: variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1)
    let rings = [Self.ring(), Self.ring(room: 2048, steps: 1...60)]
    let whole = try rings.map { try Set(Self.steps(TraceImageTests.read($0.bytes))) }
    var (told, refused) = (0, 0)
    for round in 0..<(variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 500) {
      let index = round % rings.count
      var bytes = rings[index].bytes
      var places: [Int] = []
      for _ in 0...Int.random(in: 0..<3, using: &numbers) {
        let place =
          Int.random(in: 0..<4, using: &numbers) == 0
          ? Int.random(in: 16..<96, using: &numbers) : Int.random(in: 4096..<bytes.count, using: &numbers)
        bytes[place] ^= UInt8.random(in: 1...255, using: &numbers)
        places.append(place)
      }
      do throws(TraceImage.Fault) {
        let image = try TraceImageTests.read(bytes)
        let isWhole = whole[index].isSubset(of: Self.steps(image))
        #expect(isWhole || image.damage != nil, "round \(round): \(places)")
        if image.damage != nil { told += 1 }
      } catch { refused += 1 }
    }
    #expect(told > 0 && refused > 0)
  }

  @Test func manyDamagedRecordsAreOneDamage() throws {
    var ring = RingBytes(room: 1 << 20)
    ring.add(20)
    for number in 1...8000 as ClosedRange<UInt64> {
      ring.add(
        12,
        Payload {
          $0.integer(number)
          // Names that are not there.
          $0.integer(UInt16.max)
        })
    }
    let image = try TraceImageTests.read(ring.bytes)
    let damage = try #require(image.damage)
    #expect(image.records.count == 1 && damage.bytes == 384_000)
  }
}
