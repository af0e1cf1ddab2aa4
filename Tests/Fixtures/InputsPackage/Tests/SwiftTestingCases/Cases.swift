import Foundation
import Testing

@Test func freePass() {}

@Test("A name for readers") func displayName() {
  #expect(1 == 1)
}

@Test func freeFail() {
  let sum = 1 + 1
  #expect(sum == 3, "sums < \"quoted\" & more")
}

@Test func `raw name: a/b, c.d (e)`() {
  #expect(Bool(false))
}

@Test func `raw & <passing> "name"`() {}

@Test(.disabled("not today")) func disabled() {}

@Test(.timeLimit(.minutes(1))) func slow() async throws {
  if ProcessInfo.processInfo.environment["SLOW"] != nil {
    try await Task.sleep(for: .seconds(90))
  }
}

@Suite("Orders of a shop") struct Orders {
  @Test func failsTwice() {
    #expect(1 == 2)
    #expect("a" == "b")
  }

  @Test func throwing() throws {
    throw Mistake(reason: "no \u{1B}[31mpens\u{1B}[0m")
  }

  @Test func requires() throws {
    let missing: Int? = nil
    _ = try #require(missing)
  }

  @Test func known() {
    withKnownIssue("to be fixed") { #expect(1 == 2) }
  }

  @Test func knownAndFailing() {
    withKnownIssue { #expect(1 == 2) }
    #expect(3 == 4)
  }

  @Test func warning() {
    Issue.record("only a warning", severity: .warning)
  }

  @Test func cancelled() throws {
    try Test.cancel("no network")
  }

  @Test func attaching() {
    Attachment.record("left by a passing test", named: "note.txt")
    #expect(1 == 1)
  }

  @Test func attachingAndFailing() {
    Attachment.record("left by a failing test", named: "note.txt")
    #expect(1 == 2)
  }

  @Test func crashWhenAsked() {
    if ProcessInfo.processInfo.environment["CRASH"] == "swift-testing" {
      let numbers: [Int] = []
      print(numbers[1])
    }
  }

  @Suite struct Inner {
    @Test func nested() {
      #expect(Bool(true))
    }

    @Test func nestedFail() {
      Issue.record("nested")
    }
  }

  struct `raw suite. with/slash` {
    @Test func plain() {}
    @Test func plainFail() { Issue.record("in a raw suite") }
  }
}

struct Mistake: Error {
  var reason: String
}

@Suite struct Parameters {
  @Test(arguments: [1, 2, 3]) func even(_ number: Int) {
    #expect(number.isMultiple(of: 2))
  }

  @Test(arguments: ["same", "same", "other"]) func equalDescriptions(text: String) {
    #expect(text != "same")
  }

  @Test(arguments: [1, 2], ["a", "b"]) func pairs(number: Int, letter: String) {
    #expect(number == 1 || letter == "a")
  }

  @Test(arguments: [1, 2]) func allPass(_ number: Int) {}

  @Test(arguments: [1, 2, 3]) func cancelledCase(_ number: Int) throws {
    if number == 2 { try Test.cancel("two is not supported") }
    #expect(number != 3)
  }

  @Test(arguments: [1, 2]) func knownCase(_ number: Int) {
    withKnownIssue(isIntermittent: true) { #expect(number == 1) }
  }

  @Test(arguments: [Int]()) func noArguments(_ number: Int) {}
}

@Suite(.disabled("the whole suite")) struct DisabledSuite {
  @Test func one() {}
  @Test func two() {}
}
