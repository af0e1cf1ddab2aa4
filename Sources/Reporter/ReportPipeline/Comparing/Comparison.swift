import Collector
import ExhibitSystem
import Foundation
import ReportHistory
import ReportModel
import ReportReading

/// Runs failed tests with another commit's code, and keeps what passing ones do there.
struct Comparison {
  static let lastPassName = "last-pass"

  let run: TestRun
  let name: String
  let lastPass: ([TestCaseID]) -> LastPass
  private(set) var losses: [String] = []
  private(set) var told: [String] = []
  private(set) var outcomes: [TestCaseID: Outcome] = [:]

  private var compared: ComparedRun { ComparedRun(of: run.run) }

  mutating func perform(_ failed: FailedTests) {
    do {
      try compare(failed)
    } catch {
      say("The failed tests were not compared with \(name). \(error.sentence)")
    }
    do {
      try compared.write(remarks: told, outcomes: outcomes)
    } catch {
      losses.append("What was said of the comparison could not be kept: \(error.sentence)")
    }
  }

  private mutating func say(_ sentence: String) {
    told.append(sentence)
    run.say(sentence)
  }

  private mutating func compare(_ failed: FailedTests) throws {
    let package = try GitPackage(folder: run.arguments.packageFolder, environment: run.environment)
    let commit = try commit(package, failed)
    try checkEnd()
    if try package.isUnchanged(since: commit.hash) {
      throw Git.Problem(
        description: "It is the code that was tested, without any change; --rerun-failed runs that again.")
    }
    try keep(commit, package)
    let scratch = run.arguments.scratchFolder
    let checkout = try ComparedCheckout(
      package, scratch: scratch, environment: run.environment, say: run.say)
    defer { if let sentence = checkout.makeRoom() { say(sentence) } }
    try checkout.checkRoom(scratch: scratch)
    for sentence in try checkout.checkOut(commit.hash) { say(sentence) }
    guard FileSystem.status(checkout.packageFolder + "/Package.swift") != nil else {
      throw Git.Problem(description: "The package is not in that commit.")
    }
    for sentence in try checkout.prepare(scratch: scratch) { say(sentence) }
    try checkEnd()
    let arguments = run.arguments.elsewhere(package: checkout.packageFolder, scratch: checkout.scratch)
    try build(arguments, commit, in: checkout)
    try test(failed, arguments, commit)
  }

  private func checkEnd() throws(Git.Problem) {
    if SignalForwarding.isAskedToEnd { throw .interrupted }
  }

  // MARK: - The commit

  private mutating func commit(_ package: GitPackage, _ failed: FailedTests) throws(Git.Problem)
    -> ComparedCommit
  {
    guard name == Self.lastPassName else { return try package.commit(name) }
    switch lastPass(failed.cases.sorted()) {
    case .commit(let hash, let passed):
      var commit = try package.commit(hash)
      if passed < failed.cases.count {
        say(
          "No commit of the history passed all \(failed.cases.count) failed tests; \(commit.shortHash) passed \(passed)."
        )
      }
      commit.name = name
      return commit
    case .none(let sentence): throw Git.Problem(description: sentence)
    }
  }

  private mutating func keep(_ commit: ComparedCommit, _ package: GitPackage) throws(Git.Problem) {
    var commit = commit
    let (changes, isCut) = try package.changes(since: commit.hash)
    commit.changes = changes
    if isCut {
      say(
        "Of what changed since \(name) the first \(counted(changes.count, "hunk")) are known; there are more."
      )
    }
    do {
      try compared.write(commit)
    } catch {
      throw Git.Problem(description: "The commit cannot be kept: \(error.sentence)")
    }
  }

  // MARK: - Building and running

  private func build(
    _ arguments: SwiftTestArguments, _ commit: ComparedCommit, in checkout: ComparedCheckout
  ) throws {
    run.say(
      "Building \(name) (\(commit.shortHash)) to compare with it"
        + (checkout.isBuilt ? "." : ", which the first time is a whole build."))
    SignalForwarding.prepare()
    let ran = try ChildProcess.run(
      "swift", ["build"] + arguments.build, environment: run.environment, input: checkout.lock,
      keeping: 4 << 20, isSilent: false)
    try checkEnd()
    if ran.end == .exited(0) { return }
    throw Git.Problem(
      description: Self.failure(ofBuild: String(decoding: ran.output.bytes, as: UTF8.self), arguments))
  }

  private static func failure(ofBuild output: String, _ arguments: SwiftTestArguments) -> String {
    let lines = output.split(separator: "\n")
    if lines.contains(where: { $0.contains("No space left on device") }) {
      return "The disk became full while it was built."
    }
    let isError = { (line: Substring) in line.hasPrefix("error: ") || line.contains(": error: ") }
    let index = lines.firstIndex(where: isError)
    // Git's reason for a dependency is indented below the error.
    let reason = index.flatMap { index in
      lines[(index + 1)...].prefix { $0.hasPrefix(" ") }.first { $0.contains("fatal: ") }
    }
    let first = index.map { lines[$0] } ?? lines.last ?? "It printed nothing."
    let told = [first, reason].compactMap { $0?.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    return "It does not build: "
      + printedLine(String(told.prefix(500))).replacing(arguments.packageFolder + "/", with: "") + "."
      + (reason == nil ? " Files that git ignores are not there." : "")
  }

  /// Runs them twice: two passes tell what varies.
  private mutating func test(
    _ failed: FailedTests, _ arguments: SwiftTestArguments, _ commit: ComparedCommit
  ) throws(Git.Problem) {
    var wanted = failed
    for round in 0...1 where !wanted.functions.isEmpty {
      run.say(
        "\(counted(wanted.functions.count, "failed test")) \(wanted.functions.count == 1 ? "runs" : "run") with \(name)"
          + (round == 0 ? "." : " once more, which shows what varies."))
      var ran: TestRun?
      for functions in wanted.invocations {
        ran = try test(functions, arguments, round)
        try checkEnd()
      }
      guard round == 0, let ran else { continue }
      let ended = (ran.tests(inRound: 0) ?? []).filter { failed.cases.contains($0.id) }
      outcomes = Dictionary(ended.map { ($0.id, $0.outcome) }, uniquingKeysWith: { first, _ in first })
      guard tell(failed, outcomes, ran) else { return }
      wanted = failed.only(failed.cases.filter { outcomes[$0]?.hasPassed == true })
    }
  }

  private mutating func test(
    _ functions: [FailedTests.Function], _ arguments: SwiftTestArguments, _ round: Int
  ) throws(Git.Problem) -> TestRun {
    do {
      let there = try run.again(functions, by: arguments, artifacts: compared.path, round: round)
      losses += try there.perform().losses
      return there
    } catch {
      throw Git.Problem(description: "The tests cannot run there. \(error)")
    }
  }

  /// Says which tests cannot be compared, and returns false where none can.
  private mutating func tell(
    _ failed: FailedTests, _ outcomes: [TestCaseID: Outcome], _ there: TestRun
  ) -> Bool {
    let cases = failed.cases.sorted()
    func names(_ tests: [TestCaseID]) -> String {
      listed(tests.map(\.description), most: 3, rest: "other")
    }
    if FileSystem.status(there.run.logsFolder) == nil {
      say(
        "Attach is not linked in \(name), or no test ran there, so that nothing tells what the tests did there."
      )
      return false
    }
    let failing = cases.filter { outcomes[$0]?.isFailure == true }
    let passing = cases.count { outcomes[$0]?.hasPassed == true }
    if passing > 0 {
      run.say(
        "\(passing) of \(counted(cases.count, "failed test")) \(passing == 1 ? "passes" : "pass") with \(name)."
      )
    }
    if !failing.isEmpty {
      say("With \(name) \(failing.count == 1 ? "this fails" : "these fail") too: \(names(failing)).")
    }
    let missing = cases.filter { outcomes[$0] == nil || outcomes[$0] == .skipped }
    if !missing.isEmpty {
      say(
        "In \(name) \(missing.count == 1 ? "this test" : "these tests") did not run, or there is none: \(names(missing))."
      )
    }
    guard FileSystem.status(there.run.path + "/passes") == nil else { return true }
    if cases.contains(where: { outcomes[$0] == .passed }) {
      say(
        "Of what passed with \(name) no steps are recorded: no test used a database, or Attach there is of a version that "
          + "does not record them.")
    }
    return false
  }
}
