import Collector
import ExhibitSQLite
import Foundation

@testable import ReportTestSupport

/// A run of a package with one failed test, whose steps know where in the code they were run.
struct RunWithPlaces {
  static let test = TestCaseID(module: "ShopTests", suite: ["OrderTests"], name: "testSell")
  /// What the test is failed by: an error that XCTest reports without a place, or an assertion in line 21.
  enum Failure {
    case thrown, assertion
  }

  let folder: TemporaryFolder

  /// - Parameter file: The source file of the app.
  init(_ failure: Failure, file: String = "Sources/Shop.swift") throws {
    folder = try TemporaryFolder()
    try folder.write("// swift-tools-version: 6.2\n", to: "Package.swift")
    for file in ["Tests/OrderTests.swift", "Sources/Shop.swift"] {
      try folder.write((1...60).map { "  line\($0)()\n" }.joined(), to: file)
    }
    let run = "test-artifacts/runs/r"
    try folder.write(
      #"{"format":"1.4","run":"r","start":1,"package":"\#(folder.path)"}"#, to: "\(run)/run.json")
    try folder.write(Self.places(file), to: "\(run)/places.json")
    var log = try WrittenLog()
    try log.start(Self.test)
    let issue =
      failure == .thrown
      ? RecordedIssue(message: "threw error \"SQLite error 19: FOREIGN KEY constraint failed\"")
      : RecordedIssue(
        message: "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")",
        file: folder.path + "/Tests/OrderTests.swift", line: 21)
    try log.add(Self.test, issue)
    let story = Self.story(failure)
    try folder.write(story.bytes, to: "\(run)/evidence/t/story.jsonl")
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .story, name: "story.jsonl", path: "evidence/t/story.jsonl", bytes: story.bytes.count))
    try log.finish(Self.test, .failed)
    try log.end()
    try folder.write(log.bytes, to: "\(run)/logs/7-70.jsonl")
  }

  /// Offsets 1 and 2 are lines 20 and 21 of the test, 3 and 4 functions of the app.
  private static func places(_ file: String) -> String {
    func frame(_ offset: Int, _ module: String, _ function: String, _ file: String, _ line: Int) -> String {
      let file = String(decoding: (try? JSONEncoder().encode(file)) ?? Data(), as: UTF8.self)
      return
        #""\#(offset)":[{"symbol":"s","module":"\#(module)","function":"\#(function)","file":\#(file),"line":\#(line)}]"#
    }
    let frames = [
      frame(1, "ShopTests", "OrderTests.testSell()", "Tests/OrderTests.swift", 20),
      frame(2, "ShopTests", "OrderTests.testSell()", "Tests/OrderTests.swift", 21),
      frame(3, "Shop", "Shop.remove(_:)", file, 40), frame(4, "Shop", "Shop.count()", file, 50),
    ]
    return
      #"{"format":"1.4","files":[{"path":"/tests","size":1,"changedAt":1,"frames":{\#(frames.joined(separator: ","))}}]}"#
  }

  private static func story(_ failure: Failure) -> WrittenStory {
    var story = WrittenStory()
    story.lines[0] =
      #"{"kind":"story","format":"1.4","test":{"module":"ShopTests","suite":["OrderTests"],"name":"testSell"},"steps":"trace","missing":0}"#
    story.stack(0, [3, 1])
    story.stack(1, [4, 2])
    story.step("INSERT INTO book VALUES (1)", changed: 1, more: #","stack":0"#)
    story.change(.insert, "book", 1, new: "[1]")
    switch failure {
    case .thrown:
      story.step(
        "DELETE FROM book", error: "FOREIGN KEY constraint failed", code: 787, more: #","stack":0"#)
    case .assertion: story.step("SELECT count(*) FROM book", rows: 1, results: "[[1]]", more: #","stack":1"#)
    }
    story.issue(0)
    story.end()
    return story
  }

  /// Writes the report into `out`.
  @discardableResult func report(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(["report", "--output", "out"] + arguments, in: folder.path)
  }

  func show(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(["show", "testSell"] + arguments, in: folder.path)
  }

  /// The test's page.
  var page: String {
    get throws {
      guard let path = folder.files.first(where: { $0.hasPrefix("out/tests/") && $0.hasSuffix(".html") })
      else {
        throw NoPage()
      }
      return try folder.read(path)
    }
  }

  /// The failed test in `report.json`.
  var document: [String: Any] {
    get throws {
      let json = try JSONSerialization.jsonObject(with: Data(folder.read("out/report.json").utf8))
      guard let tests = (json as? [String: Any])?["tests"] as? [[String: Any]], let test = tests.first else {
        throw NoPage()
      }
      return test
    }
  }

  struct NoPage: Error {}
}
