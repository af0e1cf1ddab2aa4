import Collector

/// How long attached evidence is kept.
public enum Keep: Sendable {
  /// Dropped when the test passes.
  case onFailure
  /// Kept whatever becomes of the test.
  case always
}

/// Has evidence captured when the running test fails, at its first failure and before teardown.
///
/// It works in XCTest and in Swift Testing; there not in a detached task, nor on a thread of one's own, which belong to no
/// test. Outside any test it is a mistake that the report names.
///
/// ```swift
/// override func setUpWithError() throws {
///   attachOnFailure(.directory(at: storeFolder), .file(at: logFile))
/// }
/// ```
///
/// - Parameter evidence: What to capture. It may not be there yet; what is missing at the failure is named in the
///   report.
public func attachOnFailure(_ evidence: Evidence...) {
  EvidenceRequests.process?.register(evidence, for: TestScope.running, caller: "attachOnFailure")
}

/// Captures evidence now.
///
/// Capturing never fails a test: what could not be captured is named in the report.
///
/// ```swift
/// attach(.text(response, named: "response.json"))
/// attach(.file(at: logFile), keep: .always)
/// ```
///
/// - Parameters:
///   - evidence: What to capture.
///   - keep: By default the evidence is dropped when the test passes.
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
///   - tables: Tables whose rows are removed from captured databases, overwritten in the copy.
///   - files: Names of files that are left out of captured directories; `*` stands for any characters.
public func excludeFromEvidence(tables: [String] = [], files: [String] = []) {
  EvidenceRequests.process?.exclude(
    Exclusions(tables: Set(tables), files: files), for: TestScope.running)
}

/// Says that the running test starts from here: the report of its failure shows what it changed since.
///
/// The traits `.store` and `StoreTestCase` do so by themselves when their seeds have run. Called again it replaces
/// what it said of the same database before. Up to 4 MiB are kept in memory; a larger database is copied on disk, within
/// the budget for one database, and the copy goes when the test passes.
///
/// ```swift
/// let store = try Store(at: url)
/// try store.add(fixtures)
/// markBaseline()
/// ```
///
/// - Parameter evidence: The databases; none for every database that the test has open.
public func markBaseline(_ evidence: Evidence...) {
  EvidenceRequests.process?.markBaseline(evidence, for: TestScope.running)
}
