package import Collector
import ExhibitSystem
import ReportCauses
package import ReportModel
import ReportPasses
import ReportReading
import ReportRendering
package import ReportStory

/// Two runs whose steps of a test are compared, for `reporter diff --story`.
package struct ComparedRuns {
  let names: (a: String, b: String)
  private let runs: (a: [RunInputs], b: [RunInputs])
  private let includesRows: Bool
  private let say: @Sendable (String) -> Void

  package init(
    _ a: String, _ b: String, includesRows: Bool, say: @escaping @Sendable (String) -> Void
  ) throws(Refusal) {
    names = (a, b)
    (self.includesRows, self.say) = (includesRows, say)
    runs = (try Self.read(a), try Self.read(b))
  }

  private static func read(_ name: String) throws(Refusal) -> [RunInputs] {
    try Refusal.catching(Refusal.noInput) {
      if FileSystem.status(name) != nil { return try readRuns([name], choice: .newest) }
      return try readRuns(inputsOrArtifacts([]), choice: .named(name))
    }
  }

  package var tests: [TestRecord] { RunJoin(runs.a).tests }

  // MARK: - One test

  /// Compares what one test did in the first run with the second, or throws without steps of both.
  package func comparison(of id: TestCaseID) throws(Refusal) -> PassComparison {
    guard
      let other = passes(of: id, in: runs.b, named: names.b).first ?? failed(id, in: runs.b, named: names.b)
    else {
      throw missing(id, in: names.b)
    }
    if tests.first(where: { $0.id == id })?.hasFailedOnce == true {
      var lookup = ReportLookup()
      (lookup.includesRows, lookup.passed) = (includesRows, [id: [other]])
      guard let found = try lookup.contents(of: id, in: runs.a).stories[id]?.comparison else {
        throw missing(id, in: names.a)
      }
      return found
    }
    guard let pass = passes(of: id, in: runs.a, named: names.a).first,
      let found = Self.compare(pass, other)
    else { throw missing(id, in: names.a) }
    return includesRows ? found : found.withoutValues
  }

  private func missing(_ id: TestCaseID, in name: String) -> Refusal {
    .noInput(
      "\(name) has no steps of \(id): those of a test that passed are recorded by reporter test, or with EXHIBIT_RECORD_PASSES=on."
    )
  }

  private func passes(of id: TestCaseID, in runs: [RunInputs], named name: String) -> [PassedRun] {
    var remarks = Remarks()
    let found = runs.compactMap(\.folder).flatMap {
      RecordedPasses(of: $0, origin: .run(name)).passes(of: id, &remarks)
    }
    for notice in remarks.notices { say(notice.message) }
    return found
  }

  /// The story of a failed test, in the form of a pass.
  private func failed(_ id: TestCaseID, in runs: [RunInputs], named name: String) -> PassedRun? {
    guard let test = RunJoin(runs).tests.first(where: { $0.id == id }) else { return nil }
    for evidence in test.observed.reversed() where evidence.kind == .story {
      guard case .file(let path) = evidence.content, case .success(let file) = ContainedFile.open(path) else {
        continue
      }
      do {
        return PassedRun(
          origin: .run(name), began: test.span?.start, folder: path.folder, lines: Array(try file.contents()))
      } catch {
        say("\(id): The story cannot be read. \(error)")
      }
    }
    return nil
  }

  // MARK: - All tests that passed in both

  package func differing() -> (tests: [(id: TestCaseID, comparison: PassComparison)], count: Int) {
    func recorded(_ runs: [RunInputs], _ name: String) -> [RecordedPasses] {
      runs.compactMap(\.folder).map { RecordedPasses(of: $0, origin: .run(name)) }
    }
    let (one, two) = (recorded(runs.a, names.a), recorded(runs.b, names.b))
    let common = Set(one.flatMap(\.tests)).intersection(two.flatMap(\.tests)).sorted()
    var found: [(id: TestCaseID, comparison: PassComparison)] = []
    for id in common {
      guard let pass = one.lazy.flatMap({ $0.passes(of: id) }).first,
        let other = two.lazy.flatMap({ $0.passes(of: id) }).first,
        let comparison = Self.compare(pass, other), comparison.isDifferent
      else { continue }
      found.append((id, includesRows ? comparison : comparison.withoutValues))
    }
    return (found, common.count)
  }

  private static func compare(_ pass: PassedRun, _ other: PassedRun) -> PassComparison? {
    let lookup = PassesLookup()
    guard let pass = lookup.told(pass, path: { $0 }) else { return nil }
    let reads = FailingReads(steps: [], tables: [], allTables: [])
    return ComparePasses(pass.told, reads, began: pass.began, hasFailed: false) { _ in nil }
      .compare(with: lookup.candidates([other], path: { $0 }))?.comparison
  }
}

extension PassComparison {
  package var isDifferent: Bool { different > 0 || isTooDifferent }
}
