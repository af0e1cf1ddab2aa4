/// An element that the reader knows anywhere, so one that a message may hold unescaped must depend on the
/// root.
enum XUnitElement {
  case testsuites, testsuite, testcase
  /// `failure` and `error`.
  case failure
  /// An earlier attempt (Surefire, Gradle, nextest).
  case attempt
  case skipped
  /// `system-out` and `system-err`.
  case output
  case property
  case other

  private static let names: [(StaticString, XUnitElement)] = [
    ("testcase", .testcase), ("failure", .failure), ("error", .failure), ("skipped", .skipped),
    ("testsuite", .testsuite), ("testsuites", .testsuites), ("system-out", .output), ("system-err", .output),
    ("property", .property), ("flakyFailure", .attempt), ("flakyError", .attempt),
    ("rerunFailure", .attempt), ("rerunError", .attempt),
  ]

  init(_ name: Range<Int>, in bytes: XMLBytes) {
    self = Self.names.first { bytes.equals($0.0, in: name) }?.1 ?? .other
  }

  var isRoot: Bool { self == .testsuites || self == .testsuite }
}
