import Collector

/// What the one file holds beside the list of tests.
struct SingleFileParts: Sendable {
  /// By path in the report folder: the evidence as `data:` references.
  var evidence: [String: String]
  /// Where the parts of tests begin.
  var anchors: [TestCaseID: String]
  /// By path in the report folder: what the rows of a database are called; those that are not here have first rows.
  var rowIDs: [String: String] = [:]
  /// The tests whose changed rows are marked.
  var marked: Set<TestCaseID> = []
}
