extension RandomAccessCollection where Index == Int {
  /// The first index, by binary search, for which `isBefore` is false; `endIndex` when there is none.
  @inlinable package func place(behind isBefore: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
