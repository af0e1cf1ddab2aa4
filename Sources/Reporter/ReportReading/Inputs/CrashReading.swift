import ReportModel

extension CrashOutput {
  private static let mostLastLines = 60
  private static let mostFrames = 400
  private static let mostOwnFrames = 30
  private static let mostMessageLines = 20
  private static let longestMessage = 4000

  /// Reads the last backtrace: an earlier one is a helper's, whose test went on.
  ///
  /// - Parameter signals: Those that SwiftPM tells; a backtrace of another one is not the process's. Empty where it tells
  ///   none.
  /// - Returns: `nil` when nothing was printed.
  init?(_ output: ProcessOutput, signals: Set<Int> = []) {
    let lines = output.lines
    let start = lines.lastIndex { $0.hasPrefix("*** Signal ") } ?? lines.lastIndex(where: \.isCrashKind)
    let last = lines[..<(start ?? lines.endIndex)].reversed().drop { $0.isEmpty }
    let lastLines = Array(last.prefix(Self.mostLastLines).reversed())
    let trace = Array(
      lines[(start ?? lines.endIndex)...].prefix { !$0.hasPrefix("Registers:") && !$0.hasPrefix("Images ") }
        .reversed().drop { $0.isEmpty }.reversed())
    if lastLines.isEmpty && trace.isEmpty { return nil }
    self.init(lastLines: lastLines, backtrace: Self.kept(trace))
    guard signals.isEmpty || trace.first?.signal.map(signals.contains) ?? true else { return }
    frames = Self.ownFrames(of: trace)
    readEnd()
  }

  /// The beginning of a backtrace; the crashed thread in any case.
  private static func kept(_ trace: [String]) -> [String] {
    guard trace.count > mostFrames, let crashed = trace.firstIndex(where: \.isCrashedThread) else {
      return Array(trace.prefix(mostFrames))
    }
    let first = trace.prefix(min(crashed, mostFrames / 2))
    let thread = trace[crashed...].prefix(mostFrames / 2)
    let leftOut = trace.count - first.count - thread.count
    return first + ["… \(counted(leftOut, "line")) of other threads left out"] + thread
  }

  /// Reads what the process said of its end: a fatal error, an assertion of C, or else the kind of its crash.
  private mutating func readEnd() {
    let kind = backtrace.lazy.compactMap(\.crashKind).first
    // A test can print such a line, and die otherwise.
    let isTrap = kind.map { kind in ["Illegal", "rap", "Aborted"].contains(where: kind.contains) } ?? true
    place = frames.first?.place
    if isTrap, let index = lastLines.lastIndex(where: { FatalErrorPlace($0) != nil }),
      let told = FatalErrorPlace(lastLines[index])
    {
      // A backtrace stops the process; without one, what follows can be another test's.
      let following = backtrace.isEmpty ? [] : lastLines[(index + 1)...].prefix(Self.mostMessageLines)
      let rest = following.prefix { !$0.isEmpty && !$0.isOfTestLibrary }
      let words = shortened(([told.message] + rest).joined(separator: "\n"), to: Self.longestMessage)
      // A fatal error of the standard library, or of a dependency, is at the line that called it.
      let named = frames.first {
        $0.place.line == told.line && $0.place.file.split(separator: "/").last == told.file
      }
      place = named?.place ?? place
      // Its text tells no path of the file.
      message = place == nil ? "\(told.module)/\(told.file):\(told.line): \(words)" : words
    } else if let assertion = lastLines.last(where: \.isAssertionOfC) {
      message = shortened(assertion, to: Self.longestMessage)
    } else {
      message = kind
    }
  }

  /// The crashed thread's frames in files of the package; without files of dependencies where there are others.
  private static func ownFrames(of backtrace: [String]) -> [Frame] {
    var isCrashed = false
    var frames: [Frame] = []
    for line in backtrace {
      if line.hasPrefix("Thread ") { isCrashed = line.isCrashedThread }
      guard isCrashed, frames.count < Self.mostOwnFrames, let frame = Frame(line) else { continue }
      if frames.last != frame { frames.append(frame) }
    }
    let own = frames.filter { !$0.place.file.contains("/.build/") }
    return own.isEmpty ? frames : own
  }
}

extension CrashOutput.Frame {
  /// In lines.
  private static let longestFile = 10_000_000

  /// Reads `4 [ra] 0x… Orders.add() + 718 in Tests.xctest at /…/Orders.swift:19:5`.
  ///
  /// - Returns: `nil` for what the compiler generated, and for frames without a file.
  init?(_ line: String) {
    guard !line.contains("[thunk]"), !line.contains("[system]"),
      let function = CrashBacktrace.function(ofFrame: line),
      let file = line.ranges(of: " at /").last
    else { return nil }
    let parts = line[line.index(file.lowerBound, offsetBy: 4)...].split(
      separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[parts.count - 1].allSatisfy(\.isNumber),
      let number = Int(parts[parts.count - 2]), (1...Self.longestFile).contains(number)
    else { return nil }
    let path = parts.dropLast(2).joined(separator: ":")
    if path.hasPrefix("//") || path.contains("/swift-generated-sources/") { return nil }
    self.init(function: function, place: SourceReference(file: path, line: number))
  }
}

extension String {
  fileprivate var isCrashKind: Bool { hasPrefix("*** Program crashed:") }
  fileprivate var isCrashedThread: Bool { hasPrefix("Thread ") && hasSuffix(" crashed:") }

  /// 4 of `*** Signal 4: Backtracing from 0x…`.
  fileprivate var signal: Int? {
    hasPrefix("*** Signal ") ? Int(dropFirst("*** Signal ".count).prefix { $0.isNumber }) : nil
  }

  /// True for what XCTest and Swift Testing print of other tests meanwhile.
  fileprivate var isOfTestLibrary: Bool {
    ["◇ ", "✔ ", "✘ ", "⚠ ", "➜ ", "↳ ", "Test Case '", "Test Suite '", "error: Process '"].contains(
      where: hasPrefix)
  }

  /// `Bad pointer dereference at 0x0…8` of `*** Program crashed: Bad pointer dereference at 0x0…8 ***`.
  fileprivate var crashKind: String? {
    let opening = "*** Program crashed: "
    guard hasPrefix(opening) else { return nil }
    let kind = dropFirst(opening.count)
    return "Program crashed: " + (kind.hasSuffix(" ***") ? kind.dropLast(4) : kind)
  }

  /// True for `tests: file.c:12: f: Assertion `x' failed.`, as glibc prints it.
  fileprivate var isAssertionOfC: Bool { hasSuffix("' failed.") && contains(": Assertion `") }
}
