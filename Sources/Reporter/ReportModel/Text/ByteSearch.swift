extension String {
  /// Whether all bytes are of a kind: most text has nothing to escape, and looking is cheaper than copying.
  @inline(__always)
  package func hasOnly(_ isOfKind: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.hasOnly(isOfKind) } ?? utf8.allSatisfy(isOfKind)
  }
}

extension String {
  /// Whether a byte stands in it.
  func holds(_ byte: UInt8) -> Bool { !hasOnly { $0 != byte } }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are of a kind; without an early exit, so that many are looked at in one step.
  @inline(__always)
  package func hasOnly(_ isOfKind: (UInt8) -> Bool) -> Bool {
    var others: UInt8 = 0
    for byte in self { others |= isOfKind(byte) ? 0 : 1 }
    return others == 0
  }
}
