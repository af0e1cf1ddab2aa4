import Collector
import Foundation
import ReportModel

/// Reads xunit XML as far as possible: that of SwiftPM's two writers, and JUnit in general.
///
/// Sources: SwiftPM 6.3's files; the documented formats of pytest, Surefire (with `rerunFailure` and `flakyFailure`),
/// Gradle, nextest and jest-junit.
struct XUnitReader {
  /// The depth beyond which elements are left out.
  private static let maximumDepth = 1000

  private var scanner: XMLScanner
  private var texts = XMLText()
  private var document = XUnitDocument()
  /// The names of the open elements.
  private var open: [Range<Int>] = []
  /// The number of times that each name, by its hash, is deeper than `searchedDepth` in `open`.
  private var deepNames: [Int: Int] = [:]
  /// The depth to which an end tag's name is always searched; deeper only if it is known to be there.
  private static let searchedDepth = 32
  private var leftOutDepth = 0
  private var leftOutCount = 0
  private var suites: [XUnitSuite] = []
  private var current: XUnitCase?
  /// Identities without a name by the names of classes, each of which is split once.
  private var classes: [String: TestCaseID] = [:]
  /// The class of the last test, which is mostly the next one's too.
  private var lastClass: (range: Range<Int>, id: TestCaseID)?
  private var collected: [CollectedText] = []
  private var framework: TestFramework?
  private let file: LoadedFile
  private let folder: String
  /// The number of failures that an event stream has of the same invocation of `swift test`.
  private let streamedFailures: Int
  private let take: (Observation) -> Void
  /// The position at which what lies before it is left.
  private var nextLeaving = bytesBetweenLeavings
  private static let bytesBetweenLeavings = 1 << 20

  /// The text of an open element.
  private struct CollectedText {
    var depth: Int
    var element: XUnitElement
    /// Its `message`.
    var summary: String
    var text = ""
    /// The output of another attempt.
    var output = ""
  }

  /// - Parameters:
  ///   - file: Is told now and then up to which byte all was read, though some of that may be read again.
  ///   - take: Receives every test case in the order of the file.
  static func read(_ file: LoadedFile, streamedFailures: Int, take: (Observation) -> Void) -> XUnitDocument {
    withoutActuallyEscaping(take) { take in
      file.bytes.withUnsafeBytes { buffer in
        guard let bytes = XMLBytes(buffer) else { return XUnitDocument() }
        var reader = XUnitReader(
          scanner: XMLScanner(bytes), file: file, folder: file.folder, streamedFailures: streamedFailures,
          take: take)
        return reader.read()
      }
    }
  }

  private mutating func read() -> XUnitDocument {
    while true {
      switch scanner.next() {
      case .start(let isEmpty):
        start()
        if isEmpty { end() }
      case .end: end()
      case .text(let isCDATA): addText(isCDATA: isCDATA)
      case .finished: return finish()
      }
    }
  }

  private mutating func finish() -> XUnitDocument {
    document.isComplete = open.isEmpty && leftOutDepth == 0 && document.isXUnit
    closeCase()
    while !suites.isEmpty { closeSuite() }
    document.repairs = scanner.repairs.union(texts.repairs)
    if leftOutCount > 0 {
      document.exceeded.append(
        "\(leftOutCount) elements are nested deeper than \(Self.maximumDepth) and were left out.")
    }
    if texts.cutCount > 0 {
      document.exceeded.append("\(texts.cutCount) texts are longer than the limit and were cut.")
    }
    return document
  }

  // MARK: - Elements

  private mutating func start() {
    if open.isEmpty {
      document.isXUnit = document.isXUnit || XUnitElement(scanner.name, in: scanner.bytes).isRoot
    }
    guard open.count < Self.maximumDepth else {
      leftOutDepth += 1
      leftOutCount += 1
      return
    }
    push(scanner.name)
    let element = XUnitElement(scanner.name, in: scanner.bytes)
    switch element {
    case .testsuite, .testsuites: startSuite(element)
    case .testcase: startCase()
    case .property: addProperty()
    case .failure, .attempt, .skipped, .output: startPart(element)
    case .other: break
    }
  }

  /// Starts a part of a test case that has a text.
  private mutating func startPart(_ element: XUnitElement) {
    guard current != nil || element == .failure && !suites.isEmpty else { return }
    if element == .skipped {
      let isExpected = value("type") == "pytest.xfail"
      current?.isExpectedFailure = isExpected
    }
    let summary = element == .output ? nil : prose("message")
    collected.append(CollectedText(depth: open.count, element: element, summary: summary ?? ""))
  }

  private mutating func end() {
    if leftOutDepth > 0 {
      leftOutDepth -= 1
      return
    }
    guard let index = lastOpen(scanner.name) else {
      return noteError("an end tag without its start")
    }
    if index != open.count - 1 { noteError("an element that is not closed") }
    while open.count > index { close(pop()) }
  }

  private mutating func push(_ name: Range<Int>) {
    open.append(name)
    if open.count > Self.searchedDepth { deepNames[hash(name), default: 0] += 1 }
  }

  private mutating func pop() -> Range<Int> {
    let name = open.removeLast()
    guard open.count >= Self.searchedDepth else { return name }
    let key = hash(name)
    let count = deepNames[key, default: 1] - 1
    deepNames[key] = count == 0 ? nil : count
    return name
  }

  /// The innermost open element of a name; elements searched beyond `searchedDepth` are closed afterwards.
  private func lastOpen(_ name: Range<Int>) -> Int? {
    let isDeep = open.count > Self.searchedDepth && deepNames[hash(name)] != nil
    return (isDeep ? open[...] : open.prefix(Self.searchedDepth)).lastIndex { scanner.bytes.equal($0, name) }
  }

  private func hash(_ name: Range<Int>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(scanner.bytes[name]))
    return hasher.finalize()
  }

  /// - Parameter name: The name of the element that was open at depth `open.count + 1`.
  private mutating func close(_ name: Range<Int>) {
    if let last = collected.last, last.depth == open.count + 1 { deliver(collected.removeLast()) }
    switch XUnitElement(name, in: scanner.bytes) {
    case .testsuite, .testsuites: closeSuite()
    case .testcase:
      current?.isComplete = true
      closeCase()
    default: break
    }
  }

  private mutating func noteError(_ words: String) {
    guard document.error == nil else { return }
    let line = scanner.bytes[0..<scanner.position].count { $0 == .newline } + 1
    document.error = "line \(line), \(words)"
  }

  // MARK: - Suites and cases

  private mutating func startSuite(_ element: XUnitElement) {
    func count(_ name: StaticString) -> Int { value(name).map(XUnitCounts.count) ?? 0 }
    var suite = XUnitSuite()
    suite.announced = XUnitCounts(
      tests: count("tests"), failures: XUnitCounts.sum(count("failures"), count("errors")),
      skipped: count("skipped"))
    if element == .testsuite {
      let name = value("name") ?? ""
      let isSwiftPM = name == "TestResults"
      suite.name = name.isEmpty || isSwiftPM ? nil : name
      framework = isSwiftPM ? (scanner.attribute("skipped") == nil ? .xctest : .swiftTesting) : nil
      suite.framework = framework
      document.frameworks.insert(framework)
    }
    suites.append(suite)
  }

  /// Passes on the suite's own failures as those of a test that stands for the suite.
  private mutating func closeSuite() {
    guard var suite = suites.popLast() else { return }
    if !suite.issues.isEmpty {
      var id = split(suite.name ?? suites.lazy.compactMap(\.name).last ?? "")
      id.name = "the suite itself"
      take(Observation(id: id, outcome: .failed, issues: suite.issues))
    }
    // A stream has the issues of no test, too.
    if suite.framework == .swiftTesting, streamedFailures > suite.held.failures {
      suite.announced.failures = 0
    }
    for sentence in suite.close() { document.lacking.fault(.testCount, sentence, input: file.name) }
    guard let outer = suites.indices.last else { return }
    suites[outer].held += suite.held
    suites[outer].told += suite.told
  }

  private mutating func startCase() {
    closeCase()
    var id = testClass() ?? split(suites.last?.name ?? "")
    id.name = value("name") ?? ""
    var test = Observation(
      id: id, framework: framework, outcome: .unfinished, duration: value("time").flatMap(Self.seconds))
    test.isOfXUnitAlone = true
    let (file, line) = (value("file"), value("line").flatMap { Int($0) })
    if let location = SourceReference(file: file, line: line) { test.location = location }
    current = XUnitCase(test: test)
  }

  /// `nil` where there is none, or an empty one.
  private mutating func testClass() -> TestCaseID? {
    guard let range = scanner.attribute("classname"), !range.isEmpty else { return nil }
    if let lastClass, scanner.bytes.equal(lastClass.range, range) { return lastClass.id }
    let name = texts.string(scanner.bytes[range])
    guard !name.isEmpty else { return nil }
    let id = split(name)
    // Each long name that is cut must be counted.
    lastClass = range.count < XMLText.limit ? (range, id) : nil
    return id
  }

  private mutating func split(_ className: String) -> TestCaseID {
    if let known = classes[className] { return known }
    let id = TestCaseID(className: className, name: "")
    classes[className] = id
    return id
  }

  private mutating func closeCase() {
    while let last = collected.popLast() { deliver(last) }
    guard let read = current.take() else { return }
    if scanner.position >= nextLeaving {
      file.leave(upTo: scanner.position)
      nextLeaving = scanner.position + Self.bytesBetweenLeavings
    }
    document.caseCount += 1
    if let suite = suites.indices.last { suites[suite].held += read.counts }
    take(read.observation(folder: folder))
  }

  /// Reads seconds; Surefire groups thousands by commas.
  private static func seconds(_ text: String) -> Double? {
    guard let seconds = Double(text) ?? Double(text.replacing(",", with: "")) else { return nil }
    return seconds.isFinite && seconds >= 0 ? seconds : nil
  }

  private mutating func addProperty() {
    guard current != nil, let name = value("name"), let value = value("value") else { return }
    current?.test.properties.append(TestProperty(name: name, value: value))
  }

  private mutating func value(_ name: StaticString) -> String? {
    guard let range = scanner.attribute(name) else { return nil }
    return texts.string(scanner.bytes[range])
  }

  private mutating func prose(_ name: StaticString) -> String? {
    guard let range = scanner.attribute(name) else { return nil }
    return readingWrittenEscapes(texts.string(scanner.bytes[range], isProse: true))
  }

  // MARK: - Text

  private mutating func addText(isCDATA: Bool) {
    guard let index = collected.indices.last, collected[index].text.utf8.count < XMLText.limit else { return }
    collected[index].text += texts.string(
      scanner.bytes[scanner.text], hasReferences: !isCDATA, isProse: true)
  }

  private mutating func deliver(_ part: CollectedText) {
    let text = readingWrittenEscapes(part.text)
    let place = current?.test.location
    switch part.element {
    case .failure:
      let issue = TestIssue(part.summary, text, at: place)
      if current != nil {
        current?.test.issues.append(issue)
      } else if let suite = suites.indices.last {
        suites[suite].issues.append(issue)
        suites[suite].held.failures += 1
      }
    case .attempt:
      let issues = [TestIssue(part.summary, text, at: place)]
      let output = part.output.isEmpty ? nil : part.output
      current?.test.attempts.append(TestAttempt(outcome: .failed, issues: issues, output: output))
    case .skipped:
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      current?.skipped = text.isEmpty ? part.summary : text
    case .output where collected.isEmpty: current?.output += text
    // The output of another attempt is not the test's output.
    case .output where collected.last?.element == .attempt: collected[collected.count - 1].output += text
    default: break
    }
  }
}
