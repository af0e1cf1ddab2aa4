package import Collector

/// A run in which a test passed, with its recorded steps.
package struct PassedRun: Sendable {
  package var origin: PassOrigin
  /// Seconds since 1970.
  package var began: Double?
  /// The run's folder, or a name for a history's.
  package var folder: String
  /// The pass's `story.jsonl`; a history may have packed it.
  package var lines: [UInt8]
  package var isPacked = false
  package var varied: Set<PassVariation> = []

  package init(origin: PassOrigin, began: Double?, folder: String, lines: [UInt8]) {
    (self.origin, self.began, self.folder, self.lines) = (origin, began, folder, lines)
  }
}

package struct PassVariation: Hashable, Comparable, Sendable, Codable {
  /// On one line, with marks for literals, cut at `mostBytes`.
  package var statement: String
  package var kind: String

  package static let mostBytes = 1000

  package init(statement: String, kind: String) {
    self.statement = String(decoding: statement.utf8.prefix(Self.mostBytes), as: UTF8.self)
    self.kind = kind
  }

  package static func < (one: Self, two: Self) -> Bool {
    (one.statement, one.kind) < (two.statement, two.kind)
  }
}

package enum PassOrigin: Sendable, Equatable {
  case rerun
  case commit(ComparedCommit)
  case run(String)
  case history(EarlierRun)
  /// Another test of the same run.
  case sibling(TestCaseID)
  case experiment

  package var commit: ComparedCommit? { if case .commit(let commit) = self { commit } else { nil } }

  package var changes: [ChangedLines] {
    switch self {
    case .rerun, .run, .sibling, .experiment: []
    case .commit(let commit): commit.changes
    case .history(let run): run.changes
    }
  }

  package var isHistory: Bool { if case .history = self { true } else { false } }

  /// True when both surely had the same code.
  package func hasCode(of other: PassOrigin) -> Bool {
    if case .history(let run) = self, case .history(let earlier) = other { return run.hasCode(of: earlier) }
    return self == other
  }

  /// `it passed when it ran again`, `it passed at 3f2c1a9, Tidy bins`.
  package var passWords: String {
    switch self {
    case .rerun: "it passed when it ran again"
    case .experiment: "it passed with that change"
    case .sibling(let test): "so \(test.caseName(longest: 50)) passed"
    default: "it passed \(words())"
    }
  }

  package var sinceWords: String {
    guard case .history(let run) = self, run.isDirty, let commit = run.commit else { return "since" }
    return "since \(shortCommit(commit)), maybe before it passed"
  }

  /// `run again`, `at 3f2c1a9, Tidy bins`.
  ///
  /// - Parameter longest: Characters of a name or subject.
  package func words(longest: Int = 50) -> String {
    switch self {
    case .rerun: "run again"
    case .experiment: "with the change"
    case .run(let name): "in run \(shortened(name, to: longest))"
    case .history(let run): run.words(longest: longest)
    case .sibling(let test): "of \(test.caseName(longest: longest)), which passed beside it"
    case .commit(let commit): "at \(commit.shortHash), \(shortened(commit.subject, to: longest))"
    }
  }
}

package struct EarlierRun: Sendable, Equatable {
  package var commit: String?
  /// Files had changed since that commit, or nobody knows.
  package var isDirty: Bool
  /// Seconds since 1970.
  package var date: Double
  package var label: String?
  package var changes: [ChangedLines]

  package init(
    commit: String?, isDirty: Bool, date: Double, label: String? = nil, changes: [ChangedLines] = []
  ) {
    (self.commit, self.isDirty, self.date) = (commit, isDirty, date)
    (self.label, self.changes) = (label, changes)
  }

  /// `in the run of 2026-11-24 at 3f2c1a9 with uncommitted changes on bookworm`.
  fileprivate func words(longest: Int) -> String {
    let code = commit.map { " at \(shortCommit($0))\(isDirty ? " with uncommitted changes" : "")" } ?? ""
    return "in the run of \(dayText(date))\(code)\(label.map { " on \(shortened($0, to: longest))" } ?? "")"
  }

  fileprivate func hasCode(of other: EarlierRun) -> Bool {
    commit != nil && commit == other.commit && !isDirty && !other.isDirty && label == other.label
  }
}

/// How a test ended with another commit's code.
package struct ComparedOutcome: Sendable, Equatable {
  /// What `--compare-with` named, such as `HEAD~1`.
  package var name: String
  package var commit: String
  package var outcome: Outcome

  package init(name: String, commit: String, outcome: Outcome) {
    (self.name, self.commit, self.outcome) = (name, commit, outcome)
  }

  package var hasPassed: Bool { outcome.hasPassed }
}

package struct ComparedCommit: Sendable, Equatable, Codable {
  package var name: String
  package var hash: String
  package var subject: String
  /// Seconds since 1970.
  package var date: Double
  package var changes: [ChangedLines]

  package init(name: String, hash: String, subject: String, date: Double, changes: [ChangedLines]) {
    (self.name, self.hash, self.subject, self.date) = (name, hash, subject, date)
    self.changes = changes
  }

  package var shortHash: String { shortCommit(hash) }
}

/// Changed lines of a file: a hunk.
package struct ChangedLines: Sendable, Equatable, Codable {
  package var path: String
  package var oldStart: Int
  package var oldCount: Int
  package var newStart: Int
  package var newCount: Int
  package var lines: [String]
  /// `nil` for uncommitted lines.
  package var lastCommit: LastCommit?

  package var added: [Int] {
    var (line, added): (Int, [Int]) = (newStart, [])
    for text in lines {
      if text.first == "+" { added.append(line) }
      if text.first != "-", text.first != "\\" { line += 1 }
    }
    return added
  }

  package var linesText: String {
    let added = self.added
    guard let first = added.first, let last = added.last else {
      return "at line \(max(1, newStart + lines.prefix { $0.first != "-" }.count))"
    }
    return first == last ? "line \(first)" : "lines \(first)–\(last)"
  }

  package struct LastCommit: Sendable, Equatable, Codable {
    package var hash: String
    package var subject: String
    package var date: Double

    package init(hash: String, subject: String, date: Double) {
      (self.hash, self.subject, self.date) = (hash, subject, date)
    }
  }

  package init(
    path: String, oldStart: Int, oldCount: Int, newStart: Int, newCount: Int, lines: [String],
    lastCommit: LastCommit? = nil
  ) {
    (self.path, self.lines, self.lastCommit) = (path, lines, lastCommit)
    (self.oldStart, self.oldCount) = (oldStart, oldCount)
    (self.newStart, self.newCount) = (newStart, newCount)
  }
}

package func shortCommit(_ hash: String) -> String { String(hash.prefix(7)) }

extension TestCaseID {
  package func caseName(longest: Int) -> String {
    shortened(argument.map { "\(name) with \($0.description)" } ?? name, to: longest)
  }
}
