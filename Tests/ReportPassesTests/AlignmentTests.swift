import Testing

@testable import ReportPasses

@Suite("Two sequences beside each other")
struct AlignmentTests {
  @Test("Every member stands once, in its order, beside one that is alike", arguments: 0..<200)
  func aligns(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func sequence() -> [Int] {
      (0..<Int.random(in: 0...14, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
    }
    let (one, two) = (sequence(), sequence())
    let pairs = Alignment(one, two).pairs
    #expect(pairs.compactMap(\.first) == Array(one.indices))
    #expect(pairs.compactMap(\.second) == Array(two.indices))
    for pair in pairs {
      if let first = pair.first, let second = pair.second { #expect(one[first] == two[second]) }
    }
  }

  @Test("Of a long loop one that is missing is one edit")
  func missing() {
    let pairs = Alignment(
      [7] + Array(repeating: 1, count: 900) + [8], [7] + Array(repeating: 1, count: 901) + [8]
    ).pairs
    #expect(pairs.count { $0.first == nil } == 1)
    #expect(pairs.count { $0.second == nil } == 0)
  }

  @Test("What is unique on both sides holds the others in place")
  func anchors() {
    let pairs = Alignment([1, 1, 5, 1], [1, 5, 1, 1]).pairs
    #expect(pairs.contains { $0.first == 2 && $0.second == 1 })
  }

  @Test("Ten thousand that have nothing in common end as other")
  func nothingInCommon() {
    let pairs = Alignment(Array(repeating: 1, count: 10_000), Array(repeating: 2, count: 10_000)).pairs
    #expect(pairs.count == 20_000)
  }
}
