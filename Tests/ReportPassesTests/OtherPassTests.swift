import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportCauses
@testable import ReportPasses
@testable import ReportStory
@testable import ReportTestSupport

/// With which of several passes a failed run is compared, and with which test beside it where there is none.
@Suite struct OtherPassTests {
  private static let sum = "SELECT sum(units) FROM bin"
  private static let commit = String(repeating: "a", count: 40)

  private func told(_ write: Runs.Written) throws -> ToldSteps {
    var written = WrittenStory()
    write(&written)
    written.end()
    let recorded = try #require(StoryFile(written.bytes).story)
    return StoryBuilder(recorded, issues: [], schemas: [], inspections: [:], path: { $0 }).toldSteps()
  }

  private func pass(_ origin: PassOrigin, _ write: Runs.Written) throws -> ToldPass {
    ToldPass(origin: origin, began: nil, told: try told(write))
  }

  private func history(_ date: Double, commit: String? = commit, isDirty: Bool = false) -> PassOrigin {
    .history(EarlierRun(commit: commit, isDirty: isDirty, date: date))
  }

  private func comparing(_ failed: Runs.Written) throws -> ComparePasses {
    let told = try told(failed)
    return ComparePasses(told, Causes(told, files: [], message: "").failingReads, began: nil) { _ in nil }
  }

  private static func bins(_ units: Int...) -> Runs.Written {
    { story in
      for (index, units) in units.enumerated() { story.bin(index + 1, "A", units) }
      story.read(sum, units.reduce(0, +))
    }
  }

  /// Steps of which no other story has any.
  private static let others: @Sendable (inout WrittenStory) -> Void = { story in
    for number in 1...9 { story.step("UPDATE other\(number) SET a = 1", changed: 1) }
  }

  // MARK: - Several passes

  @Test func aPassWithTooLittleInCommonIsPassedOverForAnOlderOne() throws {
    let (last, older) = (history(2), history(1, commit: String(repeating: "b", count: 40)))
    let found = try comparing(Self.bins(1, 2, 3)).compare(with: [
      try pass(last, Self.others), try pass(older, Self.bins(1, 2, 4)),
    ])
    let comparison = try #require(found?.comparison)
    #expect(comparison.origin == older && comparison.passedOver == [last])
    #expect(!comparison.isTooDifferent && comparison.different == 2)
  }

  @Test func whereAllHaveTooLittleInCommonTheLastOneIsNamed() throws {
    let found = try comparing(Self.bins(1, 2, 3)).compare(with: [
      try pass(history(2), Self.others), try pass(history(1), Self.others),
    ])
    let comparison = try #require(found?.comparison)
    #expect(comparison.origin == history(2) && comparison.isTooDifferent && comparison.passedOver.isEmpty)
  }

  @Test func aPassThatCannotBeReadIsPassedOver() throws {
    let older = try pass(history(1), Self.bins(1, 2, 4))
    let found = try comparing(Self.bins(1, 2, 3)).compare(with: [
      PassCandidate(origin: history(2)) { nil }, PassCandidate(origin: older.origin) { older },
    ])
    #expect(found?.comparison.origin == older.origin)
  }

  @Test(arguments: [(false, 1), (true, 2)])
  func onlyTwoPassesOfOneCommitTellWhatVaries(isDirty: Bool, different: Int) throws {
    func story(_ text: String, _ units: Int) -> Runs.Written {
      {
        $0.log(text); $0.bin(1, "A", units)
      }
    }
    let found = try comparing(story("one", 1)).compare(with: [
      try pass(history(2, isDirty: isDirty), story("two", 2)),
      try pass(history(1, isDirty: isDirty), story("three", 2)),
    ])
    #expect(found?.comparison.different == different)
  }

  // MARK: - Tests beside it

  private func sibling(_ name: String) throws -> PassOrigin {
    .sibling(TestCaseID(module: "ShopTests", suite: ["BinTests"], name: name))
  }

  @Test func theTestThatDoesMostOfTheSameIsToldWithTheStepThatItTookOtherwise() throws {
    let failed: Runs.Written = {
      $0.bin(1, "A", 2)
      $0.bin(2, "B", 3)
      $0.step("UPDATE bin SET units = 0 WHERE code = ?", changed: 0)
      $0.read(Self.sum, 5)
    }
    let found = try comparing(failed).compare(withSiblings: [
      PassCandidate(origin: sibling("testOther")) { try? pass(sibling("testOther"), Self.others) },
      PassCandidate(origin: sibling("testEmpty")) {
        try? pass(sibling("testEmpty")) {
          $0.bin(1, "X", 7)
          $0.bin(2, "Y", 8)
          $0.step("UPDATE bin SET units = 0 WHERE code = ?", changed: 2)
          $0.read(Self.sum, 0)
        }
      },
    ])
    #expect(found?.explanation == nil, "it is no cause")
    #expect(
      found?.comparison.surroundings
        == " testEmpty, which passed, does the same up to step 2. At step 3 “UPDATE bin SET units = 0 WHERE code = ?” changed 0 rows, 2 there."
    )
    #expect(found?.comparison.different == 1 && found?.comparison.alike == 3)
  }

  @Test func aTestThatSharesLittleOrDoesAllOfItIsNotTold() throws {
    let few: Runs.Written = {
      $0.bin(1, "A", 2)
      for number in 1...4 { $0.step("UPDATE other\(number) SET a = 1", changed: 1) }
    }
    for (failed, passed) in [(few, Self.bins(1)), (Self.bins(1, 2), Self.bins(3, 4))] {
      let candidate = PassCandidate(origin: try sibling("testOther")) {
        try? pass(sibling("testOther"), passed)
      }
      #expect(try comparing(failed).compare(withSiblings: [candidate]) == nil)
    }
    #expect(try comparing(few).compare(withSiblings: []) == nil)
  }
}
