import ExhibitSystem
import Foundation

/// What only the output of `swift test` tells: that a process died and where, and that XCTests ran.
struct SwiftTestOutput: Sendable, Equatable {
  /// What messages call it.
  var name: String
  /// The signals that ended test processes.
  private(set) var signals: [Int] = []
  /// How many XCTests the largest summary speaks of.
  private(set) var executedXCTests = 0
  /// Who crashed, where the backtracer told.
  private(set) var backtrace: CrashBacktrace
  /// Where tests ended the process themselves, `Module/File.swift:12: Fatal error: …`.
  private(set) var fatalErrors: [FatalErrorPlace] = []
  /// What processes printed that stopped before their end.
  private(set) var stopped: [ProcessOutput]

  /// Reads the lines that SwiftPM 6.3 and XCTest 6.3 write: `error: Process '…' exited with unexpected signal
  /// code 4` and `Executed 3 tests, with 1 failure …`.
  init(_ file: LoadedFile) {
    name = file.name
    backtrace = CrashBacktrace(file.bytes)
    stopped = ProcessOutput.stopped(in: file.bytes)
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      // SwiftPM's line can begin in the middle of another: both streams are one here.
      if text.contains("error: Process '"),
        let signal = Self.number(after: "' exited with unexpected signal code ", in: text)
      {
        signals.append(signal)
      }
      if let place = FatalErrorPlace(text) { fatalErrors.append(place) }
      if text.hasPrefix("\t Executed "), let count = Self.number(after: "\t Executed ", in: text) {
        executedXCTests = max(executedXCTests, count)
      }
    }
  }

  private static func number(after words: String, in text: String) -> Int? {
    guard let end = text.range(of: words, options: .backwards)?.upperBound else { return nil }
    return Int(text[end...].prefix { $0.isNumber })
  }
}
