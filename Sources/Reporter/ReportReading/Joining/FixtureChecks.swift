import Collector
import ReportModel

extension RunChecks {
  static func checkFixtures(_ runs: [RunInputs], _ remarks: inout Remarks) {
    for run in runs {
      let folders = Dictionary(grouping: run.inputs.flatMap(\.fixtures), by: \.fixture.folder)
      for folder in folders.keys.sorted() { check(folders[folder] ?? [], &remarks) }
    }
  }

  private static func check(_ uses: [FixtureUse], _ remarks: inout Remarks) {
    let used = Set(uses.map(\.fixture.file))
    let listed = uses.map(\.fixture.listed).max { $0.count < $1.count } ?? []
    for file in listed where !used.contains(file) {
      remarks.notice(
        .fixtureUnused,
        "No test of this run used the migration fixture \(file). If a test is named after its version, it tests "
          + "another file.")
    }
    var pairs: Set<Set<String>> = []
    for file in listed {
      checkRepeated(file, uses, &remarks)
      let twin = uses.first { $0.fixture.file == file }?.fixture.sameAs
      guard let twin, pairs.insert([file, twin]).inserted else { continue }
      remarks.notice(
        .fixtureRepeated,
        "The migration fixtures \(file) and \(twin) are the same bytes: one is a copy of the other.")
    }
  }

  /// Notes a fixture shared by tests that use one fixture each.
  private static func checkRepeated(_ file: String, _ uses: [FixtureUse], _ remarks: inout Remarks) {
    let tests = Set(uses.filter { $0.fixture.file == file }.compactMap(\.test))
    let ofOne = tests.filter { test in
      let siblings = uses.filter { $0.test?.function == test.function }
      return test.argument != nil || Set(siblings.map(\.fixture.file)).count == 1
    }
    let cases = Dictionary(grouping: ofOne, by: \.function)
    let doubled = cases.values.filter { $0.count > 1 }
    let functions = cases.keys.filter { function in
      Set(uses.filter { $0.test?.function == function }.map(\.fixture.file)).count == 1
    }
    for tests in doubled + (functions.count > 1 ? [functions] : []) {
      let names = tests.map(\.description).sorted().joined(separator: " and ")
      remarks.notice(.fixtureRepeated, "\(names) use the same migration fixture, \(file).")
    }
  }
}
