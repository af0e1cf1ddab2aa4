import Collector
package import ReportHistory
import ReportModel

package let shownOutcomes = 12

extension TestPast {
  /// The last outcomes as symbols, oldest first.
  package var strip: String? { shown.isEmpty ? nil : shown.map(\.outcome.symbol).joined() }

  /// The last outcomes as digits for scripts.
  var signs: String { shown.map { String($0.outcome.severity) }.joined() }

  var line: String { [strip, sentence].compactMap { $0 }.joined(separator: " ") }

  var shown: ArraySlice<PastOutcome> { outcomes.suffix(shownOutcomes) }

  /// A sentence on the test's standing, if any.
  package var sentence: String? {
    switch standing {
    case .new: "new: no earlier run has this test"
    case .compared(let other):
      (other.hasPassed ? "new: it passes with " : "it fails too with ")
        + visibleOnOneLine(shortened(other.nameAndCommit, to: 100))
    case .failing(let since): Self.sentence(since)
    case .fixed(let run): "fixed: it failed on \(run.commitText)"
    case .flaky(let commit, let passed, let failed): Self.flakySentence(commit, passed, failed, outcomes.last)
    case .failingUncommitted(let passed):
      "failing with changes that are not committed" + (passed.map { "; passed on \($0.commitText)" } ?? "")
    case nil: nil
    }
  }

  var briefSentence: String? {
    guard case .failing(let since) = standing else { return sentence }
    return Self.briefSentence(since)
  }

  private static func sentence(_ since: FailingSince) -> String {
    briefSentence(since) + (since.passed.map { ", passed on \($0.commitText)" } ?? "")
  }

  private static func briefSentence(_ since: FailingSince) -> String {
    if since.isLonger { return "failing in at least \(counted(since.runs, "run"))" }
    let facts = [counted(since.runs, "run"), since.runs > 1 ? timeSpanText(since.seconds) : nil]
    return "failing since \(since.run.commitText) (\(facts.compactMap { $0 }.joined(separator: ", ")))"
  }

  private static func flakySentence(
    _ commit: String?, _ passed: Int, _ failed: Int, _ now: PastOutcome?
  ) -> String {
    if now?.isFlaky == true { return "flaky: failed and passed in this run" }
    let place = commit.map { " on \(shortCommit($0))" } ?? ""
    return "flaky: passed \(timesText(passed)) and failed \(timesText(failed))\(place)"
  }

  private static func timesText(_ count: Int) -> String { count == 1 ? "once" : "\(grouped(count)) times" }

  // MARK: - Pages

  /// `nil` without outcomes.
  var smallValues: TemplateValues? {
    if shown.isEmpty { return nil }
    let failures = shown.count { $0.outcome.isFailure }
    return [
      "marks": shown.map {
        ["style": $0.outcome.rawValue, "symbol": $0.outcome.symbol, "title": nil] as TemplateValues
      },
      "label": "Failed in \(grouped(failures)) of its last \(counted(shown.count, "run"))", "sentence": nil,
    ]
  }

  /// Values for template `past`.
  ///
  /// - Parameter sentence: Text beside the symbols.
  func values(sentence: String?) -> TemplateValues {
    let marks = shown.map { outcome -> TemplateValues in
      [
        "style": outcome.isFlaky ? "flaky" : outcome.outcome.rawValue,
        "symbol": outcome.isFlaky ? "↻" : outcome.outcome.symbol,
        "isDirty": outcome.run.isDirty == true, "title": visibleOnOneLine(shortened(outcome.title, to: 300)),
      ]
    }
    let words = shown.map { $0.outcome.word.lowercased() }.joined(separator: ", ")
    return [
      "marks": marks, "label": "Its last \(counted(shown.count, "run")), oldest first: \(words)",
      "sentence": sentence, "whole": self.sentence,
    ]
  }
}

extension ComparedOutcome {
  /// `HEAD~1 (1a2b3c4)`, or the commit where that was named.
  fileprivate var nameAndCommit: String {
    commit.hasPrefix(name) ? shortCommit(commit) : "\(name) (\(shortCommit(commit)))"
  }
}

extension HistoryRun {
  /// Its commit, or else its time.
  var commitText: String { commit.map(shortCommit) ?? timeText(began) ?? visibleOnOneLine(name) }

  /// Its commit, with a note on uncommitted changes.
  var stateText: String? { commit.map { shortCommit($0) + (isDirty == true ? " with changes" : "") } }
}

/// A time span in its largest unit: `40 minutes`, `5 hours`, `2 days`.
package func timeSpanText(_ seconds: Double) -> String {
  guard seconds.isFinite, seconds < 1e10 else { return "a long time" }
  if seconds < 3600 { return counted(max(1, Int((seconds / 60).rounded())), "minute") }
  if seconds < 36 * 3600 { return counted(Int((seconds / 3600).rounded()), "hour") }
  return counted(Int((seconds / 86_400).rounded()), "day")
}

// MARK: - Pages

extension PastOutcome {
  fileprivate var title: String {
    [
      outcome.word, isFlaky ? "after a failed attempt" : nil, run.stateText, run.branch, timeText(run.began),
    ].compactMap { $0 }.joined(separator: " · ")
  }
}

// MARK: - report.json

extension JSONText {
  mutating func write(_ past: TestPast, _ outcomes: [PastOutcome]) {
    objects("outcomes", outcomes) { json, outcome in
      json.member("began", outcome.run.began)
      json.member("branch", outcome.run.branch)
      json.member("commit", outcome.run.commit)
      json.member("dirty", outcome.run.isDirty)
      json.member("duration", outcome.duration)
      json.member("flaky", outcome.isFlaky)
      json.member("message", outcome.message)
      json.member("outcome", outcome.outcome.rawValue)
      json.member("run", outcome.run.name)
    }
    member("sentence", past.sentence)
    member("standing", past.standing?.key)
  }
}

extension TestPast.Standing {
  fileprivate var key: String {
    switch self {
    case .new: "new"
    case .compared(let other): other.hasPassed ? "new" : "failing"
    case .failing: "failing"
    case .fixed: "fixed"
    case .flaky: "flaky"
    case .failingUncommitted: "failingUncommitted"
    }
  }
}
