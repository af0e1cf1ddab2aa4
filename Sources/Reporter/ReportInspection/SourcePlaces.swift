package import ReportModel

/// Checks the source files in which tests failed, each once.
package struct SourcePlaces {
  let root: SourceRoot
  private var checked: Set<String> = []

  package init(root: SourceRoot) {
    self.root = root
  }

  /// Adds remarks on existing files that are not shown.
  package mutating func check(_ test: TestResult, _ remarks: inout Remarks) {
    guard test.hasFailedOnce else { return }
    for place in test.issuesOfFailure.compactMap(\.location) where checked.insert(place.file).inserted {
      switch NamedSource(place.file, in: root) {
      case .refused(let reason):
        remarks.fault(.sourceNotShown, "\(test.id): no line of \(place.file) is shown: \(reason).")
      case .elsewhere:
        remarks.notice(
          .sourceNotShown,
          "\(test.id): no line of \(place.file) is shown: it lies outside \(root.path), or in a hidden folder."
        )
      case .source, .absent: break
      }
    }
  }
}
