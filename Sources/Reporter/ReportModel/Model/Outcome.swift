/// How a test case ended; the order of the cases is the one order of severity, worst first.
package enum Outcome: String, Sendable, CaseIterable, Codable {
  case crashed
  case failed
  /// Running when its process died, or never ended.
  case unfinished
  case knownIssue
  case skipped
  case passed

  /// Whether the report leads with it.
  package var isFailure: Bool {
    switch self {
    case .crashed, .failed, .unfinished: true
    case .knownIssue, .skipped, .passed: false
    }
  }

  /// Its place in the order of severity: 0 for the worst.
  package var severity: Int { Self.order.firstIndex(of: self) ?? Self.order.count }

  private static let order = allCases
}
