import Collector
import ReportModel

/// Joins all inputs' tests by identity and compares the inputs.
///
/// Sorted inputs are merged in one walk, since a run can have a million tests.
struct InputJoin {
  private(set) var tests: [TestRecord] = []
  private(set) var remarks = Remarks()
  private var inputs: [InputTests]
  /// Functions that each input should have.
  private var missing: [[TestCaseID]]

  init(_ inputs: [InputTests]) {
    self.inputs = inputs.sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
    missing = Array(repeating: [], count: inputs.count)
    adoptIdentities()
    for index in inputs.indices { self.inputs[index].mergeRepeated(&remarks) }
    joinAll()
    for (index, functions) in missing.enumerated() { noteMissing(functions, from: self.inputs[index]) }
    self.inputs = []
  }

  private mutating func adoptIdentities() {
    guard inputs.contains(where: { $0.kind == .console }) else { return }
    let names = PrintedNames(inputs.filter { $0.kind != .console })
    for index in inputs.indices where inputs[index].kind == .console {
      inputs[index].observations = names.identified(inputs[index].observations)
    }
  }

  private mutating func joinAll() {
    if inputs.count == 1, inputs[0].hasOneTestOfEachFunction {
      tests = inputs[0].observations
      for index in tests.detailed where tests[index].isUnsettled { tests[index].settle() }
      return
    }
    tests.reserveCapacity(inputs.map(\.observations.count).max() ?? 0)
    var positions = inputs.map { _ in 0 }
    while true {
      let heads = inputs.indices.compactMap { inputs[$0].head(at: positions[$0]) }
      guard var function = heads.first else { return }
      for head in heads.dropFirst() where head.compareFunction(to: function) < 0 { function = head }
      let ranges = inputs.indices.map { inputs[$0].range(of: function, from: positions[$0]) }
      positions = ranges.map(\.upperBound)
      if inputs.count == 1, ranges[0].count == 1 {
        tests.append(inputs[0].observations[ranges[0].lowerBound])
        if tests[tests.count - 1].isUnsettled { tests[tests.count - 1].settle() }
      } else {
        join(function, ranges)
      }
    }
  }

  private mutating func join(_ first: TestCaseID, _ ranges: [Range<Int>]) {
    let claims = zip(inputs, ranges).flatMap { input, range in
      input.observations[range].map {
        Claimed(kind: input.kind, input: input.name, invocation: input.invocation, observation: $0)
      }
    }
    let function = first.function
    findInputs(without: function, ranges)
    join(function, claims)
    // Cases follow their function, which may be added last.
    sortLast(function)
  }

  private mutating func sortLast(_ function: TestCaseID) {
    let start = tests.lastIndex { $0.id.compareFunction(to: function) != 0 }.map { $0 + 1 } ?? 0
    if tests.count - start > 1 { tests[start...].sort { $0.id < $1.id } }
  }

  private struct Claimed {
    var kind: InputKind
    var input: String
    var invocation: String
    var observation: Observation

    var claim: OutcomeTable.Claim { (kind, observation.outcome) }
  }

  private mutating func join(_ function: TestCaseID, _ claims: [Claimed]) {
    let ofCases = claims.filter { $0.observation.id.argument != nil }
    let ofWhole = claims.filter { $0.observation.id.argument == nil }
    guard !ofCases.isEmpty else { return add(function, ofWhole) }
    let cases = Dictionary(grouping: ofCases, by: \.observation.id)
    for id in cases.keys.sorted() { add(id, cases[id] ?? []) }
    addWhole(function, ofWhole, ofCases)
  }

  private mutating func add(_ id: TestCaseID, _ claims: [Claimed]) {
    // Other inputs report a failure of any repetition.
    let streams = claims.filter { $0.kind == .eventStream }
    let repeated = streams.count == 1 ? streams.first { $0.observation.isFlaky } : nil
    let said = claims.map { claim -> OutcomeTable.Claim in
      guard let repeated, claim.kind != .eventStream, claim.invocation == repeated.invocation,
        claim.observation.outcome == .failed
      else { return claim.claim }
      return (claim.kind, repeated.observation.outcome)
    }
    guard let decision = OutcomeTable.join(said) else { return }
    if decision.isContradictory { noteDisagreement(id, claims) }
    tests.append(TestRecord(id, joining: claims.map(\.observation), decision))
    if let flaky = repeated?.observation, decision.outcome == flaky.outcome {
      tests[tests.count - 1].issues = flaky.issues
    }
    if claims.count > 1, claims.allSatisfy({ $0.kind == .xunit }) { tellFiles(claims) }
  }

  /// Adds the outcome in each file as an attempt, unless the test passed in all.
  private mutating func tellFiles(_ claims: [Claimed]) {
    let outcomes = Set(claims.map(\.observation.outcome))
    let last = tests.count - 1
    guard outcomes.count > 1 || tests[last].outcome.isFailure,
      let shown = claims.firstIndex(where: { $0.observation.outcome == tests[last].outcome })
    else { return }
    let best = claims[shown].observation
    tests[last].issues = best.issues
    tests[last].output = best.output
    tests[last].duration = best.duration ?? tests[last].duration
    tests[last].attempts = claims.indices.flatMap { index in
      let (claim, test) = (claims[index], claims[index].observation)
      var all = test.attempts
      if index != shown { all.append(TestAttempt(test)) }
      for attempt in all.indices { all[attempt].label = claim.input }
      return all
    }
    tests[last].labels = claims.map { LabelledOutcome(label: $0.input, outcome: $0.observation.outcome) }
  }

  private mutating func addWhole(_ function: TestCaseID, _ whole: [Claimed], _ cases: [Claimed]) {
    let casesFail = cases.contains { $0.observation.hasFailedOnce }
    let knowing = Set(cases.map(\.input))
    let beyond = whole.filter { knowing.contains($0.input) }
    let checked = whole.filter { !knowing.contains($0.input) }
    let fails = casesFail || beyond.contains { $0.observation.hasFailedOnce }
    let contradicting = checked.filter { OutcomeTable.contradicts(whole: $0.claim, casesFail: fails) }
    let unsaid = checked.filter {
      $0.observation.outcome.isFailure && !fails || !$0.observation.observed.isEmpty
    }
    if !contradicting.isEmpty { noteDisagreement(function, contradicting + cases) }
    let shown = (beyond + unsaid).sorted { $0.kind < $1.kind }
    if !shown.isEmpty { add(function, shown) }
  }

  // MARK: - Cross-checks

  private mutating func noteDisagreement(_ id: TestCaseID, _ claims: [Claimed]) {
    let words = claims.map { "\($0.input) says \($0.observation.outcome.rawValue)" }
    var seen: Set<String> = []
    let unique = words.filter { seen.insert($0).inserted }
    remarks.fault(.disagreement, "\(id): \(unique.joined(separator: ", ")).")
  }

  private mutating func findInputs(without function: TestCaseID, _ ranges: [Range<Int>]) {
    for index in inputs.indices where ranges[index].isEmpty && inputs[index].endedProperly {
      let input = inputs[index]
      let isExpected = zip(inputs, ranges).contains { other, range in
        other.invocation == input.invocation
          && other.observations[range].contains { observation in
            observation.framework.map { input.coverage.has($0, of: observation.id.module) } ?? false
          }
      }
      if isExpected { missing[index].append(function) }
    }
  }

  private mutating func noteMissing(_ missing: [TestCaseID], from input: InputTests) {
    guard !missing.isEmpty else { return }
    let names = listed(missing.lazy.map(\.description))
    remarks.fault(
      .missingTest, "\(missing.count) tests that other inputs have are missing: \(names).",
      input: input.name)
  }
}

extension InputTests {
  fileprivate mutating func mergeRepeated(_ remarks: inout Remarks) {
    let isSorted = observations.indices.dropFirst().allSatisfy {
      observations[$0 - 1].id < observations[$0].id
    }
    if isSorted { return }
    let order = observations.sortedPlaces
    var repeated: [TestCaseID] = []
    var merged: [Observation] = []
    merged.reserveCapacity(observations.count)
    order.forEachStretch({ observations[$0].id == observations[$1].id }) { same in
      let first = observations[same[same.startIndex]]
      if same.count == 1 { return merged.append(first) }
      let all = same.map { observations[$0] }
      // SwiftPM lists each test once per file.
      let isForeign = kind == .xunit && first.framework == nil
      if isForeign, !inSeveralSuites.contains(first.id), let flaky = Observation(repeating: all) {
        return merged.append(flaky)
      }
      repeated.append(first.id)
      merged += isForeign && !tellsTestsTwice ? all.apart : [Observation(merging: all)]
    }
    observations = merged
    if kind == .xunit, !repeated.isEmpty { observations.sort { $0.id < $1.id } }
    noteRepeated(repeated, &remarks)
  }

  private func noteRepeated(_ ids: [TestCaseID], _ remarks: inout Remarks) {
    // The event stream's reader has told it.
    guard kind != .eventStream, let first = ids.first else { return }
    let others = ids.count > 1 ? " and \(ids.count - 1) others" : ""
    let isForeign = kind == .xunit && !tellsTestsTwice && observations.contains { $0.framework == nil }
    remarks.notice(
      .repeatedTest,
      isForeign
        ? "Several tests have one name and are told apart by their order: \(first)\(others)."
        : "\(first)\(others) ran more than once; the worst outcome is shown.", input: name)
  }

  fileprivate var hasOneTestOfEachFunction: Bool {
    observations.indices.dropFirst().allSatisfy {
      observations[$0 - 1].id.compareFunction(to: observations[$0].id) != 0
    }
  }

  fileprivate func head(at position: Int) -> TestCaseID? {
    position < observations.count ? observations[position].id : nil
  }

  fileprivate func range(of function: TestCaseID, from start: Int) -> Range<Int> {
    var end = start
    while end < observations.count, observations[end].id.compareFunction(to: function) == 0 { end += 1 }
    return start..<end
  }
}

extension TestCaseID {
  /// Negative, 0 or positive; ignores arguments.
  fileprivate func compareFunction(to other: TestCaseID) -> Int {
    if module != other.module { return module < other.module ? -1 : 1 }
    if suite != other.suite { return suite.lexicographicallyPrecedes(other.suite) ? -1 : 1 }
    return name == other.name ? 0 : name < other.name ? -1 : 1
  }
}

extension [Observation] {
  fileprivate var apart: [Observation] {
    enumerated().map { index, test in
      var test = test
      if index > 0 { test.id.name += " #\(index + 1)" }
      return test
    }
  }
}

extension Observation {
  /// A test repeated until it passed; `nil` for other sequences.
  fileprivate init?(repeating all: [Observation]) {
    guard let last = all.last, last.outcome == .passed,
      all.dropLast().allSatisfy({ $0.outcome == .failed }),
      Set(all.compactMap(\.location)).count <= 1
    else { return nil }
    self = last
    attempts = all.dropLast().flatMap { $0.attempts + [TestAttempt($0)] } + last.attempts
    observed = all.flatMap(\.observed)
  }

  fileprivate init(merging all: [Observation]) {
    let worst = all.map(\.outcome).reduce(all[0].outcome, OutcomeTable.worse)
    self = all.first { $0.outcome == worst } ?? all[0]
    self.issues = all.flatMap(\.issues)
    self.observed = all.flatMap(\.observed)
    self.attempts = all.flatMap(\.attempts)
  }
}
