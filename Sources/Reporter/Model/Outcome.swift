/// How a test case ended; the order is that of the report, worst first.
enum Outcome: String, Sendable, CaseIterable, Codable {
  case crashed
  case failed
  /// Running when its process died, or never ended.
  case unfinished
  case knownIssue
  case skipped
  case passed

  /// Whether the report leads with it.
  var isFailure: Bool {
    switch self {
    case .crashed, .failed, .unfinished: true
    case .knownIssue, .skipped, .passed: false
    }
  }

  /// Its place in the order of the report, from 0.
  var rank: Int {
    switch self {
    case .crashed: 0
    case .failed: 1
    case .unfinished: 2
    case .knownIssue: 3
    case .skipped: 4
    case .passed: 5
    }
  }
}
