package import Collector
package import Foundation

/// The stacks that the steps of a story name.
package struct StoryStacks: Sendable, Equatable {
  private var stacks: [Int: [CodeAddress]] = [:]

  /// Leaves out frames of files that are not told.
  package init(code: [RecordedStory.Code], stacks: [RecordedStory.Stack]) {
    let files = Dictionary(
      code.map { file in
        (
          file.number,
          CodeFile(
            path: file.path, size: file.size, changedAt: Int(file.changedAt), buildID: file.buildID)
        )
      }, uniquingKeysWith: { first, _ in first })
    for stack in stacks {
      self.stacks[stack.number] = stride(from: 0, to: stack.frames.count - 1, by: 2).compactMap { place in
        files[stack.frames[place]].map { CodeAddress(file: $0, offset: UInt64(stack.frames[place + 1])) }
      }
    }
  }

  /// The addresses of a stack, innermost first; `nil` for one that the story does not have.
  package subscript(stack: Int) -> [CodeAddress]? { stacks[stack] }

  /// Every address of a stack.
  package var addresses: Set<CodeAddress> { Set(stacks.values.joined()) }

  /// The stacks of a `story.jsonl`, of which no other lines are read.
  package init(ofStory bytes: Data) {
    var (code, stacks): ([RecordedStory.Code], [RecordedStory.Stack]) = ([], [])
    Self.eachLine(of: bytes, ofKind: RecordedStory.Code.kind) { line in
      if let file: RecordedStory.Code = line.content() { code.append(file) }
    }
    Self.eachLine(of: bytes, ofKind: RecordedStory.Stack.kind) { line in
      if let stack: RecordedStory.Stack = line.content() { stacks.append(stack) }
    }
    self.init(code: code, stacks: stacks)
  }

  /// The form that `StoryLines` writes: the kind first.
  private static func eachLine(of bytes: Data, ofKind kind: String, _ body: (StoryLine) -> Void) {
    let (start, lineEnd) = (Data("{\"kind\":\"\(kind)\"".utf8), UInt8(ascii: "\n"))
    var place = bytes.startIndex
    while let found = bytes.range(of: start, in: place..<bytes.endIndex) {
      let end = bytes[found.upperBound...].firstIndex(of: lineEnd) ?? bytes.endIndex
      // Elsewhere in a line it is part of a text.
      if found.lowerBound == bytes.startIndex || bytes[found.lowerBound - 1] == lineEnd {
        Array(bytes[found.lowerBound..<end]).withUnsafeBufferPointer {
          if let line = StoryLine($0) { body(line) }
        }
      }
      place = end
    }
  }
}
