import ExhibitSystem
package import Foundation

/// The lines that are not empty, numbered from 1.
package struct ByteLines: Sequence, IteratorProtocol {
  private static let others = ByteSet { $0 != UInt8(ascii: "\n") }
  private let bytes: Data
  private var position = 0
  private var number = 1

  package init(_ bytes: Data) { self.bytes = bytes }

  package mutating func next() -> (number: Int, bytes: Data)? {
    let found = bytes.withUnsafeBytes { raw -> Range<Int>? in
      let all = raw.bindMemory(to: UInt8.self)
      guard let start = all.first(in: Self.others, from: position) else { return nil }
      return start..<(all.first(UInt8(ascii: "\n"), from: start) ?? all.count)
    }
    guard let found else { return nil }
    defer { (position, number) = (found.upperBound + 1, number + found.lowerBound - position + 1) }
    let line = bytes[(bytes.startIndex + found.lowerBound)..<(bytes.startIndex + found.upperBound)]
    return (number + found.lowerBound - position, line)
  }
}
