import Collector
import Foundation

/// report.json, the report for programs: every key is present, keys are sorted.
struct ReportDocument: Encodable {
  /// The version of the format, `major.minor`.
  static let format = "1.0"

  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  private enum Key: String, CodingKey {
    case format, outcome, counts, degraded, faults, notices, tests
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(report.hasFailures ? "failed" : "passed", forKey: .outcome)
    let counts = Dictionary(uniqueKeysWithValues: report.counts.map { ($0.key.rawValue, $0.value) })
    try container.encode(counts, forKey: .counts)
    try container.encode(report.isDegraded, forKey: .degraded)
    try container.encode(report.faults.map(FindingEntry.init), forKey: .faults)
    try container.encode(report.notices.map(FindingEntry.init), forKey: .notices)
    try container.encode(report.tests.map(TestEntry.init), forKey: .tests)
  }

  /// The file.
  ///
  /// - Throws: `EncodingError`, for a number that JSON cannot hold.
  func file() throws -> ReportFile {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return ReportFile(path: "report.json", contents: try encoder.encode(self) + [UInt8(ascii: "\n")])
  }
}

private struct FindingEntry: Encodable {
  let finding: Finding

  enum Key: String, CodingKey {
    case kind, message, input
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(finding.kind, forKey: .kind)
    try container.encode(finding.message, forKey: .message)
    try container.encode(finding.input, forKey: .input)
  }
}

private struct TestEntry: Encodable {
  let test: TestResult

  enum Key: String, CodingKey {
    case id, module, suite, name, argument, framework, outcome, duration, file, line, issues, evidence
    case flaky, attempts
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(test.id.description, forKey: .id)
    try container.encode(test.id.module, forKey: .module)
    try container.encode(test.id.suite, forKey: .suite)
    try container.encode(test.id.name, forKey: .name)
    try container.encode(test.id.argument?.description, forKey: .argument)
    try container.encode(test.framework, forKey: .framework)
    try container.encode(test.outcome, forKey: .outcome)
    try container.encode(test.duration, forKey: .duration)
    try container.encode(test.location?.file, forKey: .file)
    try container.encode(test.location?.line, forKey: .line)
    try container.encode(test.issues.map(IssueEntry.init), forKey: .issues)
    try container.encode(test.evidence.map(EvidenceEntry.init), forKey: .evidence)
    try container.encode(test.isFlaky, forKey: .flaky)
    try container.encode(test.attempts.map(AttemptEntry.init), forKey: .attempts)
  }
}

private struct AttemptEntry: Encodable {
  let attempt: TestAttempt

  enum Key: String, CodingKey {
    case outcome, duration, issues, run
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(attempt.outcome, forKey: .outcome)
    try container.encode(attempt.duration, forKey: .duration)
    try container.encode(attempt.issues.map(IssueEntry.init), forKey: .issues)
    try container.encode(attempt.run, forKey: .run)
  }
}

private struct IssueEntry: Encodable {
  let issue: TestIssue

  enum Key: String, CodingKey {
    case message, file, line, severity, known
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(issue.message, forKey: .message)
    try container.encode(issue.location?.file, forKey: .file)
    try container.encode(issue.location?.line, forKey: .line)
    try container.encode(issue.severity, forKey: .severity)
    try container.encode(issue.isKnown, forKey: .known)
  }
}

private struct EvidenceEntry: Encodable {
  let evidence: TestEvidence

  enum Key: String, CodingKey {
    case kind, name, path, bytes, method, uncommitted, wal
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(evidence.kind, forKey: .kind)
    try container.encode(evidence.name, forKey: .name)
    try container.encode(evidence.path, forKey: .path)
    try container.encode(evidence.bytes, forKey: .bytes)
    try container.encode(evidence.database?.method, forKey: .method)
    try container.encode(evidence.database?.uncommitted, forKey: .uncommitted)
    try container.encode(evidence.database?.wal, forKey: .wal)
  }
}
