import Foundation
import Testing

/// Attach changes nothing that a test run says: the same tests, built with it and without it.
@Suite struct VerdictTests {
  @Test func xctestsSayTheSame() async throws {
    let attached = try await FixturePackage.verdicts.test(["--disable-swift-testing"])
    let plain = try await FixturePackage.verdictsWithoutAttach.test(["--disable-swift-testing"])
    #expect(attached.status == plain.status)
    let (left, right) = (Verdicts(of: attached.output).xctests, Verdicts(of: plain.output).xctests)
    #expect(left == right)
    #expect(left.count > 20, "failures and outcomes of eleven tests")
  }

  @Test func swiftTestingSaysTheSame() async throws {
    func events(_ package: FixturePackage) async throws -> (Int32, [String]) {
      let folder = try TemporaryFolder()
      let stream = folder.path + "/events.jsonl"
      let run = try await package.test(
        ["--disable-xctest", "--event-stream-output-path", stream, "--event-stream-version", "6.3"])
      return (run.status, try Verdicts.events(in: URL(fileURLWithPath: stream)))
    }
    let (attachedStatus, attached) = try await events(.verdicts)
    let (plainStatus, plain) = try await events(.verdictsWithoutAttach)
    #expect(attachedStatus == plainStatus)
    #expect(attached == plain)
    #expect(attached.count > 70)
  }
}

/// What runs say, without times, process numbers and order.
struct Verdicts {
  /// The outcomes of XCTests and their failures.
  let xctests: [String]

  init(of output: String) {
    let lines = output.split(separator: "\n").filter { line in
      line.contains(": error: ") || line.contains("' passed (") || line.contains("' failed (")
        || line.contains("' skipped (")
    }
    xctests = lines.map { String($0).replacing(/\([0-9.]+ seconds\)/, with: "") }.sorted()
  }

  /// Kind, test and message of every event, sorted.
  ///
  /// Issues that belong to no test are counted once: Swift Testing hands them to every configuration it knows at
  /// the moment, which is twice without any trait and more often while some trait handles an issue.
  static func events(in file: URL) throws -> [String] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .filter { $0.kind == "event" }
    let owned = events.filter { $0.payload.testID != nil }.map(\.summary)
    return (owned + Set(events.filter { $0.payload.testID == nil }.map(\.summary))).sorted()
  }

  private struct Line: Decodable {
    struct Payload: Decodable {
      struct Message: Decodable {
        var symbol: String
        var text: String
      }
      var kind: String
      var testID: String?
      var messages: [Message]?
    }
    var kind: String
    var payload: Payload

    var summary: String {
      let texts = (payload.messages ?? []).map { $0.symbol + $0.text }.joined(separator: " ")
      // Line numbers differ: the trait is a line of its own. So may the number of issues without a test.
      let test = (payload.testID ?? "").replacing(/\.swift:[0-9:]+$/, with: "")
      var text = texts.replacing(/[0-9.]+ seconds/, with: "")
      if payload.kind == "runEnded" { text = text.replacing(/with [0-9]+ issues/, with: "") }
      return "\(payload.kind) \(test) \(text)"
    }
  }
}
