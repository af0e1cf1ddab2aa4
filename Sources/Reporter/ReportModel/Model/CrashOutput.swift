package struct CrashOutput: Sendable, Equatable {
  package var lastLines: [String]
  package var backtrace: [String]

  package init(lastLines: [String], backtrace: [String]) {
    self.lastLines = lastLines
    self.backtrace = backtrace
  }

  package var brief: [String] {
    let thread = backtrace.drop { !($0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:")) }.dropFirst(2)
    let frames = thread.prefix { !$0.isEmpty && !$0.hasPrefix("...") }
    let own = frames.filter {
      $0.contains(".xctest at /") && !$0.contains("[thunk]") && !$0.contains("[system]")
    }
    return lastLines.suffix(3) + own.prefix(4)
  }
}
