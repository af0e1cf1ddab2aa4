/// How much may be captured.
package struct Budget: Sendable, Equatable {
  /// Bytes of one database.
  package var database = 256 << 20
  /// Bytes of all evidence of a run.
  package var run = 1 << 30
  /// Bytes that stay free on the disk.
  package var freeDisk = 1 << 30

  package init() {}

  /// Reads `$EXHIBIT_MAX_DATABASE`, `$EXHIBIT_MAX_RUN` and `$EXHIBIT_MIN_FREE`: bytes, or a number with `KiB`,
  /// `MiB` or `GiB`.
  ///
  /// - Returns: The budget, and the variables that could not be read.
  package static func read(_ variable: (String) -> String?) -> (budget: Budget, unreadable: [String]) {
    var budget = Budget()
    var unreadable: [String] = []
    func read(_ name: String, into bytes: inout Int) {
      guard let text = variable(name) else { return }
      if let value = byteCount(text) { bytes = value } else { unreadable.append(name) }
    }
    read("EXHIBIT_MAX_DATABASE", into: &budget.database)
    read("EXHIBIT_MAX_RUN", into: &budget.run)
    read("EXHIBIT_MIN_FREE", into: &budget.freeDisk)
    return (budget, unreadable)
  }

  static func byteCount(_ text: String) -> Int? {
    for (unit, factor) in [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)] where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count).filter { $0 != " " }
      guard let number = Int(digits), number >= 0 else { return nil }
      let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
      return isTooLarge ? nil : bytes
    }
    return Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Bytes that may still be captured in a run.
  package func rest(of run: RunFolder) -> Int {
    max(0, self.run - FileSystem.size(of: run.evidenceFolder))
  }

  /// Why nothing of this size may be captured now, in one sentence; `nil` when it may.
  ///
  /// - Parameter underWay: Bytes of other captures that have not written theirs yet.
  package func objection(to bytes: Int, in run: RunFolder, beside underWay: Int = 0) -> String? {
    let needed = FileSystem.sum([bytes, underWay])
    if let free = FileSystem.freeBytes(at: run.path), free - needed < freeDisk {
      return "\(bytes) bytes were left out: less than \(freeDisk) bytes of disk would stay free"
        + " ($EXHIBIT_MIN_FREE)."
    }
    if needed > rest(of: run) {
      return "\(bytes) bytes were left out: the run's evidence would exceed \(self.run) bytes"
        + " ($EXHIBIT_MAX_RUN)."
    }
    return nil
  }
}
