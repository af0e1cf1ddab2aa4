/// Rows that only one of two states has by rowid, which are brought together by their primary key.
///
/// Only two numbers of a row are kept. Once all rows were told, they are told again in the same order for those
/// that are shown.
struct UnpairedRows {
  /// The number of rows held of each state.
  static let limit = 500_000

  private struct Side {
    var keys: [Int] = []
    var values: [Int] = []
  }

  private var old = Side()
  private var new = Side()
  /// True when there were more rows than are held.
  private(set) var isFull = false

  var isEmpty: Bool { old.keys.isEmpty && new.keys.isEmpty }

  mutating func add(_ key: Int, values: Int, isNew: Bool) {
    if isNew { Self.add(key, values, to: &new, &isFull) } else { Self.add(key, values, to: &old, &isFull) }
  }

  private static func add(_ key: Int, _ values: Int, to side: inout Side, _ isFull: inout Bool) {
    guard side.keys.count < limit else {
      isFull = true
      return
    }
    side.keys.append(key)
    side.values.append(values)
  }

  /// The rows by their numbers among those that were added here, from 0.
  struct Pairs {
    /// Rows of now, each with the row that it was, if it was one; those that are the same are left out.
    var later: [(new: Int, old: Int?)] = []
    var removed: [Int] = []
    var added = 0
    var changed = 0
    var removedCount = 0
  }

  /// - Parameter most: the number of rows of each kind that are given, not only counted.
  func pairs(most: Int) -> Pairs {
    var pairs = Pairs()
    var places = Dictionary(zip(old.keys, old.keys.indices)) { first, _ in first }
    var isPaired = [Bool](repeating: false, count: old.keys.count)
    for (index, key) in new.keys.enumerated() {
      let former = places.removeValue(forKey: key)
      if let former {
        isPaired[former] = true
        guard old.values[former] != new.values[index] else { continue }
        pairs.changed += 1
      } else {
        pairs.added += 1
      }
      if pairs.later.count < most { pairs.later.append((index, former)) }
    }
    for index in isPaired.indices where !isPaired[index] {
      if pairs.removed.count < most { pairs.removed.append(index) }
    }
    pairs.removedCount = isPaired.count { !$0 }
    return pairs
  }
}
