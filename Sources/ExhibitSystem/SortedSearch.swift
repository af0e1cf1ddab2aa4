extension RandomAccessCollection where Index == Int {
  /// The first index whose element does not come before what is searched, found by halving; `endIndex` where all do.
  ///
  /// - Parameter isBefore: True for the elements up to a place, and false for all behind it.
  @inlinable package func place(behind isBefore: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
