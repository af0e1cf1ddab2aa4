package import Collector
import Foundation
import ReportModel
import ReportPlaces
package import ReportStory

extension PassOrigin {
  /// `run again`, or `at 3f2c1a9 of 2026-11-24: Tidy bins`.
  var text: String {
    guard case .commit(let commit) = self else { return words(longest: 80) }
    return "at \(commit.shortHash) of \(dayText(commit.date)): \(shortened(commit.subject, to: 80))"
  }
}

extension ChangedLines {
  /// The file with the lines as they are now, and the commit that changed them.
  var title: String {
    let commit = lastCommit.map {
      ", changed in \(shortCommit($0.hash)) on \(dayText($0.date)): \(shortened($0.subject, to: 80))"
    }
    return "\(path), \(linesText)\(commit ?? ", changed since")"
  }
}

extension PassComparison {
  /// The numbers of alike and different steps in a sentence.
  var tally: String {
    if isTooDifferent { return "The two runs have so little in common that nothing more is told." }
    if different == 0 { return "\(counted(alike, "step")) were alike, and none was different." }
    let part = first == nil ? " None is known to reach the failure." : ""
    return "\(counted(alike, "step")) alike, \(counted(different, "difference")).\(part)\(surroundings)"
  }

  /// The passes that were not compared with, in a sentence; empty without any.
  var passedOverText: String {
    guard let first = passedOver.first else { return "" }
    let others = passedOver.count > 1 ? " and \(counted(passedOver.count - 1, "other"))" : ""
    return "The pass \(first.text)\(others) had too little in common with this run, and is passed over. "
  }

  /// The comparison as lines of text, from the first difference on.
  func printed(most: Int) -> [TerminalLine] {
    let what = isOfSibling ? "the steps" : "the test"
    var lines = [TerminalLine("Compared with \(what) \(origin.text). \(passedOverText)\(tally)", .soft)]
    let start = first ?? 0
    guard different > 0 else { return lines }
    for row in rows[start...].prefix(most) {
      if row.alike > 0 {
        lines.append(TerminalLine("  … \(counted(row.alike, "step")) alike", .soft))
        continue
      }
      let number = row.failed.map { "step \($0.number)" } ?? "no step"
      let place = (row.failed ?? row.passed)?.place.map { " \($0.text)" } ?? ""
      lines.append(TerminalLine("! \(number)\(place): \(row.words.text)", .odd))
      if let failed = row.failed { lines.append(TerminalLine("    now:  \(Self.line(failed))")) }
      if let passed = row.passed { lines.append(TerminalLine("    then: \(Self.line(passed))")) }
      if let related = row.related { lines += related.printed(ReferenceNames(), indent: "    ") }
    }
    let rest = rows.count - start - most
    if rest > 0 { lines.append(TerminalLine("  … \(counted(rest, "more line"))", .soft)) }
    for change in changes {
      lines.append(TerminalLine(change.title, .strong))
      lines += change.lines.map { TerminalLine("  " + $0, .soft) }
    }
    return lines
  }

  private static func line(_ side: Side) -> String {
    shortened(side.statement.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: 400)
  }
}

/// The comparison of what tests did in two runs, as a text for the terminal or as Markdown.
package struct PrintedComparisons {
  /// Rows of the comparison of one test, and of each of several.
  private static let (mostRows, fewRows) = (400, 3)

  private let title: String
  private let lines: [TerminalLine]

  /// - Parameter name: The user's name for the test.
  package init(_ comparison: PassComparison, of name: String) {
    title = name
    lines = comparison.printed(most: Self.mostRows)
  }

  /// - Parameters:
  ///   - tests: The tests that passed in both runs and did not do the same.
  ///   - count: The number of tests that passed in both.
  package init(_ tests: [(id: TestCaseID, comparison: PassComparison)], of count: Int) {
    title =
      "\(counted(count, "test")) passed in both runs with steps, and \(tests.isEmpty ? "none" : grouped(tests.count)) did something else"
    lines = tests.flatMap { test in
      [TerminalLine(test.id.description, .strong)] + test.comparison.printed(most: Self.fewRows)
    }
  }

  package func text(isColoured: Bool, isMarkdown: Bool) -> String {
    if isMarkdown {
      return "# \(codeSpan(shortened(title, to: 200)))\n\n"
        + codeBlock(lines.map(\.text).joined(separator: "\n"))
    }
    return ([TerminalLine(title, .strong)] + lines).coloured(isColoured)
  }
}
