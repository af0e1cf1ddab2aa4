import Collector

/// Joins what the inputs say by test identity, and checks them against each other.
struct TestJoin {
  /// Sorted by identity.
  private(set) var tests: [JoinedTest] = []
  private(set) var findings = Findings()
  private let inputs: [JoinableInput]

  init(_ inputs: [InputTests]) {
    var findings = Findings()
    self.inputs = inputs.sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }.map {
      JoinableInput($0, &findings)
    }
    self.findings = findings
    let functions = Set(self.inputs.flatMap(\.functions.keys)).sorted()
    for function in functions { join(function) }
    tests.sort { $0.result.id < $1.result.id }
    findMissingTests()
  }

  /// What one input says of a test.
  private struct Claimed {
    var input: JoinableInput
    var observation: Observation

    var claim: OutcomeTable.Claim {
      OutcomeTable.Claim(kind: input.kind, outcome: observation.outcome)
    }
  }

  private mutating func join(_ function: TestCaseID) {
    let claims = inputs.flatMap { input in
      (input.functions[function] ?? []).map { Claimed(input: input, observation: $0) }
    }
    let ofCases = claims.filter { $0.observation.id.argument != nil }
    let ofWhole = claims.filter { $0.observation.id.argument == nil }
    guard !ofCases.isEmpty else { return add(function, ofWhole) }
    let cases = Dictionary(grouping: ofCases, by: \.observation.id)
    for id in cases.keys.sorted() { add(id, cases[id] ?? []) }
    addWhole(function, ofWhole, ofCases)
  }

  private mutating func add(_ id: TestCaseID, _ claims: [Claimed]) {
    guard let test = JoinedTest(id, claims.map { ($0.input.kind, $0.observation) }) else { return }
    let verdict = OutcomeTable.join(claims.map(\.claim))
    if verdict?.isContradictory == true { noteDisagreement(id, claims) }
    tests.append(test)
  }

  /// What some inputs say of a function whose cases others know: shown where the cases do not say it already.
  private mutating func addWhole(_ function: TestCaseID, _ whole: [Claimed], _ cases: [Claimed]) {
    let casesFail = cases.contains { $0.observation.outcome.isFailure }
    let beyond = whole.filter { $0.input.knowsCases(of: function) }
    let checked = whole.filter { !$0.input.knowsCases(of: function) }
    let fails = casesFail || beyond.contains { $0.observation.outcome.isFailure }
    let contradicting = checked.filter { OutcomeTable.contradicts(whole: $0.claim, casesFail: fails) }
    let unsaid = checked.filter { $0.observation.outcome.isFailure && !fails }
    if !contradicting.isEmpty { noteDisagreement(function, contradicting + cases) }
    let shown = beyond + unsaid
    if !shown.isEmpty { add(function, shown) }
  }

  // MARK: - Cross-checks

  private mutating func noteDisagreement(_ id: TestCaseID, _ claims: [Claimed]) {
    let words = claims.map { "\($0.input.name) says \($0.observation.outcome.rawValue)" }
    var seen: Set<String> = []
    let unique = words.filter { seen.insert($0).inserted }
    findings.fault(.disagreement, "\(id): \(unique.joined(separator: ", ")).")
  }

  /// An input that lists all tests of a framework and ended properly should not lack what another has.
  private mutating func findMissingTests() {
    for input in inputs where input.endedProperly {
      for framework in input.coverage.sorted(by: { $0.rawValue < $1.rawValue }) {
        let missing = inputs.filter { $0.scope == input.scope }.flatMap { other in
          other.functions.filter { $0.value.contains { $0.framework == framework } }.map(\.key)
        }.filter { input.functions[$0] == nil }
        noteMissing(Set(missing).sorted(), from: input)
      }
    }
  }

  private mutating func noteMissing(_ missing: [TestCaseID], from input: JoinableInput) {
    guard !missing.isEmpty else { return }
    let names = missing.prefix(10).map(\.description).joined(separator: ", ")
    let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    findings.fault(
      .missingTest, "\(missing.count) tests that other inputs have are missing: \(names)\(more).",
      input: input.name)
  }
}

/// An input whose observations are one per test case, by function.
private struct JoinableInput {
  var kind: InputKind
  var name: String
  var scope: String
  var coverage: Set<TestFramework>
  var endedProperly: Bool
  var functions: [TestCaseID: [Observation]]

  init(_ input: InputTests, _ findings: inout Findings) {
    kind = input.kind
    name = input.name
    scope = input.scope
    coverage = input.coverage
    endedProperly = input.endedProperly
    var merged: [TestCaseID: Observation] = [:]
    var repeated: Set<TestCaseID> = []
    for observation in input.observations {
      if let earlier = merged[observation.id] {
        merged[observation.id] = earlier.merging(observation)
        repeated.insert(observation.id)
      } else {
        merged[observation.id] = observation
      }
    }
    functions = Dictionary(grouping: merged.values, by: \.id.function)
    noteRepeated(repeated.sorted(), &findings)
  }

  private func noteRepeated(_ ids: [TestCaseID], _ findings: inout Findings) {
    // The event stream's reader has told it, with its reason.
    guard kind != .eventStream, let first = ids.first else { return }
    let others = ids.count > 1 ? " and \(ids.count - 1) others" : ""
    findings.notice(
      .repeatedTest, "\(first)\(others) ran more than once; the worst outcome is shown.", input: name)
  }

  func knowsCases(of function: TestCaseID) -> Bool {
    functions[function]?.contains { $0.id.argument != nil } ?? false
  }
}

extension Observation {
  /// The same test again: the worse outcome stands, with everything that was recorded.
  fileprivate func merging(_ other: Observation) -> Observation {
    let worst = OutcomeTable.worse(outcome, other.outcome)
    var merged = outcome == worst ? self : other
    merged.issues = issues + other.issues
    merged.evidence = evidence + other.evidence
    merged.attempts = attempts + other.attempts
    return merged
  }
}
