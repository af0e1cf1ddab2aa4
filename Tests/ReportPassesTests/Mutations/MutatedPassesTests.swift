import Collector
import Testing

@testable import ReportCauses
@testable import ReportModel
@testable import ReportPasses
@testable import ReportStory

/// One step of a pass is changed, and all that follows from it happens in SQLite: the comparison names that step.
@Suite struct MutatedPassesTests {
  /// A program, and how one of its statements is changed.
  struct Case: Sendable, CustomStringConvertible {
    var kind: MutatedProgram.Kind
    var seed: UInt64

    var description: String { "\(kind.rawValue) \(seed)" }
  }

  enum Verdict {
    case right
    /// Another step; certain though it is none that is other only by the change.
    case wrong(isCertain: Bool, words: String)
  }

  private static let cases = MutatedProgram.Kind.allCases.flatMap { kind in
    (1...30).map { Case(kind: kind, seed: UInt64($0)) }
  }

  @Test func theStepThatWasChangedIsNamed() throws {
    let cases = LongTests.some(of: Self.cases)
    var (wrong, discarded): ([String], Int) = ([], 0)
    for test in cases {
      switch try Self.verdict(on: test, &discarded) {
      case .right: break
      case .wrong(let isCertain, let words):
        wrong.append("\(test): \(words)")
        #expect(!isCertain, "\(test): \(words)")
      }
    }
    // 145 of 150.
    #expect(wrong.count * 30 <= cases.count, "\(wrong.joined(separator: "\n"))")
    #expect(discarded > 0, "changes that the last read does not show")
  }

  /// What varies from run to run is never said to be the cause for sure.
  @Test func noiseAloneIsNotCertain() throws {
    for test in LongTests.some(of: Self.cases, from: 1) {
      let setting = Setting(test)
      let found = try setting.comparison(setting.program.actions, message: ("1", "2"))
      #expect(found.explanation?.certainty != .certain, "\(test): \(found.explanation?.text ?? "")")
    }
  }

  /// - Parameter discarded: Counts changes that the last read does not show.
  private static func verdict(on test: Case, _ discarded: inout Int) throws -> Verdict {
    // Some programs have no statement of which such a change reaches the last read.
    for attempt in 0..<60 {
      let setting = Setting(test, attempt)
      var random = SeededGenerator(seed: test.seed &* 31 &+ UInt64(attempt))
      let pass = try setting.run(setting.program.actions, setting.passed)
      let noisy = try setting.run(setting.program.actions, setting.failed)
      #expect(noisy.last == pass.last, "\(test) \(attempt): the noise changes what is read")
      for mutated in MutatedProgram.all(test.kind, of: setting.program, &random) {
        // A statement may become one that SQLite does not take.
        guard let failed = try? setting.run(mutated.actions, setting.failed), failed.last != pass.last,
          try setting.run(mutated.actions, setting.passed).last == failed.last
        else {
          discarded += 1
          continue
        }
        return try setting.verdict(on: mutated)
      }
    }
    return .wrong(isCertain: false, words: "no change has an effect")
  }
}

/// The program of a case, and what is other in its two runs.
private struct Setting {
  let program: ShopProgram
  let (failed, passed): (Noise, Noise)
  private let hasSchema: Bool
  private let hasPlaces: Bool

  init(_ test: MutatedPassesTests.Case, _ attempt: Int = 0) {
    let place = UInt64(MutatedProgram.Kind.allCases.firstIndex(of: test.kind) ?? 0)
    let seed = test.seed + 1000 * place + 100 * UInt64(attempt)
    (hasSchema, hasPlaces) = (seed % 3 > 0, seed % 4 != 0)
    program = ShopProgram(seed: seed, makesSchema: !hasSchema)
    failed = Noise(seed: 2 * seed, start: 1_795_000_000)
    passed = Noise(seed: 2 * seed + 1, start: 1_794_000_000 + Double(seed))
  }

  func run(_ actions: [Action], _ noise: Noise, at path: String = ":memory:") throws -> ProgramRun {
    try ProgramRun(noise.applied(to: actions), noise, at: path, hasSchema: hasSchema)
  }

  /// Again where another test had the ring cleared meanwhile.
  private func recorded(_ actions: [Action], _ noise: Noise, in folder: TemporaryFolder) throws -> ProgramRun
  {
    for attempt in 0..<5 {
      if let run = try? self.run(actions, noise, at: try folder.makeFolder("\(attempt)") + "/shop.sqlite") {
        return run
      }
    }
    return try run(actions, noise, at: folder("shop.sqlite"))
  }

  typealias Found = (
    comparison: PassComparison, explanation: Explanation?, failed: ProgramRun, passed: ProgramRun
  )

  func comparison(_ actions: [Action], message: (String, String)? = nil) throws -> Found {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let run = try recorded(actions, failed, in: folder)
    let pass = try recorded(program.actions, passed, in: other)
    let functions = hasPlaces ? functions(actions) : nil
    let sides = message ?? (Self.text(run.last), Self.text(pass.last))
    let text = #"XCTAssertEqual failed: ("\#(sides.0)") is not equal to ("\#(sides.1)") - "#
    let told = try run.told(failing: text, functions: functions)
    let files = told.schema.map { [CapturedFile(database: 0, schema: $0)] } ?? []
    let causes = Causes(told.told, files: files, message: text)
    let before = try pass.told(failing: nil, functions: functions).told
    let compared = ComparePasses(told.told, causes.failingReads, began: failed.start) { _ in nil }
      .compare(with: [ToldPass(origin: .rerun, began: passed.start, told: before)])
    let found = try #require(compared)
    return (found.comparison, found.explanation, run, pass)
  }

  private static func text(_ rows: [[ProgramRun.Cell]]) -> String {
    if rows.count == 1, let row = rows.first, row.count == 1 { return row[0].text }
    return "[" + rows.map { "\"\($0[0].text)\"" }.joined(separator: ", ") + "]"
  }

  /// Statements that are written alike stand in one function.
  private func functions(_ actions: [Action]) -> (Int) -> Int {
    var (numbers, texts): ([Int: Int], [String: Int]) = ([:], [:])
    for action in (program.actions + actions).flatMap({ [$0] + $0.each }) where numbers[action.tag] == nil {
      texts[action.sql] = texts[action.sql] ?? texts.count + 1
      numbers[action.tag] = texts[action.sql]
    }
    return { [numbers] tag in numbers[tag] ?? 900 - tag }
  }

  func verdict(on mutated: MutatedProgram) throws -> MutatedPassesTests.Verdict {
    let found = try comparison(mutated.actions)
    guard let explanation = found.explanation, let first = found.comparison.first else {
      return .wrong(isCertain: false, words: "\(mutated.words): nothing is named")
    }
    let row = found.comparison.rows[first]
    let (now, then) = (
      row.failed.flatMap { found.failed.tag($0.number) }, row.passed.flatMap { found.passed.tag($0.number) }
    )
    let tag = now ?? then ?? 0
    if mutated.changed.contains(tag) || isSame(row, as: mutated, found)
      || isEffect(explanation, of: mutated, found)
    {
      return .right
    }
    // What follows from the change is what is other where everything else is the same.
    let folder = try TemporaryFolder()
    let follows = try recorded(mutated.actions, passed, in: folder).effects[tag] != found.passed.effects[tag]
    return .wrong(
      isCertain: explanation.certainty == .certain && !follows,
      words: "\(mutated.words), \(mutated.changed.sorted()): \(tag): \(explanation.text)")
  }

  /// True where a statement is written otherwise in all places, and the changed step is told as the first one that did
  /// something else for it.
  private func isEffect(_ explanation: Explanation, of mutated: MutatedProgram, _ found: Found) -> Bool {
    found.failed.steps(of: mutated.changed).contains { step in
      explanation.text.contains("the first to do something else is step \(step.number),")
    }
  }

  /// True where a step was added or left out beside another that did exactly the same: nobody can tell which of them it is.
  private func isSame(_ row: PassComparison.Row, as mutated: MutatedProgram, _ found: Found) -> Bool {
    guard row.failed == nil || row.passed == nil else { return false }
    let steps = found.failed.steps(of: mutated.changed) + found.passed.steps(of: mutated.changed)
    return steps.contains { ($0.expanded ?? $0.sql) == (row.failed ?? row.passed)?.statement }
  }
}

extension ProgramRun {
  fileprivate func steps(of tags: Set<Int>) -> [RecordedStory.Step] {
    zip(self.tags, recorded.steps).filter { tags.contains($0.0) }.map(\.1)
  }
}
