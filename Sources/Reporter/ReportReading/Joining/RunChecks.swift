import Collector
package import ReportModel

package enum RunChecks {
  package static func check(_ runs: [RunInputs], _ tests: [TestRecord]) -> Remarks {
    var remarks = Remarks()
    // A file outside of runs may belong to any run.
    let outside = runs.filter { $0.run == nil && $0.round == 0 }
    for run in runs {
      let own = (outside + [run]).flatMap(\.inputs)
      checkFailure(run, own, &remarks)
      for output in run.outputs {
        checkCrashes(output, run, &remarks)
        // Elsewhere the console was an input itself.
        if run.folder != nil { checkXCTests(output, own, &remarks) }
      }
    }
    checkFixtures(runs, &remarks)
    checkTraces(runs, &remarks)
    checkPasses(runs, &remarks)
    checkTrait(runs, &remarks)
    for inputs in RunJoin.inputs(of: runs) { checkIssuesOutside(inputs, &remarks) }
    checkSkips(tests, &remarks)
    for run in runs where run.hasTargetRunners { checkRunners(run, &remarks) }
    for run in runs {
      for listing in run.listings { checkListing(listing, run, tests, &remarks) }
    }
    return remarks
  }

  static func checkTraces(_ runs: [RunInputs], _ remarks: inout Remarks) {
    for run in runs {
      let all = run.inputs.flatMap(\.tracesInMemory)
      for reason in TraceInMemory.Reason.allCases {
        let traces = all.filter { $0.trace.reason == reason }
        let lost = traces.filter(\.isLost)
        guard let first = lost.first ?? traces.first else { continue }
        let processes =
          traces.count == 1
          ? "A test process could keep its steps"
          : "\(counted(traces.count, "test process", "test processes")) could keep their steps"
        let died =
          lost.isEmpty
          ? "a crash would have left none"
          : lost.count == 1
            ? "the one that died left none"
            : "the \(grouped(lost.count)) that died left none"
        remarks.notice(
          .traceInMemory, "\(processes) in memory only, so that \(died). \(first.trace.message)")
      }
    }
  }

  static func checkPasses(_ runs: [RunInputs], _ remarks: inout Remarks) {
    for run in runs {
      let all = run.inputs.flatMap(\.passesLeftOut)
      for reason in PassesLeftOut.Reason.allCases {
        let leftOut = all.filter { $0.reason == reason }
        guard let first = leftOut.first else { continue }
        let count = leftOut.reduce(0) { $0 + min(max(1, $1.tests), 1 << 40) }
        remarks.notice(
          .passesLeftOut,
          "\(count == 1 ? "The pass" : "The passes") of \(counted(count, "test")) \(count == 1 ? "was" : "were")"
            + " not recorded: \(first.message)")
      }
    }
  }

  static func checkTrait(_ runs: [RunInputs], _ remarks: inout Remarks) {
    guard let logs = runs.flatMap(\.inputs).first(where: \.recordsTraitAlone) else { return }
    remarks.notice(
      .traitAlone,
      "Of Swift Testing only what has the trait attachOnFailure was recorded: Attach did not run the tests. Where "
        + "EXHIBIT_ENTRY=off is set, it leaves them to the toolchain; where it is not, the toolchain's entry point has "
        + "another name, or the tests have a runner of its own, such as an IDE's: run them with swift test, or give the "
        + "other suites the trait.", input: logs.name)
  }

  static func checkIssuesOutside(_ inputs: [InputTests], _ remarks: inout Remarks) {
    var told: [String: Int] = [:]
    for kind in [InputKind.eventStream, .log, .xunit, .console] {
      var counts: [String: Int] = [:]
      for outside in inputs.filter({ $0.kind == kind }).flatMap(\.issuesOutside) {
        let sentence = outside.sentence
        counts[sentence, default: 0] += 1
        if counts[sentence, default: 0] <= told[sentence, default: 0] { continue }
        remarks.fault(.issueOutsideTest, sentence, input: outside.input)
      }
      told.merge(counts, uniquingKeysWith: max)
    }
  }

  private static func checkListing(
    _ listing: TestListing, _ run: RunInputs, _ tests: [TestRecord], _ remarks: inout Remarks
  ) {
    let observed = Set(run.inputs.flatMap(\.observations).map(\.id.function))
    // Another remark covers unrecorded XCTests.
    let recordsXCTests = tests.contains { $0.framework == .xctest }
    let missing = listing.functions.subtracting(observed).filter { recordsXCTests || $0.name.hasSuffix(")") }
    guard !missing.isEmpty else { return }
    let names = listed(missing.sorted().lazy.map(\.description))
    if !run.crashes.isEmpty {
      let died = run.crashes.count == 1 ? "the process died" : "processes died"
      let crashes = listed(run.crashes.lazy.map(\.description))
      return remarks.notice(
        .unobservedTests,
        "\(counted(missing.count, "test")) did not run, as \(died) in \(crashes): \(names).",
        input: listing.name)
    }
    remarks.fault(
      .unobservedTests,
      "\(counted(missing.count, "test")) of the package did not run, or nothing recorded "
        + "them: \(names).", input: listing.name)
  }

  private static func checkFailure(_ run: RunInputs, _ inputs: [InputTests], _ remarks: inout Remarks) {
    guard !inputs.contains(where: { $0.observations.contains(where: \.hasFailedOnce) }) else { return }
    for invocation in run.invocations {
      let end: String
      switch (invocation.status, invocation.signal) {
      case (_, let signal?): end = "was ended by signal \(signal)"
      case (let status?, _) where status != 0: end = "returned \(status)"
      default: continue
      }
      remarks.fault(
        .failedWithoutFailure,
        "swift test \(end) although no test is known to have failed; its output is in the run's "
          + "inputs/output.txt.", input: run.name.isEmpty ? nil : run.name)
    }
  }

  private static func checkCrashes(_ output: SwiftTestOutput, _ run: RunInputs, _ remarks: inout Remarks) {
    for sentence in output.unstarted {
      remarks.fault(
        .processDied, "A test process could not be started, and its tests did not run. \(sentence)",
        input: output.name)
    }
    guard let signal = output.signals.last else { return }
    let crashed = Set(run.crashedTests.map(\.id)).count
    if crashed > 0, output.signals.count > crashed {
      remarks.fault(
        .processDied,
        "\(counted(output.signals.count, "test process", "test processes")) were ended by signals, and of \(counted(crashed, "test")) it is known that one ended there; tests that the others would have run may be missing.",
        input: output.name)
      return
    }
    let known = Set(
      [Remark.Kind.logEndedEarly, .eventStreamEndedEarly, .consoleIncomplete].map(\.rawValue))
    let isShown = run.inputs.contains { input in
      (input.remarks.faults + input.remarks.notices).contains { known.contains($0.kind) }
    }
    if isShown { return }
    remarks.fault(
      .processDied,
      "A test process was ended by signal \(signal); tests that it would have run may be missing. Link Attach "
        + "to see which test it was.", input: output.name)
  }

  /// SwiftPM's xunit shows skipped XCTests as passed, so those known only from it are noted.
  private static func checkSkips(_ tests: [TestRecord], _ remarks: inout Remarks) {
    let count = tests.count {
      $0.isOfXUnitAlone && $0.framework == .xctest && $0.outcome == .passed
    }
    guard count > 0 else { return }
    remarks.notice(
      .skipsUntold,
      "\(counted(count, "XCTest")) \(count == 1 ? "counts" : "count") as passed and may have been skipped: "
        + "SwiftPM's xunit does not tell. Link Attach into a test target to know.")
  }

  private static func checkRunners(_ run: RunInputs, _ remarks: inout Remarks) {
    for framework in TestFramework.allCases {
      let lost = run.unrecorded(framework)
      guard lost > 0 else { continue }
      let name = framework == .xctest ? "XCTest" : "test of Swift Testing"
      let plural = framework == .xctest ? "XCTests" : "tests of Swift Testing"
      remarks.fault(
        .unrecordedTests,
        "\(counted(lost, name, plural)) ran and nothing recorded \(lost == 1 ? "it" : "them"): with this build system "
          + "each test target has a runner of its own. Link Attach into every test target.",
        input: run.outputs.first?.name)
    }
  }

  private static func checkXCTests(
    _ output: SwiftTestOutput, _ inputs: [InputTests], _ remarks: inout Remarks
  ) {
    guard output.executedXCTests > 0,
      !inputs.contains(where: { $0.kind != .console && $0.observations.contains { $0.framework == .xctest } })
    else { return }
    remarks.fault(
      .unrecordedTests,
      "\(output.executedXCTests) XCTests ran and nothing recorded them: without --parallel only Attach does. "
        + "Link Attach into a test target; where there is a Package@swift-6.swift, SwiftPM reads that instead of "
        + "Package.swift.", input: output.name)
  }
}
