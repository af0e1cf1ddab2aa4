import Collector
import Foundation
import Testing

@testable import ReportPlaces

/// Stories that outlive their code: the stacks are the same as before, without addresses.
@Suite struct KeptPlacesTests {
  private static let code = CodeFile(path: "/p/DemoTests.xctest", size: 7, changedAt: 8, buildID: "ab01")
  private static let sqlite = CodeFile(path: "/lib/libsqlite3.so.0", size: 1, changedAt: 1)

  private static func place(
    _ function: String, _ line: Int?, module: String? = "App", file: String? = "Sources/App/Depot.swift",
    isClosure: Bool = false
  ) -> Place {
    Place(
      symbol: "$s\(function)",
      name: PlaceName(module: module, function: function, isClosure: isClosure), file: file, line: line)
  }

  private static let places = CodePlaces([
    CodePlaces.File(
      code: code,
      places: [
        10: [place("execute(_:)", nil, module: "GRDB", file: nil)],
        20: [place("Depot.insert(_:)", 16), place("Depot.receive(_:)", 12, isClosure: true)],
        30: [place("Depot.receive(_:)", 14)],
        40: [place("invoke()", nil, module: "XCTest", file: nil)],
        50: [place("DepotTests.testSync()", 18, module: "AppTests", file: "Tests/AppTests/DepotTests.swift")],
      ]),
    CodePlaces.File(
      code: sqlite, places: [5: [place("sqlite3_exec", nil, module: nil, file: nil)]]),
  ])

  /// A story with stacks of files and offsets.
  private func story(_ stacks: [[Int]]) -> [UInt8] {
    var lines = StoryLines()
    lines.begin(TestCaseID(module: "M", suite: [], name: "t"), missing: 0, withoutChanges: nil)
    lines.write(
      RecordedStory.Code(number: 3, path: Self.code.path, size: 7, changedAt: 8, buildID: Self.code.buildID))
    lines.write(RecordedStory.Code(number: 4, path: Self.sqlite.path, size: 1, changedAt: 1))
    for (number, frames) in stacks.enumerated() {
      lines.write(RecordedStory.Stack(number: 100 * number, frames: frames))
    }
    lines.write(RecordedStory.Opened(connection: 1, after: 0, stack: 100))
    lines.finish()
    return lines.bytes
  }

  private func stacks(of story: [UInt8], _ places: CodePlaces) -> [CallStack] {
    let stacks = StoryStacks(ofStory: Data(story))
    return stacks.numbers.map { CallStack(stacks[$0] ?? [], in: places) }
  }

  private static let frames = [
    [4, 5, 3, 10, 3, 20, 3, 30, 3, 10, 4, 5, 3, 50, 3, 40], [3, 50], [3, 10, 3, 40], [3, 77, 3, 50],
  ]

  @Test func stacksAreTheSameAndNameNoAddress() throws {
    let story = story(Self.frames)
    var kept = KeptPlaces()
    let after = kept.keep(story, Self.places)
    let places = try #require(kept.places)
    let read = try PlacesFile.read(PlacesFile.bytes(of: places))
    #expect(read == places)
    let (one, two) = (stacks(of: story, Self.places), stacks(of: after, read))
    #expect(one.map(\.frames) == two.map(\.frames) && one[0].frames.count == 3)
    #expect(one[0].frames[0].through == ["SQLite", "GRDB"] && one[3].unnamed == 1)
    let text = String(decoding: after, as: UTF8.self)
    #expect(!text.contains(Self.code.path) && !text.contains("ab01") && !text.contains("77"))
    let others = { (bytes: [UInt8]) in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
        !$0.hasPrefix(#"{"kind":"stack""#) && !$0.hasPrefix(#"{"kind":"code""#)
      }
    }
    #expect(others(after) == others(story) && others(story).count == 3)
  }

  @Test func eachPlaceIsKeptOnce() throws {
    var kept = KeptPlaces()
    let first = kept.keep(story(Self.frames), Self.places)
    let places = kept.places
    #expect(kept.keep(story(Self.frames), Self.places) == first)
    #expect(kept.places == places)
  }

  @Test func withoutPlacesStacksAreEmpty() {
    var kept = KeptPlaces()
    let after = kept.keep(story(Self.frames), CodePlaces())
    #expect(kept.places == nil)
    #expect(stacks(of: after, CodePlaces()).map(\.frames.count) == [0, 0, 0, 0])
    #expect(kept.keep([], CodePlaces()).isEmpty)
    #expect(kept.keep(Array("x".utf8), CodePlaces()) == Array("x".utf8))
  }
}
