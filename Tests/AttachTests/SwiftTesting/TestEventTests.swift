import Collector
import Foundation
import Testing

@testable import Attach

/// What Swift Testing says of its tests, read from records that it wrote.
@Suite struct TestEventTests {
  /// Streams of real runs: passing, failing, known issues, warnings, parameterised, nested, skipped, time limits.
  private static let streams = [
    "serial-rich", "time-limit", "crash-swift-testing", "tagged", "serial-version-0",
  ]

  private static func records(_ stream: String) throws -> [Data] {
    try Data(contentsOf: ThisPackage.file("Tests/Fixtures/Inputs/\(stream)/events.jsonl")).split(
      separator: 0x0A
    )
    .map { Data($0) }
  }

  @Test(arguments: streams) func recordsAreReadAsADecoderReadsThem(stream: String) throws {
    let records = try Self.records(stream)
    #expect(!records.isEmpty)
    for record in records { try Self.expect(Self.event(record), toSayWhat: record) }
  }

  /// `SWT_PRETTY_PRINT_JSON=1` writes them so.
  @Test(arguments: streams) func indentedRecordsAreReadAsADecoderReadsThem(stream: String) throws {
    for record in try Self.records(stream) {
      let indented = try JSONSerialization.data(
        withJSONObject: JSONSerialization.jsonObject(with: record),
        options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      let (event, written) = (Self.event(indented), String(decoding: indented, as: UTF8.self))
      #expect((event == nil) == (Self.event(record) == nil), "\(written)")
      try Self.expect(event, toSayWhat: indented)
    }
  }

  @Test func everyBeginningOfARecordIsReadWithoutHarm() throws {
    for record in try Self.records("serial-rich").suffix(60) {
      for length in 0..<record.count where length % 3 == 0 { _ = Self.event(record.prefix(length)) }
    }
  }

  /// `EXHIBIT_FUZZ=100000` mutates that often; `EXHIBIT_FUZZ_SEED` repeats a run.
  @Test func mutatedRecordsAreReadWithoutHarm() throws {
    let variables = ProcessInfo.processInfo.environment
    let records = try Self.streams.flatMap { try Self.records($0) }
    var numbers = Numbers(state: variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1)
    let start = ProcessorTime.now
    var (told, ignored) = (0, 0)
    for round in 0..<(variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 10_000) {
      let event = Self.event(Self.mutated(records[round % records.count], by: &numbers))
      if event == nil { ignored += 1 } else { told += 1 }
    }
    #expect(told > 0 && ignored > 0)
    #expect(ProcessorTime.now - start < .seconds(60))
  }

  @Test(arguments: ["", "{}", "null", "[]", "{\"kind\":\"event\"}", "{\"kind\":\"event\",\"payload\":{}}"])
  func whatSaysNothingIsNoEvent(record: String) {
    #expect(Self.event(Data(record.utf8)) == nil)
  }

  @Test func anIssueOfAMegabyteIsReadWhole() throws {
    let message = String(repeating: "é\"\\\n\u{1}😀", count: 100_000)
    let record = try JSONSerialization.data(withJSONObject: [
      "kind": "event", "version": "6.3.0",
      "payload": [
        "kind": "issueRecorded", "testID": "M.S/t()/F.swift:1:2",
        "issue": ["isKnown": false, "severity": "error"],
        "messages": [["symbol": "fail", "text": message], ["symbol": "details", "text": "more"]],
      ],
    ])
    guard case .issue(let issue, of: _) = Self.event(record) else {
      Issue.record("no issue")
      return
    }
    #expect(issue.message == message + "\nmore")
  }

  /// One to eight changes: bytes changed, removed, repeated, cut off, or replaced by what JSON is made of.
  private static func mutated(_ record: Data, by numbers: inout Numbers) -> Data {
    var bytes = Array(record)
    for _ in 0..<Int.random(in: 1...8, using: &numbers) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      let range = place..<min(bytes.count, place + Int.random(in: 1...64, using: &numbers))
      let token = Array(
        (["\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "\n", "null"].randomElement(
          using: &numbers) ?? "").utf8)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 1: bytes.removeSubrange(range)
      case 2: bytes.insert(contentsOf: bytes[range], at: Int.random(in: 0...bytes.count, using: &numbers))
      case 3: bytes.removeSubrange(place...)
      case 4: bytes.insert(contentsOf: token, at: place)
      default: bytes.replaceSubrange(range, with: token)
      }
    }
    return Data(bytes)
  }

  private static func event(_ record: Data) -> TestEvent? {
    Array(record).withUnsafeBytes { TestEvent($0) }
  }

  private static func expect(_ event: TestEvent?, toSayWhat record: Data) throws {
    let members = try #require(JSONSerialization.jsonObject(with: record) as? [String: Any])
    let payload = try #require(members["payload"] as? [String: Any])
    let comment = Comment(rawValue: String(decoding: record, as: UTF8.self))
    switch event {
    case .planned(nil): #expect(payload["kind"] as? String == "suite", comment)
    case .planned(let function?): try expect(function, toBe: payload, comment)
    case .issue(let issue, of: let key):
      #expect(payload["kind"] as? String == "issueRecorded", comment)
      try expect(issue, toBe: payload, comment)
      #expect(text(key.bytes) == payload["testID"] as? String, comment)
    case .issueOutside(let issue, at: _):
      #expect(payload["kind"] as? String == "issueRecorded" && payload["testID"] == nil, comment)
      try expect(issue, toBe: payload, comment)
    case .began(let key): expect(key, "testStarted", in: payload, comment)
    case .ended(let key): expect(key, "testEnded", in: payload, comment)
    case .skipped(let key): expect(key, "testSkipped", in: payload, comment)
    case .cancelled(let key): expect(key, "testCancelled", in: payload, comment)
    case .caseCancelled: #expect(payload["kind"] as? String == "testCaseCancelled", comment)
    case nil:
      let silent = ["runStarted", "runEnded", "testCaseStarted", "testCaseEnded", "valueAttached"]
      #expect(silent.contains(payload["kind"] as? String ?? ""), comment)
    }
  }

  private static func expect(
    _ key: PlannedFunction.Key, _ kind: String, in payload: [String: Any], _ comment: Comment
  ) {
    #expect(payload["kind"] as? String == kind, comment)
    #expect(text(key.bytes) == payload["testID"] as? String, comment)
  }

  private static func expect(
    _ function: PlannedFunction, toBe payload: [String: Any], _ comment: Comment
  ) throws {
    #expect(payload["kind"] as? String == "function", comment)
    let id = try #require(payload["id"] as? String)
    #expect(text(function.key.bytes) == id, comment)
    #expect(function.id == TestCaseID(eventStreamID: id), comment)
    #expect(function.declaration.name == payload["name"] as? String, comment)
    #expect(function.start.displayName == payload["displayName"] as? String, comment)
    #expect(function.isParameterized == payload["isParameterized"] as? Bool, comment)
    let place = try #require(payload["sourceLocation"] as? [String: Any])
    #expect(function.declaration.fileID == place["fileID"] as? String, comment)
    #expect(function.declaration.column == place["column"] as? Int, comment)
    #expect(function.start.line == place["line"] as? Int, comment)
    #expect(function.start.file == path(place), comment)
  }

  /// Before Swift 6.3 it has an underscore.
  private static func path(_ place: [String: Any]) -> String? {
    (place["filePath"] ?? place["_filePath"] ?? place["fileID"]) as? String
  }

  private static func expect(_ issue: RecordedIssue, toBe payload: [String: Any], _ comment: Comment) throws {
    let told = try #require(payload["issue"] as? [String: Any])
    #expect(issue.known == told["isKnown"] as? Bool, comment)
    #expect(issue.severity.rawValue == told["severity"] as? String ?? "error", comment)
    let place = told["sourceLocation"] as? [String: Any]
    #expect(issue.line == place?["line"] as? Int, comment)
    #expect(issue.file == place.map(path) ?? nil, comment)
    let messages = try #require(payload["messages"] as? [[String: Any]])
    #expect(issue.message == messages.compactMap { $0["text"] as? String }.joined(separator: "\n"), comment)
  }

  private static func text(_ string: String) -> String? {
    try? JSONSerialization.jsonObject(with: Data(string.utf8), options: .fragmentsAllowed) as? String
  }
}

/// The same numbers for the same seed.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
