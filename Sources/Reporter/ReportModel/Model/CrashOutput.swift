/// The end of a dead process's output, for the page of the test that ran.
package struct CrashOutput: Sendable, Equatable {
  /// The last lines before the backtrace, which may come from other tests.
  package var lastLines: [String]
  /// The threads' stacks, including the crashed one, without registers and loaded images.
  package var backtrace: [String]

  package init(lastLines: [String], backtrace: [String]) {
    self.lastLines = lastLines
    self.backtrace = backtrace
  }

  /// The problem and its place in a few lines: the last printed ones, and the first frames outside of Swift.
  package var brief: [String] {
    let thread = backtrace.drop { !($0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:")) }.dropFirst(2)
    let frames = thread.prefix { !$0.isEmpty && !$0.hasPrefix("...") }
    let own = frames.filter {
      $0.contains(".xctest at /") && !$0.contains("[thunk]") && !$0.contains("[system]")
    }
    return lastLines.suffix(3) + own.prefix(4)
  }
}
