import ExhibitSystem

/// An alignment (diff) of two sequences.
///
/// Members unique on both sides are the first anchors (patience diff, Bram Cohen); between them is the shortest edit
/// script (Eugene W. Myers, “An O(ND) Difference Algorithm and Its Variations”, 1986).
struct Alignment: Equatable {
  struct Pair: Equatable {
    var first: Int?
    var second: Int?
  }

  /// With more edits the rest of a stretch counts as different.
  private static let mostEdits = 400
  private static let deepest = 32

  private(set) var pairs: [Pair] = []

  /// - Parameters:
  ///   - first: Numbers that are equal for equal members.
  ///   - isOpen: True when members after the end of the first sequence do not count.
  init(_ first: [Int], _ second: [Int], isOpen: Bool = false) {
    align(first[...], second[...], isOpen, depth: 0)
  }

  private mutating func align(
    _ first: ArraySlice<Int>, _ second: ArraySlice<Int>, _ isOpen: Bool, depth: Int
  ) {
    var (first, second) = (first, second)
    while let one = first.first, one == second.first {
      pairs.append(Pair(first: first.startIndex, second: second.startIndex))
      first.removeFirst()
      second.removeFirst()
    }
    var ends: [Pair] = []
    while !isOpen, let one = first.last, one == second.last {
      ends.append(Pair(first: first.endIndex - 1, second: second.endIndex - 1))
      first.removeLast()
      second.removeLast()
    }
    let anchors = depth < Self.deepest ? Self.anchors(first, second) : []
    if anchors.isEmpty {
      addShortest(first, second, isOpen)
    } else {
      var (start, other) = (first.startIndex, second.startIndex)
      for anchor in anchors {
        align(first[start..<anchor.first], second[other..<anchor.second], false, depth: depth + 1)
        pairs.append(Pair(first: anchor.first, second: anchor.second))
        (start, other) = (anchor.first + 1, anchor.second + 1)
      }
      align(first[start...], second[other...], isOpen, depth: depth + 1)
    }
    pairs += ends.reversed()
  }

  /// Members unique on both sides, in the longest common order.
  private static func anchors(
    _ first: ArraySlice<Int>, _ second: ArraySlice<Int>
  ) -> [(first: Int, second: Int)] {
    guard !first.isEmpty, !second.isEmpty else { return [] }
    func unique(_ members: ArraySlice<Int>) -> [Int: Int] {
      var places: [Int: Int] = [:]
      for index in members.indices { places[members[index]] = places[members[index]] == nil ? index : -1 }
      return places
    }
    let (one, two) = (unique(first), unique(second))
    var common: [(first: Int, second: Int)] = []
    for index in first.indices where one[first[index]] == index {
      if let other = two[first[index]], other >= 0 { common.append((index, other)) }
    }
    return longestIncreasing(common)
  }

  private static func longestIncreasing(_ pairs: [(first: Int, second: Int)]) -> [(first: Int, second: Int)] {
    var (tops, before): ([Int], [Int?]) = ([], [])
    for (index, pair) in pairs.enumerated() {
      let lower = tops.place { pairs[$0].second < pair.second }
      before.append(lower > 0 ? tops[lower - 1] : nil)
      if lower == tops.count { tops.append(index) } else { tops[lower] = index }
    }
    var (chain, next): ([(first: Int, second: Int)], Int?) = ([], tops.last)
    while let index = next {
      chain.append(pairs[index])
      next = before[index]
    }
    return chain.reversed()
  }

  private mutating func addShortest(_ first: ArraySlice<Int>, _ second: ArraySlice<Int>, _ isOpen: Bool) {
    let (one, two) = (Array(first), Array(second))
    guard !one.isEmpty, !two.isEmpty, let (steps, end) = Self.farthest(one, two, isOpen) else {
      addOther(first, second)
      return
    }
    var (x, y, found): (Int, Int, [Pair]) = (one.count, end, [])
    let (start, other) = (first.startIndex, second.startIndex)
    for edits in steps.indices.reversed() {
      let reached = steps[edits]
      let offset = edits + 1
      func value(_ diagonal: Int) -> Int { reached[offset + diagonal] }
      let diagonal = x - y
      guard edits > 0 else {
        while x > 0, y > 0 {
          (x, y) = (x - 1, y - 1)
          found.append(Pair(first: start + x, second: other + y))
        }
        break
      }
      let isDown = diagonal == -edits || diagonal != edits && value(diagonal - 1) < value(diagonal + 1)
      let previous = isDown ? diagonal + 1 : diagonal - 1
      let (fromX, fromY) = (value(previous), value(previous) - previous)
      while x > fromX, y > fromY, x > (isDown ? fromX : fromX + 1) || y > (isDown ? fromY + 1 : fromY) {
        (x, y) = (x - 1, y - 1)
        found.append(Pair(first: start + x, second: other + y))
      }
      if isDown {
        y -= 1
        found.append(Pair(first: nil, second: other + y))
      } else {
        x -= 1
        found.append(Pair(first: start + x, second: nil))
      }
    }
    pairs += found.reversed()
    pairs += (end..<two.count).map { Pair(first: nil, second: other + $0) }
  }

  /// The farthest place on each diagonal before each number of edits, and the end of the second side; `nil` above the
  /// limit.
  private static func farthest(_ one: [Int], _ two: [Int], _ isOpen: Bool) -> (steps: [[Int]], end: Int)? {
    let most = min(one.count + two.count, mostEdits)
    var reached = [Int](repeating: 0, count: 2 * most + 3)
    let middle = most + 1
    var steps: [[Int]] = []
    for edits in 0...most {
      steps.append(Array(reached[(middle - edits - 1)...(middle + edits + 1)]))
      var diagonal = -edits
      while diagonal <= edits {
        let isDown =
          diagonal == -edits
          || diagonal != edits && reached[middle + diagonal - 1] < reached[middle + diagonal + 1]
        var x = isDown ? reached[middle + diagonal + 1] : reached[middle + diagonal - 1] + 1
        var y = x - diagonal
        while x < one.count, y < two.count, one[x] == two[y] { (x, y) = (x + 1, y + 1) }
        reached[middle + diagonal] = x
        if x >= one.count, y >= two.count || isOpen { return (steps, min(y, two.count)) }
        diagonal += 2
      }
    }
    return nil
  }

  private mutating func addOther(_ first: ArraySlice<Int>, _ second: ArraySlice<Int>) {
    pairs += first.indices.map { Pair(first: $0, second: nil) }
    pairs += second.indices.map { Pair(first: nil, second: $0) }
  }
}
