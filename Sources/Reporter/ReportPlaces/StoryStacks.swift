package import Collector
import ExhibitSystem
package import Foundation

/// The call stacks of a story.
package struct StoryStacks: Sendable, Equatable {
  private var stacks: [Int: [CodeAddress]] = [:]

  /// Drops frames of unknown files.
  package init(code: [RecordedStory.Code], stacks: [RecordedStory.Stack]) {
    let files = Dictionary(code.map { ($0.number, CodeFile($0)) }, uniquingKeysWith: { first, _ in first })
    for stack in stacks {
      self.stacks[stack.number] = stride(from: 0, to: stack.frames.count - 1, by: 2).compactMap { place in
        files[stack.frames[place]].map { CodeAddress(file: $0, offset: UInt64(stack.frames[place + 1])) }
      }
    }
  }

  /// Addresses, innermost first; `nil` for an unknown stack.
  package subscript(stack: Int) -> [CodeAddress]? { stacks[stack] }

  package var addresses: Set<CodeAddress> { Set(stacks.values.joined()) }

  /// Reads only the stacks of a `story.jsonl`.
  private init(ofStory bytes: UnsafeBufferPointer<UInt8>) {
    var (code, stacks): ([RecordedStory.Code], [RecordedStory.Stack]) = ([], [])
    var start = 0
    while start < bytes.count {
      let end = bytes.first(UInt8(ascii: "\n"), from: start) ?? bytes.count
      // `StoryLines` writes the kind first.
      if Self.line(in: bytes, at: start, begins: "{\"kind\":\"stack\"") {
        if let stack: RecordedStory.Stack = Self.content(of: bytes, start, end) { stacks.append(stack) }
      } else if Self.line(in: bytes, at: start, begins: "{\"kind\":\"code\"") {
        if let file: RecordedStory.Code = Self.content(of: bytes, start, end) { code.append(file) }
      }
      start = end + 1
    }
    self.init(code: code, stacks: stacks)
  }

  package init(ofStory bytes: Data) {
    self = bytes.withUnsafeBytes { StoryStacks(ofStory: $0.bindMemory(to: UInt8.self)) }
  }

  private static func line(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, begins head: StaticString
  ) -> Bool {
    guard let first = bytes.baseAddress, head.utf8CodeUnitCount <= bytes.count - start else { return false }
    return memcmp(first + start, head.utf8Start, head.utf8CodeUnitCount) == 0
  }

  private static func content<Content: StoryLineContent>(
    of bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Content? {
    StoryLine(UnsafeBufferPointer(rebasing: bytes[start..<end]))?.content()
  }
}

extension CodeFile {
  package init(_ file: RecordedStory.Code) {
    self.init(path: file.path, size: file.size, changedAt: Int(file.changedAt), buildID: file.buildID)
  }
}
