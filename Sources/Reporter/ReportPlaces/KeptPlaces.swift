import Collector
import ReportModel

/// The places on the stacks of stories that outlive the code that ran, each once.
///
/// A stack then names places by numbers where it had addresses, as offsets in a file that is none; such a story and its
/// places are read like any other.
package struct KeptPlaces: Sendable {
  private static let code = CodeFile(path: "", size: 0, changedAt: 0)

  private var numbering = Numbering<Place>()

  package init() {}

  /// The places of all stories, by their numbers; `nil` while none had any.
  package var places: CodePlaces? {
    if numbering.numbers.isEmpty { return nil }
    let places = numbering.numbers.map { (UInt64($0.value), [$0.key]) }
    return CodePlaces([.init(code: Self.code, places: Dictionary(uniqueKeysWithValues: places))])
  }

  /// A story with numbers in the place of addresses; those that are not known are left out.
  ///
  /// - Parameters:
  ///   - story: The lines of a `story.jsonl`.
  ///   - known: The places of its addresses.
  package mutating func keep(_ story: [UInt8], _ known: CodePlaces) -> [UInt8] {
    var (head, rest): ([UInt8], [UInt8]) = ([], [])
    let stacks = story.withUnsafeBufferPointer { bytes in
      StoryStacks(ofStory: bytes) { line in
        if head.isEmpty { head += line } else { rest += line }
      }
    }
    var lines = StoryLines()
    let numbers = stacks.numbers
    if !numbers.isEmpty { lines.write(RecordedStory.Code()) }
    for number in numbers {
      let stack = CallStack(stacks[number] ?? [], in: known)
      let frames = stack.frames.flatMap { frame in
        frame.through.map(Self.place(ofModule:)) + [frame.place] + frame.outer
      }
      lines.write(RecordedStory.Stack(number: number, frames: frames.flatMap { [0, numbering.number($0)] }))
    }
    return head + lines.bytes + rest
  }

  /// The place that stands for a module of others that was passed through.
  private static func place(ofModule name: String) -> Place {
    Place(symbol: "", name: PlaceName(module: name, function: name))
  }
}
