package import ExhibitSystem

/// Limits of what captures write, in bytes.
package struct Budget: Sendable, Equatable {
  package var database = 256 << 20
  package var run = 1 << 30
  package var passes = 64 << 20
  /// Bytes that must stay free.
  package var freeDisk = 1 << 30

  package init() {}

  /// Reads `$EXHIBIT_MAX_DATABASE`, `$EXHIBIT_MAX_RUN`, `$EXHIBIT_PASSES_BUDGET` and `$EXHIBIT_MIN_FREE`.
  ///
  /// They are bytes, maybe with `KiB`, `MiB` or `GiB`.
  package static func read(_ variable: (String) -> String?) -> (budget: Budget, unreadable: [String]) {
    var budget = Budget()
    var unreadable: [String] = []
    func read(_ name: String, into bytes: inout Int) {
      guard let text = variable(name) else { return }
      if let value = byteCount(text) { bytes = value } else { unreadable.append(name) }
    }
    read("EXHIBIT_MAX_DATABASE", into: &budget.database)
    read("EXHIBIT_MAX_RUN", into: &budget.run)
    read("EXHIBIT_PASSES_BUDGET", into: &budget.passes)
    read("EXHIBIT_MIN_FREE", into: &budget.freeDisk)
    return (budget, unreadable)
  }

  /// Reads `$EXHIBIT_TRACE_SIZE`, the most bytes of a process's ring.
  package static func traceSize(_ variable: (String) -> String?) -> (bytes: Int, isReadable: Bool) {
    guard let text = variable("EXHIBIT_TRACE_SIZE") else { return (4 << 20, true) }
    return byteCount(text).map { ($0, true) } ?? (4 << 20, false)
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

  /// - Parameter underWay: Bytes of other captures that are not written yet.
  package func reserve(
    _ bytes: Int, in run: RunFolder, beside underWay: Int = 0
  ) throws(CaptureError) -> EvidenceReservation {
    if let objection = diskObjection(to: bytes, in: run, beside: underWay) {
      throw CaptureError(.overBudget, objection, bytes: bytes)
    }
    let tally = EvidenceTally(run: run)
    let (areReserved, room) = tally.reserve([bytes], within: self.run)
    guard areReserved == [true] else {
      throw CaptureError(.overBudget, runObjection(to: bytes), bytes: bytes)
    }
    return EvidenceReservation(bytes, room: room + bytes, in: tally)
  }

  package func objection(to bytes: Int, in run: RunFolder) -> String? {
    if let objection = diskObjection(to: bytes, in: run) { return objection }
    let rest = self.run - min(self.run, EvidenceTally(run: run).current)
    return bytes > rest ? runObjection(to: bytes) : nil
  }

  package static func remove(_ paths: [String], from run: RunFolder?) -> [SystemError] {
    var failed: [SystemError] = []
    var bytes = 0
    for path in paths {
      let size = FileSystem.sizeOfFirstNames(in: path)
      do throws(SystemError) {
        try FileSystem.remove(path)
        bytes += size
      } catch {
        failed.append(error)
      }
    }
    if let run { EvidenceTally(run: run).add(-bytes) }
    return failed
  }

  package func diskObjection(to bytes: Int, in run: RunFolder, beside underWay: Int = 0) -> String? {
    let needed = FileSystem.sum([bytes, underWay])
    guard let free = FileSystem.freeBytes(at: run.path), free - needed < freeDisk else {
      return nil
    }
    return "\(bytes) bytes were left out: less than \(freeDisk) bytes of disk would stay free"
      + " ($EXHIBIT_MIN_FREE)."
  }

  private func runObjection(to bytes: Int) -> String {
    "\(bytes) bytes were left out: the run's evidence would exceed \(run) bytes ($EXHIBIT_MAX_RUN)."
  }
}
