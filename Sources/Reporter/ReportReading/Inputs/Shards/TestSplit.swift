package import Collector
import ExhibitSystem
import ReportModel

/// Assigns each test to a shard, alike on every machine that has the same tests and durations.
package struct TestSplit: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var shard: Int
    package var test: TestCaseID
  }

  package let entries: [Entry]
  package let count: Int

  /// Splits between suites, and within one that is too long or where shards would be empty.
  ///
  /// - Parameter durations: Seconds of functions; missing ones count as the median.
  /// - Returns: `nil` for fewer tests than shards.
  package init?(_ tests: some Sequence<TestCaseID>, into count: Int, durations: [TestCaseID: Double] = [:]) {
    let tests = Set(tests).sorted()
    guard count > 0, tests.count >= count else { return nil }
    let weights = Self.weights(of: tests, durations)
    var shards = [Int](repeating: 0, count: tests.count)
    var loads = [Int](repeating: 0, count: count)
    for piece in Self.pieces(of: tests, weights, for: count) {
      let shard = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[shard] += piece.weight
      for index in piece.range { shards[index] = shard + 1 }
    }
    entries = zip(shards, tests).map { Entry(shard: $0, test: $1) }
    self.count = count
  }

  package func tests(of shard: Int) -> [TestCaseID] { entries.filter { $0.shard == shard }.map(\.test) }

  /// 16 hexadecimal digits of a hash of the assignment.
  package var hash: String { Self.hash(of: lines) }

  static func hash(of lines: [UInt8]) -> String {
    var hash = StableHash()
    lines.withUnsafeBytes { hash.add($0) }
    return hash.hexadecimal
  }

  // MARK: - Weights

  /// In integral microseconds, so that sums are equal everywhere.
  private static func weights(of tests: [TestCaseID], _ durations: [TestCaseID: Double]) -> [Int] {
    let known = tests.map { test in
      durations[test].flatMap { $0.isFinite && $0 >= 0 ? max(1, Int(min($0, mostSeconds) * 1e6)) : nil }
    }
    let sorted = known.compactMap { $0 }.sorted()
    let usual = sorted.isEmpty ? 1 : sorted[sorted.count / 2]
    return known.map { $0 ?? usual }
  }

  private static let mostSeconds = 1e6

  // MARK: - Pieces

  private struct Piece {
    var range: Range<Int>
    var weight: Int
  }

  private static func pieces(of tests: [TestCaseID], _ weights: [Int], for count: Int) -> [Piece] {
    var pieces: [Piece] = []
    let most = max(1, (weights.reduce(0, +) + count - 1) / count)
    tests.forEachStretch({ $0.isInSuite(of: $1) }) { pieces += split($0.indices, weights, most: most) }
    while pieces.count < count, let longest = longestDivisible(pieces) {
      let piece = pieces.remove(at: longest)
      pieces += split(piece.range, weights, most: max(1, (piece.weight + 1) / 2))
    }
    return pieces.sorted { ($1.weight, $0.range.lowerBound) < ($0.weight, $1.range.lowerBound) }
  }

  private static func longestDivisible(_ pieces: [Piece]) -> Int? {
    pieces.indices.filter { pieces[$0].range.count > 1 }.max {
      (pieces[$0].weight, pieces[$1].range.lowerBound) < (pieces[$1].weight, pieces[$0].range.lowerBound)
    }
  }

  /// The fewest similar parts of a suite within a weight.
  private static func split(_ range: Range<Int>, _ weights: [Int], most: Int) -> [Piece] {
    let weight = weights[range].reduce(0, +)
    let parts = min((weight + most - 1) / most, range.count)
    guard parts > 1 else { return [Piece(range: range, weight: weight)] }
    var pieces: [Piece] = []
    var (start, done, own) = (range.lowerBound, 0, 0)
    for index in range {
      own += weights[index]
      let left = range.upperBound - index - 1
      let missing = parts - pieces.count - 1
      let isFull = (done + own) * parts >= weight * (pieces.count + 1)
      guard left == missing || isFull || left == 0 else { continue }
      if missing == 0 && left > 0 { continue }
      pieces.append(Piece(range: start..<(index + 1), weight: own))
      (start, done, own) = (index + 1, done + own, 0)
    }
    return pieces
  }

  // MARK: - The file

  /// The file's lines: `<shard> <test>`.
  package var lines: [UInt8] {
    var lines: [UInt8] = []
    for entry in entries { lines += Array("\(entry.shard) \(entry.test.description)\n".utf8) }
    return lines
  }

  /// `nil` for invalid or unsorted lines.
  package init?(lines: some Collection<UInt8>, count: Int) {
    var entries: [Entry] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let shard = Int(parts[0]), (1...max(1, count)).contains(shard),
        let test = TestCaseID(eventStreamID: String(parts[1])),
        entries.last.map({ $0.test < test }) ?? true
      else { return nil }
      entries.append(Entry(shard: shard, test: test))
    }
    (self.entries, self.count) = (entries, count)
  }
}

extension TestCaseID {
  /// True in the same outermost suite, or as free functions of one module.
  package func isInSuite(of other: TestCaseID) -> Bool {
    module == other.module && suite.first == other.suite.first
  }
}
