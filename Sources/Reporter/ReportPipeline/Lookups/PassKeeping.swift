import Collector
import ReportHistory
import ReportModel
import ReportPasses
import ReportPlaces
import ReportReading

/// Adds to a history what passing tests did, and what varied between two passes of a test.
struct PassKeeping {
  let sourceRoot: SourceRoot
  /// The newest run comes first.
  let recorded: [RecordedPasses]
  let compared: PassesLookup

  /// Of more, stacks are kept without places.
  private static let mostAddresses = 50_000
  /// Bytes of stories to compare for variations: some seconds in a debug build.
  private static let mostBytes = 4 << 20

  func add(_ tests: [TestResult], to added: inout KeptRun, _ history: HistoryLookup) {
    var wanted = Set(tests.lazy.filter { $0.outcome == .passed }.map(\.id))
    var addresses: Set<CodeAddress> = []
    for passes in recorded {
      var found: Set<TestCaseID> = []
      // The report tells unreadable files and missing places.
      passes.each(of: wanted) { pass in
        added.add(pass: pass.bytes, of: pass.test, began: pass.began)
        found.insert(pass.test)
      } addresses: { gathered in
        for (file, offsets) in gathered.offsets {
          let code = CodeFile(file)
          for offset in offsets.prefix(max(0, Self.mostAddresses - addresses.count)) {
            addresses.insert(CodeAddress(file: code, offset: offset))
          }
        }
      }
      wanted.subtract(found)
    }
    if !addresses.isEmpty {
      var lookup = PlacesLookup(sourceRoot: sourceRoot)
      let places = lookup.places(of: addresses, runs: recorded.map(\.run))
      if !places.files.isEmpty { added.set(places: PlacesFile.bytes(of: places)) }
    }
    addVariations(to: &added, history)
  }

  /// Adds what varied between two passes of the same code; those of a history are compared when a test fails.
  private func addVariations(to added: inout KeptRun, _ history: HistoryLookup) {
    let pairs = compared.passes.compactMap { test, passes in
      Self.twoOfOneOrigin(passes.filter { !$0.origin.isHistory }).map { (test, $0) }
    }
    if pairs.isEmpty { return }
    // Reading the tests' pasts tells problems.
    let known = (try? history.history.variations(label: added.run.label)) ?? [:]
    var room = Self.mostBytes
    for (test, passes) in pairs.sorted(by: { $0.0 < $1.0 }) where room > 0 {
      room -= passes.reduce(0) { $0 + $1.lines.count }
      let told = passes.compactMap { compared.told($0, path: sourceRoot.relative) }
      guard told.count == 2 else { continue }
      added.variations[test] = told[0].variations(
        to: told[1], known: known[test.historyIdentity]?.varied ?? [])
    }
  }

  private static func twoOfOneOrigin(_ passes: [PassedRun]) -> [PassedRun]? {
    for (index, pass) in passes.enumerated() {
      if let other = passes[(index + 1)...].first(where: { $0.origin == pass.origin }) {
        return [pass, other]
      }
    }
    return nil
  }
}
