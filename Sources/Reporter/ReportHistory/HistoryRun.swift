import Collector
package import ReportModel

/// A run as the history keeps it.
package struct HistoryRun: Sendable, Equatable {
  /// The text that tells it from any other run, also of another machine.
  package var key: String
  package var name: String
  /// The name of the machines and toolchain that ran it; outcomes of two labels are never compared.
  package var label: String
  /// The full hash of the commit that was checked out.
  package var commit: String?
  /// True when files that git tracks had changed since; `nil` where that is not known.
  package var isDirty: Bool?
  package var branch: String?
  /// The page of the CI job.
  package var address: String?
  /// Seconds since 1970.
  package var began: Double
  package var ended: Double?

  /// True when the clock of its machine was ahead.
  func isAhead(of now: Double) -> Bool { began > now + Report.Run.mostAhead }

  /// The commit, where what ran was that commit and nothing else.
  package var cleanCommit: String? { isDirty == false ? commit : nil }
}

extension HistoryRun {
  /// The run of a report on one, or on the shards of one; `nil` for others, and where a start is not known.
  ///
  /// - Parameter label: The user's label; otherwise its job, if it has one, and its toolchain.
  package init?(_ report: Report, label: String?) {
    // Their place, and so their name on pages, says nothing of them.
    let runs = report.runs.sorted {
      ($0.start ?? 0, $0.ownName, $0.host ?? "") < ($1.start ?? 0, $1.ownName, $1.host ?? "")
    }
    guard let run = runs.first, let began = run.start, runs.count == 1 || Self.areShardsOfOne(runs),
      let label = label ?? (Set(runs.map(\.lastingMachines)).count == 1 ? run.lastingMachines : nil)
    else { return nil }
    self.init(
      key: runs.map { "\($0.ownName) \($0.start ?? 0) \($0.host ?? "")" }.joined(separator: "\n"),
      name: run.ownName, label: label,
      commit: run.commit.flatMap { $0.isCommitHash ? $0 : nil }, isDirty: Self.areDirty(runs),
      branch: run.branch, address: run.link, began: began)
    ended = report.tests.detailed.lazy.compactMap { test in
      report.tests[test].span.map { $0.start + (report.tests[test].duration ?? 0) }
    }.max()
  }

  /// True when all are shards of one split and commit, each there once.
  private static func areShardsOfOne(_ runs: [Report.Run]) -> Bool {
    let shards = runs.compactMap(\.shard)
    return shards.count == runs.count && Set(shards.map(\.split)).count == 1
      && Set(shards.map(\.number)).count == shards.first?.count && runs.count == shards.first?.count
      && Set(runs.map(\.commit)).count == 1 && runs.allSatisfy { $0.start != nil }
  }

  /// True when files had changed for one of them; `nil` where that may be.
  private static func areDirty(_ runs: [Report.Run]) -> Bool? {
    if runs.contains(where: { $0.isDirty == true }) { return true }
    return runs.contains { $0.isDirty == nil } ? nil : false
  }
}

/// The outcome of a test in a run.
package struct PastOutcome: Sendable, Equatable {
  package var run: HistoryRun
  package var outcome: Outcome
  /// True when it failed in one attempt and passed in a later one.
  package var isFlaky = false
  /// Seconds.
  package var duration: Double?
  /// The message of its failure, without values.
  package var message: String?
}

extension PastOutcome {
  init(_ test: TestResult, in run: HistoryRun) {
    self.init(
      run: run, outcome: test.outcome, isFlaky: test.isFlaky, duration: test.duration,
      message: FoldedMessage(of: test)?.text)
  }

  /// True when it passed at last; a skipped test, or one with only a known issue, says nothing.
  package var hasPassed: Bool { outcome == .passed }
}

/// The message of a failed test, without values: equal in two runs that failed alike.
package struct FoldedMessage: Sendable, Equatable {
  /// The most bytes of one.
  static let mostBytes = 1000

  package var text: String

  /// `nil` for a test that said nothing.
  package init?(of test: TestResult) {
    guard test.hasFailedOnce else { return nil }
    let issues = test.issues.isEmpty ? test.attempts.flatMap(\.issues) : test.issues
    guard let issue = issues.first(where: \.isFailure) ?? issues.first else { return nil }
    self.init(issue.message)
  }

  package init(_ message: String) {
    let folded = foldingValues(in: Self.withoutPaths(message))
    text = String(decoding: folded.utf8.prefix(Self.mostBytes), as: UTF8.self)
  }

  /// Absolute paths each become one sign.
  private static func withoutPaths(_ message: String) -> String {
    let words = message.utf8.prefix(8 * mostBytes).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: " ") })
    return words.map { word in
      let text = String(decoding: word, as: UTF8.self)
      guard let start = text.firstIndex(of: "/"), text[start...].dropFirst().contains("/"),
        start == text.startIndex || "(\"'`=:".contains(text[text.index(before: start)])
      else { return text }
      let end = text[start...].firstIndex { "\"'`),;\n".contains($0) } ?? text.endIndex
      return text[..<start] + "/…" + text[end...]
    }.joined(separator: " ")
  }
}
