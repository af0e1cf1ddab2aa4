import Collector
package import ReportModel

/// A run in the history.
package struct HistoryRun: Sendable, Equatable {
  /// Identifies the run across machines.
  package var key: String
  package var name: String
  /// Names machines and toolchain; outcomes are compared within one label.
  package var label: String
  package var commit: String?
  /// True with uncommitted changes; `nil` when unknown.
  package var isDirty: Bool?
  package var branch: String?
  package var address: String?
  /// Seconds since 1970.
  package var began: Double
  package var ended: Double?

  /// True when its machine's clock was ahead.
  func isAhead(of now: Double) -> Bool { began > now + Report.Run.mostAhead }

  /// Seconds from its start, before anything is built, to its last test's end, if plausible.
  package var seconds: Double? {
    guard let ended, case let seconds = ended - began, seconds >= 0, seconds < 1e7 else { return nil }
    return seconds
  }

  /// The commit, without uncommitted changes.
  package var cleanCommit: String? { isDirty == false ? commit : nil }
}

extension HistoryRun {
  /// The run of a report, possibly made of shards; `nil` for several runs or an unknown start.
  ///
  /// - Parameter label: The user's label; by default CI job and toolchain.
  package init?(_ report: Report, label: String?) {
    // Independent of names on pages.
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

  /// True for all shards of one split and commit, each once.
  private static func areShardsOfOne(_ runs: [Report.Run]) -> Bool {
    let shards = runs.compactMap(\.shard)
    return shards.count == runs.count && Set(shards.map(\.split)).count == 1
      && Set(shards.map(\.number)).count == shards.first?.count && runs.count == shards.first?.count
      && Set(runs.map(\.commit)).count == 1 && runs.allSatisfy { $0.start != nil }
  }

  /// True when any run had uncommitted changes; `nil` if one may have.
  private static func areDirty(_ runs: [Report.Run]) -> Bool? {
    if runs.contains(where: { $0.isDirty == true }) { return true }
    return runs.contains { $0.isDirty == nil } ? nil : false
  }
}

package struct PastOutcome: Sendable, Equatable {
  package var run: HistoryRun
  package var outcome: Outcome
  /// True when a later attempt passed.
  package var isFlaky = false
  package var duration: Double?
  /// Its failure's message without values.
  package var message: String?
}

extension PastOutcome {
  init(_ test: TestResult, in run: HistoryRun) {
    self.init(
      run: run, outcome: test.outcome, isFlaky: test.isFlaky, duration: test.duration,
      message: FoldedMessage(of: test)?.text)
  }

  /// A skipped test or a known issue is neither pass nor failure.
  package var hasPassed: Bool { outcome == .passed }
}

/// A failure's message without values, so that equal failures compare equal.
package struct FoldedMessage: Sendable, Equatable {
  static let mostBytes = 1000

  package var text: String

  /// `nil` without a failure message.
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

  /// Replaces each absolute path by one character.
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
