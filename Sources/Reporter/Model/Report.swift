import Collector

/// Everything a report says, before anything is rendered: values only, no paths of this machine.
struct Report: Sendable, Equatable {
  /// What the page is headed with: the package's name.
  var title: String
  /// The runs it speaks of, oldest first.
  var runs: [Run]
  /// Sorted by identity.
  var tests: [TestResult]
  var faults: [Finding]
  var notices: [Finding]

  /// Whether something was lost, guessed or contradictory.
  var isDegraded: Bool { !faults.isEmpty }

  /// One `swift test` as the page tells of it.
  struct Run: Sendable, Equatable {
    var name: String
    /// Seconds since 1970.
    var start: Double?
    var toolchain: String?
    var commit: String?
    /// The CI job's page.
    var link: String?
  }
}

/// Something the reader of the report has to know about its inputs.
struct Finding: Sendable, Hashable {
  /// A stable word in camel case, such as `truncatedXML`.
  var kind: String
  var message: String
  /// The input it is about, as the user named it or relative to the artifacts folder.
  var input: String?
}
