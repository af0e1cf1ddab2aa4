import Collector
package import ReportHistory
import ReportModel

/// The output of `reporter history`.
package enum PrintedHistory {
  case overview(HistoryOverview)
  case test([NamedPast])

  /// JSON; see docs/history.md.
  package var json: [UInt8] {
    JSONText.printed { json in
      switch self {
      case .overview(let overview):
        json.objects("failing", overview.failing) { $0.write($1) }
        json.objects("flaky", overview.flaky) { $0.write($1) }
        json.objects("runs", overview.runs) { $0.write($1) }
      case .test(let pasts): json.objects("pasts", pasts) { $0.write($1) }
      }
    }
  }

  package func text(_ settings: TerminalSettings) -> String {
    let lines =
      switch self {
      case .overview(let overview): Self.lines(overview)
      case .test(let pasts): pasts.flatMap(Self.lines)
      }
    return lines.coloured(settings.isColoured)
  }

  // MARK: - Lines

  private static func lines(_ overview: HistoryOverview) -> [TerminalLine] {
    var lines = [TerminalLine("Runs", .strong)]
    lines += overview.runs.isEmpty ? [TerminalLine("none")] : overview.runs.map(line)
    for (title, pasts) in [("Failing", overview.failing), ("Flaky", overview.flaky)] where !pasts.isEmpty {
      lines += [TerminalLine(""), TerminalLine("\(title): \(grouped(pasts.count))", .strong)]
      for past in pasts.prefix(mostTests) {
        lines.append(
          TerminalLine(
            joined([past.past.strip, past.identity], by: "  ") ?? past.identity,
            title == "Failing" ? .failed : .odd))
        let facts = [past.past.sentence, past.label]
        lines.append(TerminalLine("  " + facts.compactMap { $0 }.joined(separator: " · "), .soft))
      }
      if pasts.count > mostTests {
        lines.append(TerminalLine("… \(counted(pasts.count - mostTests, "more test"))"))
      }
    }
    return lines
  }

  private static let mostTests = 50

  private static func line(_ counted: TrendRun) -> TerminalLine {
    let sign = counted.failures > 0 ? Outcome.failed.symbol : Outcome.passed.symbol
    let flaky = counted.flaky > 0 ? ", \(grouped(counted.flaky)) flaky" : ""
    let counts = "\(grouped(counted.tests)) tests, \(grouped(counted.failures)) failed\(flaky)"
    let time = counted.seconds.flatMap(durationText).map { "\($0) from start to end" }
    let facts = [
      timeText(counted.run.began), counts, time, counted.run.stateText, counted.run.branch, counted.run.label,
    ]
    return TerminalLine(
      "\(sign) " + facts.compactMap { $0 }.joined(separator: " · "), counted.failures > 0 ? .failed : .plain)
  }

  private static func lines(_ named: NamedPast) -> [TerminalLine] {
    var lines = [TerminalLine("\(named.identity) · \(named.label)", .strong)]
    lines += named.past.sentence.map { [TerminalLine($0)] } ?? []
    for outcome in named.past.outcomes.reversed() {
      let facts = [
        timeText(outcome.run.began), outcome.run.stateText, outcome.run.branch,
        outcome.duration.flatMap(durationText), outcome.isFlaky ? "after a failed attempt" : nil,
        outcome.message,
      ]
      lines.append(
        TerminalLine(
          "\(outcome.outcome.symbol) " + facts.compactMap { $0 }.joined(separator: " · "),
          outcome.outcome.isFailure ? .failed : .plain))
    }
    if named.past.hasEarlier { lines.append(TerminalLine("… earlier ones", .soft)) }
    return lines + [TerminalLine("")]
  }
}

extension JSONText {
  fileprivate mutating func write(_ counted: TrendRun) {
    member("address", counted.run.address)
    member("began", counted.run.began)
    member("branch", counted.run.branch)
    member("commit", counted.run.commit)
    member("dirty", counted.run.isDirty)
    member("ended", counted.run.ended)
    member("failures", counted.failures)
    member("flaky", counted.flaky)
    member("label", counted.run.label)
    member("name", counted.run.name)
    member("tests", counted.tests)
  }

  fileprivate mutating func write(_ named: NamedPast) {
    member("id", named.identity)
    member("label", named.label)
    write(named.past, named.past.outcomes)
  }
}
