import Foundation
import Testing

/// An argument with a description of somebody's own.
struct Named: Sendable, CustomTestStringConvertible {
  var number: Int
  var testDescription: String { "named" }
}

/// Parameterised tests without a trait.
@Suite struct CaseTests {
  @Test(arguments: 0..<30) func numbers(number: Int) async {
    let notes = Notes("\(number)")
    await Task.yield()
    #expect(number % 3 != 0)
    notes.stayOpen()
  }

  @Test(arguments: [1, 2], ["a", "b"]) func pairs(number: Int, letter: String) {
    let notes = Notes("\(number)\(letter)")
    #expect(number == 1 || letter == "a")
    notes.stayOpen()
  }

  @Test(arguments: ["same", "same"]) func equal(word: String) {
    let notes = Notes(word)
    #expect(word == "other")
    notes.stayOpen()
  }

  @Test(arguments: [Named(number: 1), Named(number: 2), Named(number: 3)]) func described(argument: Named) {
    let notes = Notes("\(argument.number)")
    #expect(argument.number == 2)
    notes.stayOpen()
  }

  @Test(arguments: [1, 2]) func touchesNothing(number: Int) { #expect(number == 1) }
  @Test(arguments: [1, 2]) func passesAndTouchesNothing(number: Int) {}
  @Test(arguments: [Int]()) func hasNoCases(number: Int) {}

  @Test(arguments: [1, 2, 3]) func throwsAtItsEnd(number: Int) throws {
    do { Notes("closed \(number)").stayOpen() }
    if number != 2 { throw Refused() }
  }

  @Test(arguments: [1, 2, 3]) func cancels(number: Int) throws {
    let notes = Notes("\(number)")
    defer { notes.stayOpen() }
    if number == 2 { try Test.cancel("not this one") }
    #expect(number == 1)
  }

  @Test(arguments: try refusedArguments()) func argumentsThrow(number: Int) {}
}

private func refusedArguments() throws -> [Int] { throw Refused() }
