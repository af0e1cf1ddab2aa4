import Collector
import Foundation
import ReportModel

/// Reads xunit XML of SwiftPM's two writers and of other tools.
///
/// Sources: SwiftPM 6.3's files; the formats of pytest, Surefire (with `rerunFailure` and `flakyFailure`),
/// Gradle, nextest and jest-junit.
struct XUnitReader {
  private static let maximumDepth = 1000

  private var scanner: XMLScanner
  private var texts = XMLText()
  private var document = XUnitDocument()
  private var open: [Range<Int>] = []
  /// Counts of hashed names in `open` below `searchedDepth`.
  private var deepNames: [Int: Int] = [:]
  /// Deeper names are searched only if `deepNames` has them, for linear time.
  private static let searchedDepth = 32
  private var leftOutDepth = 0
  private var leftOutCount = 0
  private var suites: [XUnitSuite] = []
  private var current: XUnitCase?
  private var isFrameworkUndecided = false
  private var classes: [String: TestCaseID] = [:]
  private var lastClass: (range: Range<Int>, id: TestCaseID)?
  private var collected: [CollectedText] = []
  private var framework: TestFramework?
  private let file: LoadedFile
  private let folder: String
  private let streamedFailures: Int
  private let take: (Observation) -> Void
  private var passed = 0
  private var nextLeaving = bytesBetweenLeavings
  private static let bytesBetweenLeavings = 1 << 20

  private struct CollectedText {
    var depth: Int
    var element: XUnitElement
    var summary: String
    var place: SourceReference?
    var text = ""
    /// Unclosed elements, which may be unescaped text.
    var openTags: [(depth: Int, offset: Int, tag: Range<Int>)] = []
    var output = ""
  }

  /// - Parameters:
  ///   - file: Its memory is released while reading.
  ///   - take: Gets each test case in order.
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
        if start(isEmpty: isEmpty), isEmpty { end() }
      case .end: end()
      case .text(let isCDATA): addText(scanner.text, isCDATA: isCDATA)
      case .finished: return finish()
      }
    }
  }

  private mutating func finish() -> XUnitDocument {
    document.isComplete = open.isEmpty && leftOutDepth == 0 && document.isXUnit
    closeCase()
    while !suites.isEmpty { closeSuite() }
    document.repairs.formUnion(scanner.repairs.union(texts.repairs))
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

  private mutating func start(isEmpty: Bool) -> Bool {
    if open.isEmpty {
      document.isXUnit = document.isXUnit || XUnitElement(scanner.name, in: scanner.bytes).isRoot
    }
    guard open.count < Self.maximumDepth else {
      leftOutDepth += 1
      leftOutCount += 1
      return true
    }
    let element = XUnitElement(scanner.name, in: scanner.bytes)
    if element == .other, let part = collected.indices.last {
      if isEmpty {
        addText(scanner.tag, isCDATA: false)
        document.repairs.insert(.escaping)
        return false
      }
      let offset = collected[part].text.utf8.count
      collected[part].openTags.append((open.count + 1, offset, scanner.tag))
    }
    push(scanner.name)
    switch element {
    case .testsuite, .testsuites: startSuite(element)
    case .testcase: startCase()
    case .property: addProperty()
    case .failure, .attempt, .skipped, .output: startPart(element)
    case .other: break
    }
    return true
  }

  private mutating func startPart(_ element: XUnitElement) {
    let isOfSuite = element == .failure || element == .output
    guard current != nil || isOfSuite && !suites.isEmpty else { return }
    if element == .skipped {
      let isExpected = value("type") == "pytest.xfail"
      current?.isExpectedFailure = isExpected
    }
    let summary = element == .output ? nil : prose("message")
    var part = CollectedText(depth: open.count, element: element, summary: summary ?? "")
    if element == .failure || element == .attempt { part.place = place() }
    collected.append(part)
  }

  private mutating func end() {
    if leftOutDepth > 0 {
      leftOutDepth -= 1
      return
    }
    guard let index = lastOpen(scanner.name) else {
      if collected.isEmpty { return noteError("an end tag without its start") }
      document.repairs.insert(.escaping)
      return addText(scanner.tag, isCDATA: false)
    }
    if index != open.count - 1, !closeText(above: index) { noteError("an element that is not closed") }
    if index == open.count - 1, collected.last?.openTags.last?.depth == open.count {
      collected[collected.count - 1].openTags.removeLast()
    }
    while open.count > index { close(pop()) }
  }

  /// Turns unclosed elements within a text, such as `<unknown>:0`, back into text.
  private mutating func closeText(above index: Int) -> Bool {
    guard let part = collected.indices.last, collected[part].depth <= index + 1 else { return false }
    let tags = collected[part].openTags.filter { $0.depth > index + 1 }
    guard tags.count == open.count - index - 1 else { return false }
    // Only the text after the first changes, for linear time.
    let begin = tags.first?.offset ?? 0
    let cut = collected[part].text.utf8.index(collected[part].text.utf8.startIndex, offsetBy: begin)
    let bytes = Array(collected[part].text.utf8[cut...])
    collected[part].text.removeSubrange(cut...)
    var start = 0
    for tag in tags {
      collected[part].text += String(decoding: bytes[start..<(tag.offset - begin)], as: UTF8.self)
      if collected[part].text.utf8.count < XMLText.limit {
        collected[part].text += texts.string(scanner.bytes[tag.tag], isProse: true)
      }
      start = tag.offset - begin
    }
    collected[part].text += String(decoding: bytes[start...], as: UTF8.self)
    collected[part].openTags.removeLast(tags.count)
    document.repairs.insert(.escaping)
    while open.count > index + 1 { _ = pop() }
    return true
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

  private func lastOpen(_ name: Range<Int>) -> Int? {
    let isDeep = open.count > Self.searchedDepth && deepNames[hash(name)] != nil
    return (isDeep ? open[...] : open.prefix(Self.searchedDepth)).lastIndex { scanner.bytes.equal($0, name) }
  }

  private func hash(_ name: Range<Int>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(scanner.bytes[name]))
    return hasher.finalize()
  }

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
    suite.isRoot = element == .testsuites
    if let outer = suites.indices.last { release(outer) }
    noteBound()
    if element == .testsuite {
      let name = value("name") ?? ""
      let isSwiftPM = name == "TestResults"
      suite.name = name.isEmpty || isSwiftPM ? nil : name
      framework = isSwiftPM ? (scanner.attribute("skipped") == nil ? .xctest : .swiftTesting) : nil
      isFrameworkUndecided = framework == .xctest
      suite.framework = framework
    }
    suites.append(suite)
  }

  /// Passes on the suite's own failures as a test that stands for it.
  private mutating func closeSuite() {
    guard var suite = suites.popLast() else { return }
    if !suite.isRoot { document.frameworks.insert(suite.framework) }
    if let only = suite.only { pass(suite.completing(only)) }
    if !suite.issues.isEmpty {
      var id = split(suite.name ?? suites.lazy.compactMap(\.name).last ?? "")
      id.name = "the suite itself"
      let outcome = OutcomeTable.ofXUnit(
        hasFailed: true, isComplete: true, isSkipped: false, isExpectedFailure: false)
      pass(suite.completing(Observation(id: id, outcome: outcome, issues: suite.issues)))
    }
    noteBound()
    // A stream also has issues outside of tests.
    if suite.framework == .swiftTesting, streamedFailures > suite.held.failures {
      suite.announced.failures = 0
    }
    if 1..<max(1, suite.held.tests) ~= suite.announced.tests { document.holdsMore = true }
    for sentence in suite.close() { document.lacking.fault(.testCount, sentence, input: file.name) }
    guard let outer = suites.indices.last else { return }
    suites[outer].held += suite.held
    suites[outer].told += suite.told
  }

  private mutating func pass(_ test: Observation) {
    passed += 1
    take(test)
  }

  private mutating func noteBound() {
    if document.bounds.last != passed { document.bounds.append(passed) }
  }

  private mutating func release(_ suite: Int) {
    if let test = suites[suite].only.take() { pass(test) }
  }

  private mutating func startCase() {
    closeCase()
    var id = testClass() ?? split(suites.last?.name ?? "")
    id.name = value("name") ?? ""
    if isFrameworkUndecided, let suite = suites.indices.last {
      // Older writers of Swift Testing do not count skipped tests; XCTest names lack parentheses.
      framework = id.name.hasSuffix(")") ? .swiftTesting : .xctest
      suites[suite].framework = framework
      isFrameworkUndecided = false
    }
    var test = Observation(
      id: id, framework: framework, outcome: .unfinished, duration: value("time").flatMap(Self.seconds))
    test.isOfXUnitAlone = true
    if let location = place() { test.location = location }
    var read = XUnitCase(test: test)
    // GoogleTest's `result` says more: "completed", "suppressed", "skipped".
    let status = value("status")
    read.status = (["run", ""].contains(status) ? nil : status) ?? value("result") ?? ""
    current = read
  }

  private mutating func place() -> SourceReference? {
    SourceReference(file: value("file"), line: value("line").flatMap { Int($0) })
  }

  private mutating func testClass() -> TestCaseID? {
    guard let range = scanner.attribute("classname"), !range.isEmpty else { return nil }
    if let lastClass, scanner.bytes.equal(lastClass.range, range) { return lastClass.id }
    let name = texts.string(scanner.bytes[range])
    guard !name.isEmpty else { return nil }
    let id = split(name)
    // Cut names must be counted each time.
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
    guard var read = current.take() else { return }
    if read.isComplete { read.readStatus() }
    if scanner.position >= nextLeaving {
      file.leave(upTo: scanner.position)
      nextLeaving = scanner.position + Self.bytesBetweenLeavings
    }
    document.caseCount += 1
    let counts = read.counts
    let test = read.observation(folder: folder)
    guard let suite = suites.indices.last else { return pass(test) }
    release(suite)
    let isFirst = suites[suite].held.tests == 0
    suites[suite].held += counts
    if isFirst, test.hasFailedOnce { suites[suite].only = test } else { pass(test) }
  }

  /// Reads seconds; commas group thousands in Surefire and are decimal points elsewhere.
  private static func seconds(_ text: String) -> Double? {
    var plain = text
    if Double(text) == nil, let comma = text.lastIndex(of: ",") {
      let isDecimal = text.firstIndex(of: ",") == comma && !text[comma...].contains(".")
      plain =
        isDecimal ? text.replacing(".", with: "").replacing(",", with: ".") : text.replacing(",", with: "")
    }
    guard let seconds = Double(plain) else { return nil }
    return seconds.isFinite && seconds >= 0 ? seconds : nil
  }

  private mutating func addProperty() {
    guard let name = value("name"), let value = value("value") else { return }
    let property = TestProperty(name: name, value: value)
    if current != nil {
      current?.test.properties.append(property)
    } else if let suite = suites.indices.last {
      suites[suite].properties.append(property)
    }
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

  private mutating func addText(_ range: Range<Int>, isCDATA: Bool) {
    guard let index = collected.indices.last, collected[index].text.utf8.count < XMLText.limit else { return }
    collected[index].text += texts.string(
      scanner.bytes[range], hasReferences: !isCDATA, isProse: true)
  }

  private mutating func deliver(_ part: CollectedText) {
    let text = readingWrittenEscapes(part.text)
    let location = current?.test.location
    switch part.element {
    case .failure:
      let failure = FailureText(part.summary, text, own: part.place, location: location)
      if current != nil {
        current?.failureCount += 1
        current?.test.issues += failure.issues
        current?.output += failure.output
      } else if let suite = suites.indices.last {
        suites[suite].issues += failure.issues
        suites[suite].held.failures += 1
      }
    case .attempt:
      let failure = FailureText(part.summary, text, own: part.place, location: location)
      let output = failure.output + part.output
      current?.test.attempts.append(
        TestAttempt(outcome: .failed, issues: failure.issues, output: output.isEmpty ? nil : output))
    case .skipped:
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      current?.skipped = text.isEmpty ? part.summary : text
    case .output where collected.isEmpty && current != nil: current?.output += text
    case .output where collected.isEmpty:
      if let suite = suites.indices.last { suites[suite].output += text }
    case .output where collected.last?.element == .attempt: collected[collected.count - 1].output += text
    default: break
    }
  }
}
