import Collector
package import ReportModel

/// junit.xml with all tests.
///
/// Each test has one `<failure>` or `<error>`, since some readers only take the first; known issues are skipped tests,
/// as in pytest; evidence is named as Jenkins and GitLab expect.
package struct JUnitDocument {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  /// Writes in pieces to limit memory.
  package func write(_ take: ([UInt8]) throws -> Void) rethrows {
    var xml = XMLWriter()
    xml.open("testsuites", Self.totals(of: report.tests[...], name: report.title))
    var rest = report.tests[...]
    while let first = rest.first {
      // Tests are sorted, so suites are contiguous.
      let end = rest.firstIndex { $0.id.suite != first.id.suite || $0.id.module != first.id.module }
      let suite = rest[..<(end ?? rest.endIndex)]
      write(suite: Self.className(of: first.id), suite, &xml)
      rest = rest[suite.endIndex...]
      if xml.bytes.count > 1 << 16 { try take(xml.take()) }
    }
    xml.close("testsuites")
    try take(xml.take())
  }

  private func write(suite name: String, _ tests: ArraySlice<TestResult>, _ xml: inout XMLWriter) {
    xml.open("testsuite", Self.totals(of: tests, name: name))
    for test in tests { write(test, of: name, &xml) }
    xml.close("testsuite")
  }

  private func write(_ test: TestResult, of suite: String, _ xml: inout XMLWriter) {
    xml.open(
      "testcase",
      [
        ("classname", suite), ("name", Self.caseName(of: test.id)),
        ("time", Self.seconds(test.duration ?? 0)), ("file", test.location?.file),
        ("line", test.location?.line.map { "\($0)" }),
      ])
    if test.isPlain && test.outcome == .passed { return xml.close("testcase") }
    writeOutcome(of: test, &xml)
    let lines = Self.systemOut(of: test)
    if !lines.isEmpty { xml.element("system-out", [], lines.joined(separator: "\n") + "\n") }
    xml.close("testcase")
  }

  private func writeOutcome(of test: TestResult, _ xml: inout XMLWriter) {
    switch test.outcome {
    case .passed: break
    case .skipped: xml.element("skipped", [("message", test.skipReason)], nil)
    case .knownIssue:
      let message = test.issues.first(where: \.isKnown)?.message
      xml.element("skipped", [("message", message.map { "known issue: \($0)" } ?? "known issue")], nil)
    case .failed: writeFailure("failure", of: test, otherwise: "The test failed.", &xml)
    case .crashed: writeFailure("error", of: test, otherwise: "The process crashed in this test.", &xml)
    case .unfinished: writeFailure("error", of: test, otherwise: "The test did not end.", &xml)
    }
  }

  private func writeFailure(
    _ element: String, of test: TestResult, otherwise fallback: String, _ xml: inout XMLWriter
  ) {
    let failures = test.issues.filter(\.isFailure)
    let texts = failures.map { issue in
      let place = issue.location.map { "\($0.file)\($0.line.map { ":\($0)" } ?? ""): " } ?? ""
      return place + issue.message
    }
    // The outcome comes first unless issues say it.
    let message =
      test.outcome == .failed
      ? failures.first?.message ?? fallback : fallback
    xml.element(
      element, [("message", message), ("type", test.outcome.rawValue)],
      texts.isEmpty ? fallback : texts.joined(separator: "\n\n"))
  }

  private static func systemOut(of test: TestResult) -> [String] {
    test.evidence.compactMap { evidence in
      if let path = evidence.path { return "[[ATTACHMENT|\(path)]]" }
      // Untrusted text must not name files that a CI would fetch.
      return evidence.failure.map { "\(evidence.name): \($0)".replacing("[[ATTACHMENT", with: "[ATTACHMENT") }
    }
  }

  // MARK: - Attributes

  private static func totals(of tests: ArraySlice<TestResult>, name: String) -> [(String, String?)] {
    let counts = OutcomeCounts(tests)
    return [
      ("name", name), ("tests", "\(counts.total)"), ("failures", "\(counts[.failed])"),
      ("errors", "\(counts[.crashed] + counts[.unfinished])"),
      ("skipped", "\(counts[.skipped] + counts[.knownIssue])"), ("time", seconds(counts.duration ?? 0)),
    ]
  }

  private static func className(of id: TestCaseID) -> String {
    ([id.module] + id.suite).joined(separator: ".")
  }

  private static func caseName(of id: TestCaseID) -> String {
    guard let argument = id.argument else { return id.name }
    return "\(id.name) (\(argument.description))" + (argument.repetition.map { " #\($0)" } ?? "")
  }

  /// Without exponent, for all readers.
  private static func seconds(_ duration: Double) -> String {
    let microseconds = Int64((min(duration, 1e9) * 1e6).rounded())
    let fraction = String(1_000_000 + microseconds % 1_000_000).utf8.dropFirst()
    return String(microseconds / 1_000_000) + "." + String(Substring(fraction))
  }
}
