extension String {
  /// Whether all bytes are of a kind: most text has nothing to escape, and looking is cheaper than copying.
  @inline(__always)
  func hasOnly(_ isOfKind: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isOfKind) } ?? utf8.allSatisfy(isOfKind)
  }
}
