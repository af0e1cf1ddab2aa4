/// Matches rows of two states by primary key where rowids differ.
///
/// Only two hashes of each row are kept; shown rows are read in a second pass.
struct UnpairedRows {
  /// The most rows of each state.
  static let limit = 500_000

  private struct Side {
    var keys: [Int] = []
    var values: [Int] = []
  }

  private var old = Side()
  private var new = Side()
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

  /// Rows by number, from 0.
  struct Pairs {
    /// New rows with the old row, if any, without unchanged ones.
    var later: [(new: Int, old: Int?)] = []
    var removed: [Int] = []
    var added = 0
    var changed = 0
    var removedCount = 0
  }

  /// - Parameter most: The most rows listed of each kind.
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
