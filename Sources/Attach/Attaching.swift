import Collector

/// How long evidence is kept.
public enum Keep: Sendable {
  /// The evidence is removed when the test passes.
  case onFailure
  /// The evidence is kept even when the test passes.
  case always
}

/// Captures evidence at the running test's first failure, before teardown.
///
/// It works in XCTest and in Swift Testing, but not in a detached task or on a thread of your own, which
/// belong to no test: there it captures nothing, which the report tells.
///
/// ```swift
/// override func setUpWithError() throws {
///   attachOnFailure(.directory(at: storeFolder), .file(at: logFile))
/// }
/// ```
///
/// - Parameter evidence: What to capture. It need not exist yet; the report names what is missing at the
///   failure.
public func attachOnFailure(_ evidence: Evidence...) {
  EvidenceRequests.process?.register(evidence, for: TestScope.running, caller: "attachOnFailure")
}

/// Captures evidence now.
///
/// It never fails a test; the report names what could not be captured.
///
/// ```swift
/// attach(.text(response, named: "response.json"))
/// attach(.file(at: logFile), keep: .always)
/// ```
///
/// - Parameters:
///   - evidence: What to capture.
///   - keep: By default the evidence is removed when the test passes.
public func attach(_ evidence: Evidence, keep: Keep = .onFailure) {
  EvidenceRequests.process?.attach(
    evidence, keep: keep == .always ? .always : .onFailure, to: TestScope.running)
}

/// Leaves tables and files out of everything that is captured for the running test.
///
/// ```swift
/// excludeFromEvidence(tables: ["person"], files: ["*.pem"])
/// ```
///
/// - Parameters:
///   - tables: Tables whose rows are removed from captured databases, even from free pages.
///   - files: Names of files that are left out of captured directories; `*` stands for any characters.
public func excludeFromEvidence(tables: [String] = [], files: [String] = []) {
  EvidenceRequests.process?.exclude(
    Exclusions(tables: Set(tables), files: files), for: TestScope.running)
}

/// Marks the running test's start; at a failure the report shows what the test changed since.
///
/// The traits `.store` and `StoreTestCase` call it after their seeds. A second call replaces the first for
/// the same database. Up to 4 MiB are kept in memory; a larger database is copied on disk, within the budget
/// for one database, until the test passes.
///
/// ```swift
/// let store = try Store(at: url)
/// try store.add(fixtures)
/// markBaseline()
/// ```
///
/// - Parameter evidence: The databases to mark; by default all that the test has open.
public func markBaseline(_ evidence: Evidence...) {
  EvidenceRequests.process?.markBaseline(evidence, for: TestScope.running)
}
