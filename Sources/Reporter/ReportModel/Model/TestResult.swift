package import Collector
import ExhibitSQLite

/// One test case joined from all inputs; paths below the source root are relative.
package typealias TestResult = TestRecord

extension TestResult {
  package var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// The label of its last such outcome; `nil` for a single label.
  package var decidingLabel: String? {
    isPlain ? nil : self.labels.last { $0.outcome == outcome }?.label
  }

  /// Of a passed test, those of its last failed attempt.
  package var issuesOfFailure: [TestIssue] { earlierFailure.map { self.attempts[$0].issues } ?? self.issues }

  /// The place in `attempts` of the last failed one; `nil` where the deciding one failed, or none did.
  package var earlierFailure: Int? {
    outcome.isFailure ? nil : self.attempts.lastIndex { $0.outcome.isFailure }
  }

  package mutating func setIssuesOfFailure(_ issues: [TestIssue]) {
    if let earlierFailure { self.attempts[earlierFailure].issues = issues } else { self.issues = issues }
  }

  package var hasFailedOnce: Bool { outcome.isFailure || self.attempts.contains { $0.outcome.isFailure } }
}

package struct TestSpan: Sendable, Equatable {
  package var process: String
  /// Seconds since 1970.
  package var start: Double

  package init(process: String, start: Double) {
    self.process = process
    self.start = start
  }
}

package struct TestAttempt: Sendable, Equatable {
  package var outcome: Outcome
  package var duration: Double?
  package var issues: [TestIssue]
  package var run: RunID?
  package var label: String?
  package var output: String?

  package init(_ test: TestRecord) {
    self.init(outcome: test.outcome, duration: test.duration, issues: test.issues, output: test.output)
  }

  package init(
    outcome: Outcome, duration: Double? = nil, issues: [TestIssue] = [], run: RunID? = nil,
    output: String? = nil
  ) {
    self.outcome = outcome
    self.duration = duration
    self.issues = issues
    self.run = run
    self.output = output
  }
}

package struct TestProperty: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A place in the sources; a path below their root is relative.
package struct SourceReference: Sendable, Hashable {
  package var file: String
  /// From 1.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

extension SourceReference {
  /// `nil` for `<EXPR>`, `<unknown>` and the like.
  package init?(file: String?, line: Int?) {
    guard let file, !file.isEmpty, !file.hasPrefix("<") else { return nil }
    self.init(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension SourceRoot {
  package func relative(_ reference: SourceReference) -> SourceReference {
    SourceReference(file: relative(reference.file), line: reference.line)
  }
}

package struct TestIssue: Sendable, Equatable {
  package var message: String
  package var location: SourceReference?
  package var placeOrigin = PlaceOrigin.framework
  /// The test's line from which the place was reached, where a backtrace tells it.
  package var caller: SourceReference?
  package var severity: RecordedIssue.Severity
  package var isKnown: Bool

  package enum PlaceOrigin: String, Sendable {
    case framework
    /// From the step whose error was thrown, as the library gave none.
    case step
    /// From what the process printed as it died.
    case crash
  }

  package init(
    message: String, location: SourceReference? = nil, severity: RecordedIssue.Severity, isKnown: Bool
  ) {
    self.message = message.withoutUnknownContexts
    self.location = location
    self.severity = severity
    self.isKnown = isKnown
  }

  package var isFailure: Bool { severity == .error && !isKnown }
  package var isCrash: Bool { placeOrigin == .crash }
}

extension TestRecord {
  /// Adds the crash as the test's last issue, once.
  ///
  /// Stories count the issues that the test recorded, which stay the first ones.
  package mutating func addIssueOfCrash() {
    guard outcome == .crashed, let crash, let message = crash.message, !issues.contains(where: \.isCrash)
    else { return }
    var issue = TestIssue(message: message, location: crash.place, severity: .error, isKnown: false)
    issue.placeOrigin = .crash
    issue.caller = crash.frames.first { id.isFunction(named: $0.function) }?.place
    issues.append(issue)
  }
}

extension TestCaseID {
  /// True for the symbol of the test, or of a closure or thunk of it.
  package func isFunction(named symbol: String) -> Bool {
    let own = name.hasSuffix(")") ? name : name + "()"
    let function = (suite + [own]).joined(separator: ".")
    return symbol == function || symbol.hasSuffix(" for " + function) || symbol.hasSuffix(" in " + function)
      // A console omits suites.
      || module.isEmpty && symbol.hasSuffix("." + function)
  }
}

package struct RawFile: Sendable, Equatable {
  package var path: String
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}

package struct TestEvidence: Sendable, Equatable {
  package var kind: EvidenceKind
  package var name: String
  /// Relative to the report folder, not percent-encoded.
  package var path: String?
  package var bytes: Int?
  /// Relative below the source root.
  package var source: String?
  package var details: EvidenceDetails?
  /// The raw database and its WAL or journal, relative to the report folder.
  package var rawFiles: [RawFile]
  package var failure: String?
  package var run: RunID?

  package init(
    kind: EvidenceKind, name: String, path: String? = nil, bytes: Int? = nil, source: String? = nil,
    details: EvidenceDetails? = nil, rawFiles: [RawFile] = [],
    failure: String? = nil, run: RunID? = nil
  ) {
    self.kind = kind
    self.name = name
    self.path = path
    self.bytes = bytes
    self.source = source
    self.details = details
    self.rawFiles = rawFiles
    self.failure = failure
    self.run = run
  }

  /// The file of its state when the test began.
  package var baseline: String? { details.database?.baseline }

  package var rawWAL: (database: String, wal: String)? {
    for file in rawFiles where file.path.hasSuffix(SideFile.wal.suffix) {
      let database = String(file.path.dropLast(SideFile.wal.suffix.utf8.count))
      if rawFiles.contains(where: { $0.path == database }) { return (database, file.path) }
    }
    return nil
  }
}
