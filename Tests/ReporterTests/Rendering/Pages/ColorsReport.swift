import Collector

@testable import Reporter

/// A report that shows every colour of a terminal, one at a time, in each place where one can be.
func colorsReport() -> ReportContents {
  let text = everyColor
  let issue = TestIssue(message: text, location: nil, severity: .error, isKnown: false)
  let attempts = [TestAttempt(outcome: .failed, issues: [issue], output: text)]
  let test = TestResult(
    id: .store("testColors"), outcome: .failed, issues: [issue],
    evidence: [TestEvidence(kind: .text, name: "log.txt", path: "evidence/log.txt", bytes: text.utf8.count)],
    attempts: attempts, output: text)
  let report = Report(title: "Colors", runs: [], tests: [test], faults: [], notices: [])
  return ReportContents(
    report: report, databases: [:], archives: [:], texts: ["evidence/log.txt": text], sources: [:], nonce: "n"
  )
}

/// Foreground and background: the 8 colours and their bright ones, the 256, and true colours from all over the cube.
private var everyColor: String {
  let levels = stride(from: 0, through: 255, by: 51)
  let trueColors = levels.flatMap { red in
    levels.flatMap { green in levels.map { blue in "2;\(red);\(green);\(blue)" } }
  }
  let extended = (0..<256).map { "5;\($0)" } + trueColors
  let basic = [30...37, 40...47, 90...97, 100...107].flatMap { $0.map { "\($0)" } }
  let inverse = ["2", "7", "31;7", "97;41", "30;40"]
  let parameters = basic + inverse + extended.map { "38;\($0)" } + extended.map { "48;\($0)" }
  return "every colour\n" + parameters.map { "\u{1B}[\($0)m\($0)\u{1B}[m" }.joined(separator: " ")
}
