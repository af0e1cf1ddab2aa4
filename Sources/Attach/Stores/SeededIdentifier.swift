public import Foundation

extension UUID {
  /// An identifier that a test knows beforehand.
  ///
  /// In a test's store the SQL function `uuid()` returns `seed(0)`, `seed(1)` and so on. Rows of a seed take
  /// negative numbers, which `uuid()` never returns: `seed(-1)` is `FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF`.
  ///
  /// ```swift
  /// try notes.add("first")
  /// #expect(try notes.all.map(\.id) == [.seed(0)])
  /// ```
  ///
  /// - Parameter number: A big-endian integer of 128 bits in two's complement.
  /// - Returns: The same identifier for the same number, in every run.
  public static func seed(_ number: Int) -> UUID {
    let fill: UInt8 = number < 0 ? 0xFF : 0
    let low = withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) }
    return UUID(
      uuid: (
        fill, fill, fill, fill, fill, fill, fill, fill,
        low[0], low[1], low[2], low[3], low[4], low[5], low[6], low[7]
      ))
  }
}
