import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Reads saved output of `swift test`, also as CI systems keep it.
enum ConsoleInput {
  static func recognises(_ bytes: Data) -> Bool {
    guard !bytes.contains(0) else { return false }
    var isFound = false
    ConsoleLine.read(cleaned(bytes)) { line, _ in
      if isFound { return }
      isFound =
        switch ConsoleEvent(line) {
        case .began, .endedXCTests, .counts, .ran, .started, .ended, .issue: true
        case .skipReason, .detail, nil: false
        }
    }
    return isFound
  }

  static func read(_ file: LoadedFile) -> (tests: InputTests, output: SwiftTestOutput) {
    let clean = LoadedFile(name: file.name, path: file.path, bytes: cleaned(file.bytes))
    var tests = ConsoleTests(name: file.name)
    let output = SwiftTestOutput(clean) { tests.add($0, $1) }
    return (tests.finish(hasDied: !output.signals.isEmpty || !output.backtraces.isEmpty), output)
  }

  private static func cleaned(_ bytes: Data) -> Data {
    var isPlain = bytes.first != 0xEF
    ConsoleLine.read(bytes) { line, _ in isPlain = isPlain && line.isPlain && line.stampEnd == 0 }
    if isPlain { return bytes }
    var result = Data()
    result.reserveCapacity(bytes.count)
    ConsoleLine.read(bytes) { line, _ in
      result.append(contentsOf: line.cleaned)
      result.append(.newline)
    }
    return result
  }
}
