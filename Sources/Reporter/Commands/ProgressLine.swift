internal import Foundation
import ReportModel
internal import Synchronization

/// A line on a terminal that shows the current work if it takes a second.
final class ProgressLine: Sendable {
  private struct State {
    var phase = ""
    var isShown = false
    var isFinished = false
  }

  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void
  private static let delay = DispatchTimeInterval.seconds(1)
  private static let interval = DispatchTimeInterval.milliseconds(200)

  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// On standard error; `nil` when that is no terminal.
  static func onStandardError() -> ProgressLine? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let line = ProgressLine { FileHandle.standardError.write(Data($0.utf8)) }
    line.schedule(after: delay)
    return line
  }

  func say(_ phase: String) {
    state.withLock { $0.phase = printedLine(phase) }
  }

  func finish() {
    state.withLock { state in
      if state.isShown { write("\r\u{1B}[K") }
      state.isFinished = true
      state.isShown = false
    }
  }

  /// - Returns: True when there may be more to show later.
  func draw() -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      if !state.phase.isEmpty { write("\r\u{1B}[K\(state.phase) …") }
      state.isShown = state.isShown || !state.phase.isEmpty
      return true
    }
  }

  private func schedule(after delay: DispatchTimeInterval) {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
      if let self, draw() { schedule(after: Self.interval) }
    }
  }
}
