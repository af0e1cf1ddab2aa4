import Collector
import Foundation

/// Reads xunit files, repairing first what their writers did not escape.
enum XUnitInput {
  /// Whether a file begins like XML whose root is `testsuites` or `testsuite`.
  static func recognises(_ bytes: Data) -> Bool {
    let head = String(decoding: bytes.prefix(4096).filter { $0 != 0 }, as: UTF8.self)
    return head.contains("<testsuite")
  }

  static func read(_ file: InputFile) -> InputTests {
    var input = InputTests(kind: .xunit, name: file.name)
    let document = parse(file, &input.findings)
    input.endedProperly = document.isComplete && input.findings.faults.isEmpty
    input.observations = document.cases.map(Observation.init)
    input.coverage = coverage(of: document)
    checkCount(of: document, input.name, &input.findings)
    return input
  }

  private static func parse(_ file: InputFile, _ findings: inout Findings) -> XUnitDocument {
    let bytes = XMLEncoding.utf8(file.bytes)
    if !XMLEncoding.needsRepair(bytes) {
      let (document, error) = XUnitParser.parse(bytes)
      if error == nil { return document }
    }
    let repair = XMLRepair(bytes)
    let (document, error) = XUnitParser.parse(Data(repair.bytes))
    if !repair.repairs.isEmpty {
      let repairs = repair.repairs.map(\.rawValue).sorted().joined(separator: ", ")
      findings.notice(
        .repairedXML, "The XML is not well-formed as its writer left it: \(repairs).", input: file.name)
    }
    noteError(error, in: document, file.name, &findings)
    return document
  }

  private static func noteError(
    _ error: String?, in document: XUnitDocument, _ name: String, _ findings: inout Findings
  ) {
    let count = "\(document.cases.count) tests were read"
    if !document.isComplete {
      findings.fault(
        .truncatedXML, "The XML stops before its end\(error.map { " (\($0))" } ?? ""); \(count).", input: name
      )
    } else if let error {
      findings.fault(.malformedXML, "The XML is not well-formed (\(error)); \(count).", input: name)
    }
  }

  /// The frameworks all of whose tests the file lists: SwiftPM writes one file for each.
  private static func coverage(of document: XUnitDocument) -> Set<TestFramework> {
    if document.writers == [.swiftTesting] { return [.swiftTesting] }
    return document.writers == [.xctest] ? [.xctest] : []
  }

  private static func checkCount(
    of document: XUnitDocument, _ name: String, _ findings: inout Findings
  ) {
    // Swift Testing's writer leaves skipped tests out of its count.
    let counted = document.cases.count { $0.writer != .swiftTesting || $0.skipped == nil }
    guard document.isComplete, let promised = document.promisedTests, promised > document.cases.count else {
      return
    }
    findings.fault(.testCount, "The file announces \(promised) tests and holds \(counted).", input: name)
  }
}

extension Observation {
  init(_ testCase: XUnitDocument.Case) {
    let issues = testCase.failures.map { TestIssue($0, in: testCase) }
    let outcome = OutcomeTable.ofXUnit(
      hasFailures: !issues.isEmpty, isSkipped: testCase.skipped != nil, isComplete: testCase.isComplete)
    self.init(
      id: TestCaseID(className: testCase.className, name: testCase.name), framework: testCase.framework,
      outcome: outcome, duration: testCase.time,
      location: SourceReference(file: testCase.file, line: testCase.line), issues: issues,
      skipReason: testCase.skipped.flatMap { $0.isEmpty ? nil : $0 })
  }
}

extension TestIssue {
  fileprivate init(_ failure: XUnitDocument.Failure, in testCase: XUnitDocument.Case) {
    let text = failure.text.trimmingCharacters(in: .whitespacesAndNewlines)
    let message = text.contains(failure.message) ? text : [failure.message, text].joined(separator: "\n")
    self.init(
      message: message.trimmingCharacters(in: .whitespacesAndNewlines),
      location: SourceReference(file: testCase.file, line: testCase.line), severity: .error, isKnown: false)
  }
}

extension XUnitDocument.Case {
  fileprivate var framework: TestFramework? {
    switch writer {
    case .swiftTesting: .swiftTesting
    case .xctest: .xctest
    case nil: nil
    }
  }
}
