import ReportModel

extension CrashOutput {
  private static let mostLastLines = 60
  private static let mostFrames = 400
  private static let mostOwnFrames = 30
  private static let mostMessageLines = 20
  private static let longestMessage = 4000

  /// `nil` when nothing was printed.
  init?(_ output: ProcessOutput) {
    let lines = output.lines
    let start = lines.firstIndex { $0.hasPrefix("*** Signal ") || $0.hasPrefix("*** Program crashed:") }
    let last = lines[..<(start ?? lines.endIndex)].reversed().drop { $0.isEmpty }
    let lastLines = Array(last.prefix(Self.mostLastLines).reversed())
    let trace = lines[(start ?? lines.endIndex)...].prefix {
      !$0.hasPrefix("Registers:") && !$0.hasPrefix("Images ")
    }
    let backtrace = Array(trace.prefix(Self.mostFrames).reversed().drop { $0.isEmpty }.reversed())
    if lastLines.isEmpty && backtrace.isEmpty { return nil }
    self.init(lastLines: lastLines, backtrace: backtrace)
    frames = Self.ownFrames(of: backtrace)
    readEnd()
  }

  /// Reads what the process said of its end: a fatal error, an assertion of C, or else the kind of its crash.
  private mutating func readEnd() {
    if let index = lastLines.lastIndex(where: { FatalErrorPlace($0) != nil }),
      let told = FatalErrorPlace(lastLines[index])
    {
      let rest = lastLines[(index + 1)...].prefix(Self.mostMessageLines).prefix {
        !$0.isEmpty && !$0.isOfTestLibrary
      }
      message = shortened(([told.message] + rest).joined(separator: "\n"), to: Self.longestMessage)
      let named = frames.first {
        $0.place.line == told.line && $0.place.file.split(separator: "/").last == told.file
      }
      // A fatal error of the standard library, or of a dependency, is at the line that called it.
      place =
        named?.place ?? frames.first?.place
        ?? SourceReference(file: "\(told.module)/\(told.file)", line: told.line)
      return
    }
    place = frames.first?.place
    if let assertion = lastLines.last(where: \.isAssertionOfC) {
      message = shortened(assertion, to: Self.longestMessage)
    } else {
      message = backtrace.firstValue { $0.crashKind }
    }
  }

  /// The crashed thread's frames in files of the package; without files of dependencies where there are others.
  private static func ownFrames(of backtrace: [String]) -> [Frame] {
    var isCrashed = false
    var frames: [Frame] = []
    for line in backtrace {
      if line.hasPrefix("Thread ") { isCrashed = line.hasSuffix(" crashed:") }
      guard isCrashed, frames.count < Self.mostOwnFrames, let frame = Frame(line) else { continue }
      if frames.last != frame { frames.append(frame) }
    }
    let own = frames.filter { !$0.place.file.contains("/.build/") }
    return own.isEmpty ? frames : own
  }
}

extension CrashOutput.Frame {
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
      let number = Int(parts[parts.count - 2]), number > 0
    else { return nil }
    let path = parts.dropLast(2).joined(separator: ":")
    if path.hasPrefix("//") || path.contains("/swift-generated-sources/") { return nil }
    self.init(function: function, place: SourceReference(file: path, line: number))
  }
}

extension String {
  /// True for what XCTest and Swift Testing print of other tests meanwhile.
  fileprivate var isOfTestLibrary: Bool {
    ["◇ ", "✔ ", "✘ ", "⚠ ", "➜ ", "↳ ", "Test Case '", "Test Suite '"].contains(where: hasPrefix)
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

extension [String] {
  fileprivate func firstValue(_ value: (String) -> String?) -> String? {
    for element in self {
      if let found = value(element) { return found }
    }
    return nil
  }
}
