extension Sequence {
  /// Groups elements by key, in the order of their first ones.
  @inlinable package func groups<Key: Hashable>(_ key: (Element) -> Key) -> [[Element]] {
    var (groups, places): ([[Element]], [Key: Int]) = ([], [:])
    for element in self {
      let key = key(element)
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append([])
      }
      groups[place].append(element)
    }
    return groups
  }
}

extension RandomAccessCollection {
  /// Calls `body` with each run of elements that belong to its first one.
  @inlinable package func forEachStretch(
    _ belongs: (_ first: Element, _ other: Element) -> Bool, _ body: (SubSequence) -> Void
  ) {
    var rest = self[...]
    while let first = rest.first {
      let end = rest.firstIndex { !belongs(first, $0) } ?? rest.endIndex
      body(rest[..<end])
      rest = rest[end...]
    }
  }
}

package struct Numbering<Key: Hashable & Sendable>: Sendable {
  package private(set) var numbers: [Key: Int] = [:]

  package init() {}

  package mutating func number(_ key: Key) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = numbers.count
    return numbers.count - 1
  }
}
