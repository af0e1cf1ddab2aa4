import Foundation
import FoundationXML

/// Parses xunit XML as far as it goes: SwiftPM's two writers, and JUnit in general.
final class XUnitParser: NSObject, XMLParserDelegate {
  private var document = XUnitDocument()
  private var openElements: [String] = []
  private var current: XUnitDocument.Case?
  private var writer: XUnitDocument.Writer?
  /// The text of the innermost element whose text matters.
  private var text: String?
  private var firstError: String?

  /// - Returns: What could be read, and where the document is not well-formed.
  static func parse(_ bytes: Data) -> (document: XUnitDocument, error: String?) {
    let delegate = XUnitParser()
    let parser = XMLParser(data: bytes)
    parser.shouldResolveExternalEntities = false
    parser.delegate = delegate
    // Foundation on Linux lets libxml2 recover and returns true then: the errors are heard below.
    if !parser.parse() && delegate.firstError == nil { delegate.firstError = "line \(parser.lineNumber)" }
    delegate.closeOpenCase()
    delegate.document.isComplete = delegate.openElements.isEmpty && delegate.document.isXUnit
    return (delegate.document, delegate.firstError)
  }

  // MARK: - Following the parser

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    if openElements.isEmpty { document.isXUnit = ["testsuites", "testsuite"].contains(elementName) }
    openElements.append(elementName)
    switch elementName {
    case "testsuite": startSuite(attributes)
    case "testcase": startCase(attributes)
    case "failure", "error":
      text = ""
      current?.failures.append(
        XUnitDocument.Failure(message: attributes["message"] ?? "", type: attributes["type"], text: ""))
    case "skipped":
      text = ""
      current?.skipped = attributes["message"] ?? ""
    default: break
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard firstError == nil else { return }
    firstError = "line \(parser.lineNumber), libxml2 error \((parseError as NSError).code)"
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text?.append(string)
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text?.append(String(decoding: block, as: UTF8.self))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) {
    _ = openElements.popLast()
    switch elementName {
    case "testcase":
      current?.isComplete = true
      closeOpenCase()
    case "failure", "error": endFailure()
    case "skipped": endSkip()
    default: break
    }
  }

  // MARK: - Building the document

  private func startSuite(_ attributes: [String: String]) {
    // Suites can be nested, and then the outer one's count may include the inner ones': only the innermost counts.
    let isNested = openElements.dropLast().contains("testsuite")
    if let count = attributes["tests"].flatMap({ Int($0) }), !isNested {
      document.promisedTests = (document.promisedTests ?? 0) + count
    }
    let isSwiftPM = attributes["name"] == "TestResults"
    writer = isSwiftPM ? (attributes["skipped"] == nil ? .xctest : .swiftTesting) : nil
    document.writers.insert(writer)
  }

  private func startCase(_ attributes: [String: String]) {
    closeOpenCase()
    let time = attributes["time"].flatMap { Double($0) }
    current = XUnitDocument.Case(
      className: attributes["classname"] ?? "", name: attributes["name"] ?? "",
      time: time.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, file: attributes["file"],
      line: attributes["line"].flatMap { Int($0) }, writer: writer)
  }

  private func endFailure() {
    guard let text, let index = current?.failures.indices.last else { return }
    current?.failures[index].text = text
    self.text = nil
  }

  private func endSkip() {
    if let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty {
      current?.skipped = text
    }
    text = nil
  }

  private func closeOpenCase() {
    if let current { document.cases.append(current) }
    current = nil
    text = nil
  }
}
