import Collector
import ExhibitSystem
import Testing

@testable import Attach

/// Which case of a parameterised test runs, as Swift Testing itself tells it apart.
@Suite struct CaseArgumentsTests {
  private static let numbers = Locked(CaseOrdinals())

  @Test(arguments: [1, 2], ["a"]) func argumentsReadAsSwiftTestingPrintsThem(number: Int, word: String) throws
  {
    let id = try TestCaseID(#require(Test.current), case: Test.Case.current)
    #expect(id.argument?.description == "\(number), \"\(word)\"")
    #expect(id.name == "argumentsReadAsSwiftTestingPrintsThem(number:word:)")
    #expect(id.suite == ["CaseArgumentsTests"])
    #expect(id.module == "AttachTests")
  }

  @Test(.serialized, arguments: ["same", "same", "other"]) func equalArgumentsDifferByOrdinal(word: String)
    throws
  {
    let testCase = try #require(Test.Case.current)
    let id = try TestCaseID(#require(Test.current), case: testCase)
    let first = Self.numbers.withLock { $0.ordinal(of: id, testCase) }
    let again = Self.numbers.withLock { $0.ordinal(of: id, testCase) }
    #expect(first == again, "the same case, run again, keeps its ordinal")
    #expect(first == 0 || word == "same" && first == 1)
  }

  private static let begun = Locked<[(number: Int, testCase: Test.Case)]>([])

  @Test(.serialized, arguments: (0..<3).map(Unnamed.init))
  func equalArgumentsAreCountedAsPlannedHoweverTheyBegin(argument: Unnamed) throws {
    let id = try TestCaseID(#require(Test.current), case: Test.Case.current)
    let testCase = try #require(Test.Case.current)
    let begun = Self.begun.withLock { cases in
      cases.append((argument.number, testCase))
      return cases
    }
    var ordinals = CaseOrdinals()
    for (number, testCase) in begun.reversed() {
      #expect(ordinals.ordinal(of: id, testCase) == number)
    }
  }

  @Test(.serialized, arguments: [Alike(number: 1), Alike(number: 2), Alike(number: 1)])
  func argumentsThatOnlyReadAlikeHaveOrdinalsOfTheirOwn(argument: Alike) throws {
    let id = try TestCaseID(#require(Test.current), case: Test.Case.current)
    let testCase = try #require(Test.Case.current)
    let ordinal = Self.numbers.withLock { $0.ordinal(of: id, testCase) }
    let isNew = Self.ordinals.withLock { $0.insert(ordinal).inserted }
    #expect(isNew && (0..<3).contains(ordinal))
  }

  private static let ordinals = Locked<Set<Int>>([])

  /// As when it opens a database, whose opener is asked for.
  @Test(arguments: [Inquisitive()]) func aDescriptionMayAskWhichCaseRuns(argument: Inquisitive) throws {
    let id = try TestCaseID(#require(Test.current), case: Test.Case.current)
    #expect(id.argument?.description == "of aDescriptionMayAskWhichCaseRuns(argument:), without an argument")
  }

  @Test func `a raw name / with: marks`() throws {
    let id = try TestCaseID(#require(Test.current), case: Test.Case.current)
    #expect(id.name == "`a raw name / with: marks`()")
    #expect(id.argument == nil)
  }
}

struct Inquisitive: CustomTestStringConvertible {
  var testDescription: String {
    guard let test = Test.current else { return "of nobody" }
    let id = TestCaseID(test, case: Test.Case.current)
    return "of \(id.name), \(id.argument.map { "with \($0.description)" } ?? "without an argument")"
  }
}

/// Arguments that nothing tells apart but their places in the plan.
struct Unnamed: CustomTestStringConvertible {
  let number: Int
  var testDescription: String { "unnamed" }
}

/// Arguments that Swift Testing tells apart by what they encode, and whose descriptions are equal.
struct Alike: CustomTestStringConvertible, Codable {
  let number: Int
  var testDescription: String { "alike" }
}
