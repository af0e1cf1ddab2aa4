import Collector
import ExhibitSystem
import ReportModel

/// Safe, unique file names of test pages.
///
/// Failures beyond 1,000 with little content share files. Names match `[A-Za-z0-9._-]`, end in `.html`, have at most
/// 120 bytes, and are unique without case, for file systems that ignore it.
package struct PageNames: Sendable {
  private var names: [TestCaseID: String] = [:]
  private var taken: Set<String> = []
  /// For embedded pages: the failure's position, and that of the file's first.
  private var parts: [TestCaseID: (position: Int, file: Int)] = [:]
  /// Positions of the failures in each shared file.
  private(set) var sharedFiles: [[Int]] = []

  /// Of equal names the later gets a number.
  init(_ tests: some Sequence<TestCaseID>) {
    for test in tests where names[test] == nil {
      let name = unused(pageName(for: test.description))
      taken.insert(name.lowercased())
      names[test] = name
    }
  }

  /// Names pages of failed and flaky tests, and of others with details, up to a limit.
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

  private static let mostOthers = 1000

  /// Failures with files of their own.
  private static let mostFailures = 1000
  private static let testsInAFile = 50

  func path(of test: TestResult) -> String? {
    test.isPlain && !test.outcome.isFailure ? nil : path(of: test.id)
  }

  func stem(of test: TestResult) -> String? { path(of: test).flatMap { _ in names[test.id] } }

  func path(of test: TestCaseID) -> String? {
    if let part = parts[test] { return Self.path(ofFileFrom: part.file) }
    return names[test].map { "tests/\($0).html" }
  }

  /// A shared file's path.
  ///
  /// - Parameter first: The position of its first failure.
  static func path(ofFileFrom first: Int) -> String { "failures/\(first + 1).html" }

  func anchor(of test: TestCaseID) -> String? { parts[test].map { "t-\($0.position + 1)" } }

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
  private static let little = 4096

  fileprivate var saysLittle: Bool {
    guard outcome.isFailure else { return false }
    guard !isPlain else { return true }
    let bytes = self.issues.reduce(self.output?.utf8.count ?? 0) { $0 + $1.message.utf8.count }
    return self.evidence.isEmpty && self.attempts.isEmpty && self.crash == nil && bytes <= Self.little
  }

  fileprivate var tellsMore: Bool {
    guard !isPlain else { return false }
    return !self.issues.isEmpty || !self.evidence.isEmpty || !self.attempts.isEmpty || self.output != nil
      || !self.properties.isEmpty
  }
}

/// Leaves room for hash, number and extension in 120 bytes.
private let longestStem = 94

/// Replaces unsafe characters and then appends a hash.
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

/// 64-bit FNV-1a folded to 32 bits, in hexadecimal.
private func shortHash(_ text: String) -> String {
  let hash = StableHash(text).value
  let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  return padded(String(folded, radix: 16), to: 8, with: "0")
}
