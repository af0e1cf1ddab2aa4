import Collector

/// What the one file holds beside the list of tests.
struct SingleFileParts: Sendable {
  /// By path in the report folder: the evidence as `data:` references.
  var evidence: [String: String]
  /// Where the parts of tests begin.
  var anchors: [TestCaseID: String]
}
