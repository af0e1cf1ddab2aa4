/// How a test case ended, worst first.
package enum Outcome: String, Sendable, CaseIterable, Codable {
  case crashed
  case failed
  /// Running when its process died, or never ended.
  case unfinished
  case knownIssue
  case skipped
  case passed

  package var isFailure: Bool {
    switch self {
    case .crashed, .failed, .unfinished: true
    case .knownIssue, .skipped, .passed: false
    }
  }

  /// True where the test ran and did not fail; a known issue does not make it fail.
  package var hasPassed: Bool { self == .passed || self == .knownIssue }

  /// 0 is the worst.
  package var severity: Int {
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
