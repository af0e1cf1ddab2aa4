import Collector
import ExhibitSystem
import ReportModel

/// The pages of tests that have one: safe and unique file names, made from the tests' identities.
///
/// Failures behind the first 1,000 that say little share files: a file costs the same whatever is in it, and a run may
/// have 100,000.
///
/// Names consist of `[A-Za-z0-9._-]`, end in `.html` and are at most 120 bytes long. They are unique without
/// regard to case, because a report may be unpacked where case does not count.
package struct PageNames: Sendable {
  private var names: [TestCaseID: String] = [:]
  private var taken: Set<String> = []
  /// By test whose page is a part of a file: its place among the failures, and that of the file's first one.
  private var parts: [TestCaseID: (position: Int, file: Int)] = [:]
  /// The files that several pages share: the places of their tests among the failures.
  private(set) var sharedFiles: [[Int]] = []

  /// Names the tests in their order: of two that would have one name, the later gets a number.
  init(_ tests: some Sequence<TestCaseID>) {
    for test in tests where names[test] == nil {
      let name = unused(pageName(for: test.description))
      taken.insert(name.lowercased())
      names[test] = name
    }
  }

  /// Names the pages of a report: of failed and flaky tests, and of others that have more to tell than a line, as long
  /// as those are not too many.
  init(of tests: [TestResult]) {
    var room = Self.mostOthers
    var ids: [TestCaseID] = []
    var (failures, sharing): (Int, [(id: TestCaseID, position: Int)]) = (0, [])
    for place in tests.telling {
      let test = tests[place]
      guard test.outcome.isFailure || test.tellsMore else { continue }
      if !test.hasFailedOnce {
        guard room > 0 else { continue }
        room -= 1
      }
      ids.append(test.id)
      if failures >= Self.mostFailures, test.saysLittle { sharing.append((test.id, failures)) }
      if test.outcome.isFailure { failures += 1 }
    }
    self.init(ids)
    for start in stride(from: 0, to: sharing.count, by: Self.testsInAFile) {
      let together = sharing[start..<min(sharing.count, start + Self.testsInAFile)]
      for (id, position) in together { parts[id] = (position, together[start].position) }
      sharedFiles.append(together.map(\.position))
    }
  }

  /// Pages of tests that never failed.
  private static let mostOthers = 1000

  /// Failures that have files of their own whatever they say.
  private static let mostFailures = 1000
  private static let testsInAFile = 50

  /// The path of the file of the page in the report folder, or `nil` for a test without a page.
  func path(of test: TestResult) -> String? {
    test.isPlain && !test.outcome.isFailure ? nil : path(of: test.id)
  }

  /// The page's name without folder and extension, or `nil` for a test without a page.
  func stem(of test: TestResult) -> String? { path(of: test).flatMap { _ in names[test.id] } }

  /// The path of the file of the page in the report folder, or `nil` for a test without a page.
  func path(of test: TestCaseID) -> String? {
    if let part = parts[test] { return Self.path(ofFileFrom: part.file) }
    return names[test].map { "tests/\($0).html" }
  }

  /// The path of a file that several pages share.
  ///
  /// - Parameter first: The place of its first test among the failures, from 0.
  static func path(ofFileFrom first: Int) -> String { "failures/\(first + 1).html" }

  /// The anchor of a page in a file that several share; `nil` for one with a file of its own.
  func anchor(of test: TestCaseID) -> String? { parts[test].map { "t-\($0.position + 1)" } }

  /// The page's address in the report folder, or `nil` for a test without a page.
  func address(of test: TestResult) -> String? {
    path(of: test).map { path in anchor(of: test.id).map { "\(path)#\($0)" } ?? path }
  }

  private func unused(_ name: String) -> String {
    var candidate = name
    var number = 2
    while taken.contains(candidate.lowercased()) {
      candidate = "\(name)-\(number)"
      number += 1
    }
    return candidate
  }
}

extension TestResult {
  /// Bytes of what it says, without evidence: a file of several such pages stays small.
  private static let little = 4096

  /// True when it failed and its page is short.
  fileprivate var saysLittle: Bool {
    guard outcome.isFailure else { return false }
    guard !isPlain else { return true }
    let bytes = self.issues.reduce(self.output?.utf8.count ?? 0) { $0 + $1.message.utf8.count }
    return self.evidence.isEmpty && self.attempts.isEmpty && self.crash == nil && bytes <= Self.little
  }

  /// True when there is more to tell than fits on a line.
  fileprivate var tellsMore: Bool {
    guard !isPlain else { return false }
    return !self.issues.isEmpty || !self.evidence.isEmpty || !self.attempts.isEmpty || self.output != nil
      || !self.properties.isEmpty
  }
}

/// The length that leaves room for a hash, a number and the extension within 120 bytes.
private let longestStem = 94

/// A name of safe characters; a hash of the original is appended when anything was changed.
private func pageName(for original: String) -> String {
  let dash = UInt8(ascii: "-")
  var bytes: [UInt8] = []
  bytes.reserveCapacity(original.utf8.count)
  for byte in original.utf8 {
    let sign = isSafe(byte) ? byte : dash
    if sign != dash || bytes.last != dash { bytes.append(sign) }
  }
  func isAtNoEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == dash }
  var safe = bytes.drop(while: isAtNoEnd).prefix(longestStem)
  while let last = safe.last, isAtNoEnd(last) { safe.removeLast() }
  let stem = String(decoding: safe, as: UTF8.self)
  return stem == original && !stem.isEmpty ? stem : stem + (stem.isEmpty ? "" : "-") + shortHash(original)
}

private func isSafe(_ byte: UInt8) -> Bool { isUnreserved(byte) && byte != UInt8(ascii: "~") }

/// 64-bit FNV-1a, folded to 32 bits, in eight hexadecimal digits: stable from process to process.
private func shortHash(_ text: String) -> String {
  let hash = StableHash(text).value
  let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  return padded(String(folded, radix: 16), to: 8, with: "0")
}
