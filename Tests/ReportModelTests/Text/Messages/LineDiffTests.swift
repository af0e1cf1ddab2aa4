import Testing

@testable import ReportModel

@Suite struct LineDiffTests {
  @Test func changedWordsAreMarked() throws {
    let lines = try #require(lineDiff(from: "total: 129.90 EUR", to: "total: 116.91 EUR"))
    #expect(lines.map(\.kind) == [.removed, .added])
    #expect(lines.map { $0.spans.filter(\.isChanged).map(\.text) } == [["129", "90"], ["116", "91"]])
  }

  @Test func linesWithLittleInCommonAreMarkedAsAWhole() throws {
    let lines = try #require(lineDiff(from: "alpha beta", to: "gamma delta"))
    #expect(lines.flatMap(\.spans).map(\.text) == ["alpha beta", "gamma delta"])
  }

  @Test func bothTextsCanBeReadBack() throws {
    var generator = Numbers()
    for _ in 0..<200 {
      let old = (0..<generator.next(12)).map { _ in "l\(generator.next(4)) \(generator.next(3))" }
      let new = (0..<generator.next(12)).map { _ in "l\(generator.next(4)) \(generator.next(3))" }
      let lines = try #require(lineDiff(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")))
      let hidden = lines.filter { $0.kind == .omitted }.count
      guard hidden == 0 else { continue }
      let oldRead = lines.filter { $0.kind != .added }.map(\.text)
      let newRead = lines.filter { $0.kind != .removed }.map(\.text)
      #expect(oldRead == (old.isEmpty ? [""] : old))
      #expect(newRead == (new.isEmpty ? [""] : new))
    }
  }

  @Test func longEqualStretchesAreLeftOut() throws {
    let old = (1...40).map { "line \($0)" }
    var new = old
    new[20] = "another"
    let lines = try #require(lineDiff(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")))
    #expect(lines.filter { $0.kind == .omitted }.map(\.text) == ["17 equal lines", "16 equal lines"])
    #expect(lines.count == 2 + 3 + 2 + 3)
  }

  @Test func aCarriageReturnIsADifference() throws {
    let lines = try #require(lineDiff(from: "a\r\nb", to: "a\nb"))
    #expect(lines.map(\.kind) == [.removed, .added, .same])
  }

  @Test func veryLongTextsAreNotCompared() {
    let long = String(repeating: "x\n", count: 5000)
    #expect(lineDiff(from: long, to: "x") == nil)
  }
}

/// A fixed sequence of numbers.
private struct Numbers {
  private var state: UInt64 = 42

  mutating func next(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }
}
