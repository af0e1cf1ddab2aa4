import Synchronization
import Testing

/// Tests that ask for evidence, in a suite without the trait.
@Suite struct AttachingTests {
  @Test func attaches() {
    attach(.text("{}", named: "response.json"))
    attachOnFailure(.text("late", named: "late.txt"))
    Issue.record("with attachments")
  }

  @Test func attachesAndPasses() {
    attach(.text("{}", named: "dropped.json"))
    attach(.text("{}", named: "kept.json"), keep: .always)
  }

  @Test func attachesOutside() async {
    await Task.detached { attach(.text("{}", named: "outside.json")) }.value
  }

  @Test(arguments: [1, 2]) func attachesInACase(number: Int) {
    attach(.text("\(number)", named: "\(number).txt"))
    #expect(number == 1)
  }

  @Test func marksABaseline() {
    let notes = Notes("before")
    markBaseline()
    notes.add("after")
    #expect(1 == 2)
    notes.stayOpen()
  }

  @Test func excludes() {
    excludeFromEvidence(tables: ["secret"])
    let notes = Notes("open")
    notes.run("CREATE TABLE secret(word); INSERT INTO secret VALUES ('XYZZY-PLUGH')")
    #expect(1 == 2)
    notes.stayOpen()
  }

  /// The only one here with the trait.
  @Test(.attachOnFailure(.text("traited", named: "trait.txt"), excludingTables: ["secret"]))
  func hasTheTrait() {
    let notes = Notes("traited")
    notes.run("CREATE TABLE secret(word); INSERT INTO secret VALUES ('XYZZY-PLUGH')")
    #expect(1 == 2)
    notes.stayOpen()
  }

  @Test(.attachOnFailure, arguments: [1, 2, 3]) func hasTheTraitInEachCase(number: Int) throws {
    let notes = Notes("case \(number)")
    defer { notes.stayOpen() }
    if number == 2 { throw Refused() }
    #expect(number == 1)
  }
}

/// One test fails, and another one excludes tables before it ends: what the first did is told all the same.
@Suite struct ExcludingTests {
  private static let hasFailed = Atomic(false)
  private static let hasExcluded = Atomic(false)

  /// At most two seconds: one by one the other test is never there.
  private func wait(for flag: borrowing Atomic<Bool>) async throws {
    for _ in 0..<200 where !flag.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func failsBeforeAnotherExcludes() async throws {
    let notes = Notes("told")
    notes.add("and kept")
    #expect(1 == 2)
    Self.hasFailed.store(true, ordering: .relaxed)
    try await wait(for: Self.hasExcluded)
    notes.stayOpen()
  }

  @Test func excludesMeanwhile() async throws {
    try await wait(for: Self.hasFailed)
    excludeFromEvidence(tables: ["unheard_of"])
    Self.hasExcluded.store(true, ordering: .relaxed)
  }
}
