import Foundation
import Testing

/// Every test that may be skipped says why, and ci/skips.txt says how to find out whether that is so.
@Suite struct SkipsTests {
  private func listedReasons() throws -> Set<String> {
    let list = try String(
      contentsOf: ThisPackage.file("ci/skips.txt"), encoding: .utf8)
    return Set(list.matches(of: /(?m)^  (\S.*)$/).map { String($0.1) })
  }

  /// The sources of tests that `ci/test` runs itself.
  private func sources(below folder: String) throws -> [(name: String, text: String)] {
    let folder = ThisPackage.file(folder)
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    var sources: [(String, String)] = []
    for case let name as String in names where name.hasSuffix(".swift") && !name.contains("Fixtures/") {
      sources.append((name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)))
    }
    return sources
  }

  /// What stands between the parentheses of each call in a text.
  private func arguments(of call: String, in text: String) -> [Substring] {
    text.ranges(of: call).map { range in
      var depth = 1
      let rest = text[range.upperBound...]
      return rest.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      }
    }
  }

  @Test func everyConditionOfATestHasAListedReason() throws {
    let listed = try listedReasons()
    var count = 0
    for source in try sources(below: "Tests") where !source.name.hasPrefix("HouseTests/") {
      for condition in arguments(of: ".enabled(", in: source.text) {
        count += 1
        let reason = condition.firstMatch(of: /,\s*"([^"]+)"\s*$/).map { String($0.1) }
        #expect(reason.map(listed.contains) == true, "\(source.name): .enabled(\(condition))")
      }
    }
    #expect(count > 10)
  }

  @Test func everyListedReasonIsThatOfATest() throws {
    let texts = try (sources(below: "Tests") + sources(below: "Examples/Tests")).map(\.text)
    for reason in try listedReasons() {
      #expect(
        texts.contains { $0.contains("\"\(reason)\"") }, "ci/skips.txt lists “\(reason)”, which no test gives"
      )
    }
  }
}

// MARK: - Counting

extension SkipsTests {
  /// Runs `ci/check-skips` on a recorded run in which tests were skipped.
  ///
  /// - Parameter lines: What another event stream holds.
  private func check(_ list: String, recording: String? = "serial", adding lines: String = "") throws
    -> CommandResult
  {
    let folder = try TemporaryFolder()
    let results = URL(fileURLWithPath: try folder.makeFolder("results"))
    let reasons = try folder.write(list, to: "reasons")
    if let recording {
      let inputs = ThisPackage.file("Tests/Fixtures/Inputs/\(recording)")
      for file in ["events.jsonl", "output.txt"] {
        try FileManager.default.copyItem(
          at: inputs.appendingPathComponent(file), to: results.appendingPathComponent(file))
      }
    }
    if !lines.isEmpty { try Data(lines.utf8).write(to: results.appendingPathComponent("more.jsonl")) }
    return try run(ThisPackage.file("ci/check-skips").path, reasons, results.path)
  }

  /// The reasons in the recording; of a test that cancels itself the event stream has none.
  private static let reasons = [
    "not today", "the whole suite", "No test cases found.", "cancelled, without a reason",
  ]

  private func list(_ reasons: some Sequence<String>, command: String = "false") -> String {
    "# a comment\n\n\(command)\n" + reasons.map { "  \($0)\n" }.joined()
  }

  @Test func whatMayBeSkippedIsCounted() throws {
    let result = try check(list(Self.reasons))
    #expect(result.status == 0, "\(result.output)")
    // Of XCTest one that skips itself; of Swift Testing a test, a suite of two, one without arguments, two cancelled.
    #expect(result.output.contains(" 7 of 40 tests were skipped"), "\(result.output)")
    #expect(result.output.contains("  2: not today"))
    #expect(result.output.contains("  2: the whole suite"))
  }

  @Test(arguments: ["not today", "the whole suite", "cancelled, without a reason"])
  func anotherReasonIsAFailure(reason: String) throws {
    let result = try check(list(Self.reasons.filter { $0 != reason }))
    #expect(result.status == 1)
    #expect(result.output.contains("“\(reason)” is no reason"), "\(result.output)")
  }

  @Test func whatCouldHaveRunIsAFailure() throws {
    let others = list(Self.reasons.filter { $0 != "the whole suite" })
    let result = try check(others + list(["the whole suite"], command: "true"))
    #expect(result.status == 1)
    #expect(result.output.contains("“the whole suite” is not so here: true"), "\(result.output)")
    #expect(result.output.contains("DisabledSuite/one()"))
  }

  @Test func aNameMayHoldLineSeparators() throws {
    let id = "M.S/`a\u{2028}b\u{85}c`()/S.swift:1:2"
    let lines = """
      {"kind":"test","payload":{"id":"\(id)","kind":"function"}}
      {"kind":"event","payload":{"kind":"testSkipped","messages":[{"symbol":"skip","text":"Test a skipped: \\"why\\""}],\
      "testID":"\(id)"}}

      """
    let result = try check(list(Self.reasons + ["why"]), adding: lines)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("  1: why"))
  }

  @Test func anEventStreamThatIsCutOffIsAFailure() throws {
    let result = try check(list(Self.reasons), adding: "{\"kind\":\"te")
    #expect(result.status == 1)
    #expect(result.output.contains("more.jsonl:1: this is no record"), "\(result.output)")
  }

  @Test func nothingThatRanIsAFailure() throws {
    #expect(try check(list(Self.reasons), recording: nil).status == 1)
  }
}
