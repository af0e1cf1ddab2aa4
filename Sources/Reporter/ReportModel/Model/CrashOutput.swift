/// The end of a test process that died, for the page of the test that ran.
package struct CrashOutput: Sendable, Equatable {
  /// The last lines before the backtrace; they need not be the test's own.
  package var lastLines: [String]
  /// The threads' stacks, the one that crashed included, without registers and loaded images.
  package var backtrace: [String]

  package init(lastLines: [String], backtrace: [String]) {
    self.lastLines = lastLines
    self.backtrace = backtrace
  }

  /// What happened and where, in few lines: the last ones that were printed, and the first frames outside of Swift.
  package var brief: [String] {
    let thread = backtrace.drop { !($0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:")) }.dropFirst(2)
    let frames = thread.prefix { !$0.isEmpty && !$0.hasPrefix("...") }
    let own = frames.filter {
      $0.contains(".xctest at /") && !$0.contains("[thunk]") && !$0.contains("[system]")
    }
    return lastLines.suffix(3) + own.prefix(4)
  }
}
