import Collector

/// The pages of failed tests: safe and unique file names, made from the tests' identities.
///
/// Names consist of `[A-Za-z0-9._-]`, end in `.html` and are at most 120 bytes long. They are unique without
/// regard to case, because a report may be unpacked where case does not count.
struct PageNames {
  private var names: [TestCaseID: String] = [:]
  private var taken: Set<String> = []

  /// Names the tests in their order: of two that would have one name, the later gets a number.
  init(_ tests: some Sequence<TestCaseID>) {
    for test in tests where names[test] == nil {
      let name = unused(pageName(for: test.description))
      taken.insert(name.lowercased())
      names[test] = name
    }
  }

  /// The page's path in the report folder, or `nil` for a test without a page.
  func path(of test: TestCaseID) -> String? {
    names[test].map { "tests/\($0).html" }
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

/// The length that leaves room for a hash, a number and the extension within 120 bytes.
private let longestStem = 94

/// A name of safe characters; a hash of the original is appended when anything was changed.
private func pageName(for original: String) -> String {
  var stem = ""
  for byte in original.utf8 {
    let sign = isSafe(byte) ? Character(Unicode.Scalar(byte)) : "-"
    if sign != "-" || stem.last != "-" { stem.append(sign) }
  }
  while let first = stem.first, first == "." || first == "-" { stem.removeFirst() }
  stem = String(stem.prefix(longestStem))
  while let last = stem.last, last == "." || last == "-" { stem.removeLast() }
  return stem == original ? stem : stem + (stem.isEmpty ? "" : "-") + shortHash(original)
}

private func isSafe(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
    true
  default: false
  }
}

/// 64-bit FNV-1a, folded to 32 bits, in eight hexadecimal digits: stable from process to process.
private func shortHash(_ text: String) -> String {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
  let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  return padded(String(folded, radix: 16), to: 8, with: "0")
}
