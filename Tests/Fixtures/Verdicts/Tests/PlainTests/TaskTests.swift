import Dispatch
import Foundation
import Synchronization
import Testing

/// Databases that are opened elsewhere than on the test's own task.
@Suite struct TaskTests {
  @Test func inAChild() async {
    async let opened = Notes("in a child")
    let notes = await opened
    #expect(1 == 2)
    notes.stayOpen()
  }

  @Test func inAGroup() async {
    let all = await withTaskGroup(of: Notes.self) { group in
      for number in 0..<3 { group.addTask { Notes("in a group \(number)") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(1 == 2)
    for notes in all { notes.stayOpen() }
  }

  @Test func failsInAChild() async {
    let notes = Notes("of the test")
    await withTaskGroup { group in
      group.addTask {
        let own = Notes("of the child")
        #expect(1 == 2)
        own.stayOpen()
      }
    }
    notes.stayOpen()
  }

  @Test func onAQueue() async {
    let notes = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Notes("on a queue")) }
    }
    // Opened by nobody known; the test's by its use.
    notes.add("by the test")
    #expect(1 == 2)
    notes.stayOpen()
  }
}

/// A database that tests at once use, none of which opened it.
@Suite struct SharedNotesTests {
  private static let shared = Notes()

  @Test(arguments: 0..<6) func usedAtOnce(number: Int) async {
    for _ in 0..<20 {
      Self.shared.add("\(number)")
      await Task.yield()
    }
    #expect(number % 2 == 0)
  }
}

/// Tasks that outlive their tests, and write and fail while the next one runs.
@Suite(.serialized) struct OutlivingTests {
  private static let hasNextBegun = Atomic(false)
  private static let hasWritten = Atomic(false)
  private static let hasFailed = Atomic(false)

  @Test func leavesATaskBehind() {
    // Of an earlier repetition.
    Self.hasNextBegun.store(false, ordering: .releasing)
    Self.hasWritten.store(false, ordering: .releasing)
    Self.hasFailed.store(false, ordering: .releasing)
    let notes = Notes("left behind")
    Task {
      await Self.wait(for: Self.hasNextBegun)
      notes.add("after its test")
      Notes("opened after its test").stayOpen()
      Self.hasWritten.store(true, ordering: .releasing)
      // Open until the next one has failed.
      try await Task.sleep(for: .milliseconds(500))
      notes.stayOpen()
    }
  }

  @Test func failsLater() {
    Task {
      await Self.wait(for: Self.hasNextBegun)
      Issue.record("after its test")
      Self.hasFailed.store(true, ordering: .releasing)
    }
  }

  @Test func runsMeanwhile() async {
    let notes = Notes("its own")
    Self.hasNextBegun.store(true, ordering: .releasing)
    await Self.wait(for: Self.hasWritten)
    await Self.wait(for: Self.hasFailed)
    #expect(1 == 2)
    notes.stayOpen()
  }

  private static func wait(for flag: borrowing Atomic<Bool>) async {
    for _ in 0..<2000 where !flag.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
