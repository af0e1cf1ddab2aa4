internal import Foundation
import ReportModel
internal import Synchronization

/// One line on a terminal that shows the current work; work of less than a second does not appear.
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

  /// - Parameter write: Writes text and control sequences to a terminal.
  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// A line on standard error; `nil` when that is no terminal.
  static func onStandardError() -> ProgressLine? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let line = ProgressLine { FileHandle.standardError.write(Data($0.utf8)) }
    line.schedule(after: delay)
    return line
  }

  /// Sets the text to show next.
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

  /// Shows the current text.
  ///
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
