import Collector
import ReportHistory
import ReportModel
import ReportPasses
import ReportPlaces
import ReportReading

/// Gives a history what tests did that passed, with its places, and what varied between two passes of a test.
struct PassKeeping {
  let sourceRoot: SourceRoot
  let runs: [RunFolder]
  /// The passes of tests that failed, as they are compared.
  let compared: PassesLookup
  /// The folder in which files may be made.
  let folder: String

  /// With so many addresses of a run the stacks of further tests are kept without places.
  private static let mostAddresses = 50_000
  /// The bytes of stories that are held beside each other for what varies: a debug build takes some seconds for them.
  private static let mostBytes = 4 << 20
  /// The passes of the history that are looked at for that.
  private static let mostEarlier = 400

  /// - Parameter tests: The tests of the run.
  func add(_ tests: [TestResult], to added: inout KeptRun, _ history: HistoryLookup) {
    var passed = PassesLookup()
    for run in runs {
      let recorded = RecordedPasses(of: run, origin: .rerun)
      for test in tests where test.outcome == .passed && recorded.tests.contains(test.id) {
        let passes = recorded.passes(of: test.id)
        if !passes.isEmpty { passed.passes[test.id] = passes }
      }
    }
    // A report on tests that failed says why places are missing.
    _ = passed.findPlaces(sourceRoot, most: Self.mostAddresses)
    var kept = KeptPlaces()
    for (test, passes) in passed.passes.sorted(by: { $0.key < $1.key }) {
      guard let pass = passes.first else { continue }
      let story = kept.keep(pass.lines, passed.places[pass.folder] ?? CodePlaces())
      added.add(pass: story, of: test, began: pass.began)
    }
    if let places = kept.places { added.set(places: PlacesFile.bytes(of: places)) }
    addVariations(passed, to: &added, history)
  }

  /// Compares two passes of the run, or the run's pass with an earlier one of the same commit; first those that were not
  /// compared for the longest time.
  private func addVariations(_ passed: PassesLookup, to added: inout KeptRun, _ history: HistoryLookup) {
    // A file that cannot be read is told with the tests' pasts; a new one is not there yet.
    let known = (try? history.history.variations(label: added.run.label)) ?? [:]
    var all = passed
    all.merge(compared)
    let tests = all.passes.keys.map { ($0, known[$0.historyIdentity]?.number ?? -1) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    let earlier = earlierPasses(of: tests.filter { passed.passes[$0]?.count == 1 }, added.run, history)
    var room = Self.mostBytes
    for test in tests where room > 0 {
      let passes = (all.passes[test] ?? []).filter { !$0.origin.isHistory }
      guard
        let (later, first) = Self.twoOfOneOrigin(passes)
          ?? earlier.passes[test]?.first.flatMap({ first in
            passes.first.map { ($0, first) }
          })
      else { continue }
      room -= later.lines.count + first.lines.count
      let told =
        all.told([later], path: sourceRoot.relative)
        + (first.origin.isHistory ? earlier : all)
        .told([first], path: sourceRoot.relative)
      guard told.count == 2 else { continue }
      added.variations[test] = told[0].variations(
        to: told[1], known: known[test.historyIdentity]?.varied ?? [])
    }
  }

  private static func twoOfOneOrigin(_ passes: [PassedRun]) -> (PassedRun, PassedRun)? {
    for (index, pass) in passes.enumerated() {
      if let other = passes[(index + 1)...].first(where: { $0.origin == pass.origin }) {
        return (pass, other)
      }
    }
    return nil
  }

  private func earlierPasses(
    of tests: [TestCaseID], _ run: HistoryRun, _ history: HistoryLookup
  ) -> PassesLookup {
    guard let commit = run.cleanCommit else { return PassesLookup() }
    var remarks = Remarks()
    return history.earlierPasses(
      of: Array(tests.prefix(Self.mostEarlier)), label: run.label, folder: folder, &remarks
    ) { $0.commit == commit && $0.runBegan < run.began }
  }
}
