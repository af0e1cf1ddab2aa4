import Collector
package import ReportModel

/// Checks that a report has every shard once and that they belong together.
package struct ShardChecks {
  private let runs: [RunInputs]
  private let expected: Int?
  private let join: RunJoin
  private var remarks = Remarks()

  /// - Parameters:
  ///   - expected: The number of `--shards`, if given.
  ///   - now: Seconds since 1970.
  package static func check(
    _ runs: [RunInputs], expected: Int?, _ join: RunJoin, now: Double = currentTime()
  ) -> Remarks {
    var checks = ShardChecks(runs: runs.filter { $0.run != nil }, expected: expected, join: join)
    checks.check(now)
    return checks.remarks
  }

  /// The shards that a report lacks.
  ///
  /// - Parameter expected: The number of `--shards`, if given.
  package static func missing(from runs: [RunInputs], expected: Int?, _ join: RunJoin) -> [MissingShard] {
    ShardChecks(runs: runs.filter { $0.run != nil }, expected: expected, join: join).missing
  }

  private var shards: [(shard: Shard, run: RunInputs)] {
    runs.compactMap { run in run.run?.shard.map { ($0, run) } }
  }

  private var isMerge: Bool { expected != nil || runs.count > 1 && !shards.isEmpty }

  private mutating func check(_ now: Double) {
    if isMerge {
      checkCount()
      checkRepeated()
      checkCommits()
      for run in runs where run.unended > 0 {
        remarks.fault(
          .shardUnended,
          "\(title(run)) is cut off: \(counted(run.unended, "swift test")) did not end, or how is not known.",
          input: run.name)
      }
    }
    if runs.count > 1 { checkClocks(now) }
    checkSplits()
  }

  private func title(_ run: RunInputs) -> String {
    run.run?.shard.map { "\($0.name.capitalizedFirst) (\(run.name))" } ?? "The run \(run.name)"
  }

  private static func list(_ names: [String], most: Int = 10) -> String {
    listed(names, most: most, rest: "other")
  }

  // MARK: - Which there are

  private mutating func checkCount() {
    for (shard, run) in shards {
      guard let expected, shard.count != expected else { continue }
      remarks.fault(.shardsDiffer, "\(title(run)) is of \(shard.count), not of \(expected).", input: run.name)
    }
    let unknown = runs.filter { $0.run?.shard == nil }
    guard !shards.isEmpty else { return checkUnnumbered() }
    for run in unknown {
      remarks.fault(
        .shardUnknown, "\(title(run)) does not say which shard it is: reporter test --shard did not run it.",
        input: run.name)
    }
    let count = expectedCount
    let missing = missingNumbers
    guard !missing.isEmpty else { return }
    let split = commonSplit
    let tests = split.map { split in
      split.entries.filter { missing.contains($0.shard) }.map(\.test.description)
    }
    let told = tests.map { " \(counted($0.count, "test")) did not run: \(Self.list($0))." } ?? ""
    remarks.fault(
      .shardMissing,
      "\(missing.count == 1 ? "Shard" : "Shards") \(Self.list(missing.map(String.init), most: 100)) of \(count)"
        + " \(missing.count == 1 ? "is" : "are") missing.\(told)")
  }

  private var expectedCount: Int { expected ?? shards.map(\.shard.count).max() ?? 0 }

  private var missingNumbers: [Int] {
    let known = Set(shards.map(\.shard.number))
    return (1...max(1, expectedCount)).filter { !known.contains($0) }
  }

  /// What each shard is to run, if all are of one split.
  private var commonSplit: TestSplit? {
    Set(shards.map(\.shard.count)) == [expectedCount] ? split(of: shards) : nil
  }

  /// The shards of which there is no run.
  private var missing: [MissingShard] {
    guard isMerge else { return [] }
    if shards.isEmpty {
      return (runs.count..<max(runs.count, expectedCount)).map { _ in MissingShard(count: expectedCount) }
    }
    let tests = Dictionary(grouping: commonSplit?.entries ?? [], by: \.shard)
    return missingNumbers.map { MissingShard(number: $0, count: expectedCount, tests: tests[$0]?.count) }
  }

  /// Runs without shard records can only be counted.
  private mutating func checkUnnumbered() {
    guard let expected, runs.count != expected else { return }
    let there =
      runs.isEmpty
      ? "There is none" : "There \(runs.count == 1 ? "is" : "are") \(Self.list(runs.map(\.name), most: 100))"
    if runs.count < expected {
      remarks.fault(
        .shardMissing,
        "\(expected - runs.count) of \(counted(expected, "shard")) \(expected - runs.count == 1 ? "is" : "are")"
          + " missing. \(there).")
    } else {
      remarks.fault(
        .shardRepeated, "There are \(runs.count) runs, for \(counted(expected, "shard")). \(there).")
    }
  }

  private mutating func checkRepeated() {
    let numbered = Dictionary(grouping: shards, by: \.shard.number).sorted { $0.key < $1.key }
    for same in numbered.map(\.value) where same.count > 1 {
      remarks.fault(
        .shardRepeated,
        "\(same[0].shard.name.capitalizedFirst) is there \(same.count == 2 ? "twice" : "\(same.count) times"): "
          + "\(Self.list(same.map(\.run.name))). What several of them ran has several attempts.")
    }
    struct Identity: Hashable {
      var name: String
      var start: Double?
      var host: String?
    }
    let unnumbered = runs.filter { $0.run?.shard == nil && $0.run?.start != nil }
    let same = Dictionary(grouping: unnumbered) { run in
      Identity(name: run.folder?.name ?? "", start: run.run?.start, host: run.run?.host)
    }
    for runs in same.values.sorted(by: { $0[0].name < $1[0].name }) where runs.count > 1 {
      remarks.fault(
        .shardRepeated, "These are one run: \(Self.list(runs.map(\.name))). Its tests have several attempts.")
    }
  }

  private mutating func checkCommits() {
    let known = runs.filter { $0.run?.commit != nil }
    let commits = Dictionary(grouping: known) { $0.run?.commit ?? "" }
    guard commits.count > 1 else { return }
    let usual = commits.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? ""
    for run in known where run.run?.commit != usual {
      remarks.fault(
        .shardOfAnotherCommit,
        "\(title(run)) is of commit \((run.run?.commit ?? "").prefix(12)), not of \(usual.prefix(12)) as \(commits[usual]?.first?.name ?? "")"
          + " is.", input: run.name)
    }
  }

  private mutating func checkClocks(_ now: Double) {
    for run in runs {
      guard let start = run.run?.start, start > now + Report.Run.mostAhead else { continue }
      remarks.fault(
        .clockAhead,
        "\(title(run)) began in the future, by its own clock: which attempt at a test was the last is a guess.",
        input: run.name)
    }
  }

  // MARK: - What they ran

  private func split(of members: [(shard: Shard, run: RunInputs)]) -> TestSplit? {
    for (shard, run) in members {
      if let split = run.folder.flatMap({ ShardRecord.split(of: shard, in: $0) }) { return split }
    }
    return nil
  }

  private mutating func checkSplits() {
    guard !shards.isEmpty else { return }
    let groups = Dictionary(grouping: shards, by: \.shard.split)
    var missing: [TestCaseID] = []
    for (hash, members) in groups.sorted(by: { $0.key < $1.key }) {
      guard let split = split(of: members) else {
        remarks.fault(
          .unreadableInput,
          "What is in the shards of the split \(hash) is not known: split.txt is missing, cannot be read, or is another.",
          input: members[0].run.name)
        continue
      }
      let unobserved = unobserved(in: split)
      missing += unobserved.map(\.test)
      if groups.count > 1 { continue }
      for (shard, run) in members {
        let own = unobserved.filter { $0.shard == shard.number }.map(\.test.description)
        guard !own.isEmpty else { continue }
        remarks.fault(
          .unobservedTests,
          "\(title(run)) is cut off: of its \(counted(shard.tests, "test")) \(own.count == 1 ? "one" : grouped(own.count))"
            + " did not run, or nothing recorded \(own.count == 1 ? "it" : "them"): \(Self.list(own)).",
          input: run.name)
      }
    }
    if groups.count > 1 { noteDifferent(groups.values.map { $0.map(\.run.name) }, missing) }
  }

  private mutating func noteDifferent(_ groups: [[String]], _ missing: [TestCaseID]) {
    let splits = groups.map { Self.list($0) }.sorted().joined(separator: "; ")
    let absent = Set(missing).sorted().filter { test in !join.has(test) }.map(\.description)
    let twice = join.repeated.map(\.description)
    remarks.fault(
      .shardsDiffer,
      "The shards are of \(groups.count) splits that do not fit together: \(splits)."
        + (twice.isEmpty
          ? " No test ran twice." : " \(counted(twice.count, "test")) ran twice: \(Self.list(twice)).")
        + (absent.isEmpty
          ? " None that is known was left out."
          : " \(counted(absent.count, "test")) did not run: \(Self.list(absent))."))
  }

  private func unobserved(in split: TestSplit) -> [TestSplit.Entry] {
    // Another remark covers unrecorded XCTests.
    let recordsXCTests = join.tests.contains { $0.framework == .xctest }
    return split.entries.filter { entry in
      (recordsXCTests || entry.test.name.hasSuffix(")")) && !join.has(entry.test)
    }
  }
}

extension RunJoin {
  fileprivate func has(_ function: TestCaseID) -> Bool {
    var (low, high) = (tests.startIndex, tests.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if tests[middle].id < function { low = middle + 1 } else { high = middle }
    }
    return low < tests.endIndex && tests[low].id.function == function
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
