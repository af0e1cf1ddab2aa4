import Foundation
import Glibc

@testable import ReportPlaces

/// The stack of its caller, innermost first, as a ring of this process would have it.
@inline(never) func recordedStack() -> [CodeAddress] {
  let addresses = Thread.callStackReturnAddresses.map { UInt64($0.uintValue) }
  let images = LoadedImages.current
  return addresses.compactMap { address in
    images.first { $0.range.contains(address) }.map {
      CodeAddress(file: $0.file, offset: address - $0.range.lowerBound)
    }
  }
}

/// A file that this process has loaded.
private struct LoadedImages {
  var range: Range<UInt64>
  var file: CodeFile

  /// All of them; both programs and libraries begin at the address 0 of their own.
  static let current: [LoadedImages] = {
    // Without it a test has no stack, and fails. Read whole, which `String(contentsOfFile:)` does not.
    let bytes = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
    let maps = String(decoding: bytes, as: UTF8.self)
    var ranges: [String: Range<UInt64>] = [:]
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count == 6, fields[5].trimmingCharacters(in: .whitespaces).hasPrefix("/") else { continue }
      let bounds = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      let path = fields[5].trimmingCharacters(in: .whitespaces)
      guard bounds.count == 2 else { continue }
      ranges[path] =
        min(ranges[path]?.lowerBound ?? .max, bounds[0])..<max(ranges[path]?.upperBound ?? 0, bounds[1])
    }
    // Devices and deleted files have no code.
    return ranges.compactMap { path, range in
      (try? CodeFile(at: path)).map { LoadedImages(range: range, file: $0) }
    }
  }()
}

/// Functions of several kinds that return the stack on which they run.
struct RecordedForms {
  static let shared = RecordedForms(count: 1)
  var stack: [CodeAddress] = []

  init(count: Int) {}

  init(named name: String) throws {
    stack = recordedStack()
  }

  var total: [CodeAddress] { recordedStack() }

  func nested() -> [CodeAddress] {
    [1].map { _ in [2].map { _ in recordedStack() }[0] }[0]
  }

  func put(_ text: String) -> [CodeAddress] { put(text.count) }

  func put(_ number: Int) -> [CodeAddress] {
    recordedStack()
  }
}
