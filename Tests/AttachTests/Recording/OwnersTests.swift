import Collector
import ExhibitStart
import Foundation
import TestSupport
import Testing

@testable import Attach

/// Whose each statement is, although nobody is asked as long as the answer is known.
@Suite struct OwnersTests {
  /// Of no test that has begun.
  private let scopes = (1...2).map { number in
    TestScope(
      id: TestCaseID(module: "M", suite: [], name: "owner\(number)()"),
      start: TestStart(framework: .swiftTesting),
      serial: 1_000_000 + number)
  }
  private let connection: TestConnection

  init() throws {
    connection = try TestConnection(":memory:")
  }

  private static func run(_ mark: String, on connection: TestConnection) throws {
    try connection.execute("SELECT 1 AS \(mark)")
  }

  /// The serials of the tests whose statements the ring of this process has, by their marks with this end.
  private func owners(_ end: String) throws -> [Substring: Int] {
    var copy: UnsafeMutableRawPointer?
    let count = exhibit_trace_copy(&copy)
    defer { free(copy) }
    let image = try TraceImage(UnsafeRawBufferPointer(start: copy, count: count))
    var owners: [Substring: Int] = [:]
    for record in image.records {
      guard case .step(let step) = record.content, let text = image.texts[step.text]?.text,
        let mark = text.split(separator: " ").last, mark.hasSuffix(end)
      else { continue }
      owners[mark.dropLast(end.count)] = record.test
    }
    return owners
  }

  /// What a body's marks were recorded as; again where another test had the ring cleared meanwhile.
  private func owners(
    of count: Int, _ body: (_ end: String) async throws -> Void
  ) async throws -> [Substring: Int] {
    var found: [Substring: Int] = [:]
    for _ in 0..<20 where found.count < count {
      let end = "_" + UUID().uuidString.replacing("-", with: "")
      try await body(end)
      found = try owners(end)
    }
    #expect(found.count == count)
    return found
  }

  private struct Turn: Sendable {
    var mark: String
    var done: CheckedContinuation<Void, Never>
  }

  /// A task that ended may have been at the address at which one of another test begins, and no test begins or ends in
  /// between.
  @Test func tasksOfTestsThatTakeTurnsAreTheirOwn() async throws {
    let connection = connection
    let turns = scopes.map { scope in
      let (stream, turns) = AsyncStream<Turn>.makeStream()
      Task {
        try await scope.run {
          for await turn in stream {
            await Task { try? Self.run(turn.mark, on: connection) }.value
            turn.done.resume()
          }
        }
      }
      return turns
    }
    let owners = try await owners(of: 100) { end in
      for number in 0..<50 {
        for (index, turns) in turns.enumerated() {
          await withCheckedContinuation { turns.yield(Turn(mark: "of\(index)_\(number)\(end)", done: $0)) }
        }
      }
    }
    turns.forEach { $0.finish() }
    for (mark, owner) in owners { #expect(owner == scopes[mark.hasPrefix("of0") ? 0 : 1].serial, "\(mark)") }
  }

  @Test func inOneTaskItChangesWithTheScope() async throws {
    let own = try #require(TestScope.running).serial
    let (scope, connection) = (scopes[0], connection)
    let owners = try await owners(of: 6) { end in
      try Self.run("before" + end, on: connection)
      try await scope.run {
        try Self.run("inside" + end, on: connection)
        await Task.detached { try? Self.run("detached" + end, on: connection) }.value
        DispatchQueue(label: "other").sync { try? Self.run("sync" + end, on: connection) }
        try Self.run("again" + end, on: connection)
      }
      try Self.run("behind" + end, on: connection)
    }
    #expect(owners["before"] == own && owners["behind"] == own)
    #expect(owners["inside"] == scope.serial && owners["again"] == scope.serial)
    #expect(owners["sync"] == scope.serial, "it runs on this thread")
    #expect(owners["detached"] == 0)
  }
}
