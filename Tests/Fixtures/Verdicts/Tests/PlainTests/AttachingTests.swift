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
