package import Collector

/// A run of a test that passed, with the steps that it recorded.
package struct PassedRun: Sendable {
  package var origin: PassOrigin
  /// Seconds since 1970 when the test began; `nil` where that is not known.
  package var began: Double?
  /// The run whose folder has it, or what stands for one of a history; its addresses are of the code that ran there.
  package var folder: String
  /// Its story, as `story.jsonl` has those of failed tests; of a history maybe packed as it has it.
  package var lines: [UInt8]
  package var isPacked = false
  /// The known differences between passes of the test.
  package var varied: Set<PassVariation> = []

  package init(origin: PassOrigin, began: Double?, folder: String, lines: [UInt8]) {
    (self.origin, self.began, self.folder, self.lines) = (origin, began, folder, lines)
  }
}

/// Something that is not the same in each pass of a test; it has no values.
package struct PassVariation: Hashable, Comparable, Sendable, Codable {
  /// The statement on one line, with marks in the place of literals, cut at `mostBytes`.
  package var statement: String
  /// The kind of difference, such as `rows read`.
  package var kind: String

  /// The most bytes of a statement.
  package static let mostBytes = 1000

  package init(statement: String, kind: String) {
    self.statement = String(decoding: statement.utf8.prefix(Self.mostBytes), as: UTF8.self)
    self.kind = kind
  }

  package static func < (one: Self, two: Self) -> Bool {
    (one.statement, one.kind) < (two.statement, two.kind)
  }
}

/// The source of a pass.
package enum PassOrigin: Sendable, Equatable {
  /// The same code, run again.
  case rerun
  /// Other code.
  case commit(ComparedCommit)
  /// Another run, by its name.
  case run(String)
  /// An earlier run of the history.
  case history(EarlierRun)
  /// Another test of the same run.
  case sibling(TestCaseID)
  /// The same code with one thing changed.
  case experiment

  package var commit: ComparedCommit? { if case .commit(let commit) = self { commit } else { nil } }

  /// The changes in the package since.
  package var changes: [ChangedLines] {
    switch self {
    case .rerun, .run, .sibling, .experiment: []
    case .commit(let commit): commit.changes
    case .history(let run): run.changes
    }
  }

  package var isHistory: Bool { if case .history = self { true } else { false } }

  /// True when two passes are known to be of the same code, so that what differs between them varies anyway.
  package func hasCode(of other: PassOrigin) -> Bool {
    if case .history(let run) = self, case .history(let earlier) = other { return run.hasCode(of: earlier) }
    return self == other
  }

  /// `it passed when it ran again`, or `it passed at 3f2c1a9, Tidy bins`.
  package var passWords: String {
    switch self {
    case .rerun: "it passed when it ran again"
    case .experiment: "it passed with that change"
    case .sibling(let test): "so \(test.caseName(longest: 50)) passed"
    default: "it passed \(words())"
    }
  }

  /// `since`, or `since 3f2c1a9, maybe before it passed`.
  package var sinceWords: String {
    guard case .history(let run) = self, run.isDirty, let commit = run.commit else { return "since" }
    return "since \(shortCommit(commit)), maybe before it passed"
  }

  /// `run again`, or `at 3f2c1a9, Tidy bins`.
  ///
  /// - Parameter longest: Characters of a run's name or a commit's subject.
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

/// An earlier run in which a test passed.
package struct EarlierRun: Sendable, Equatable {
  /// The full hash of its commit.
  package var commit: String?
  /// True when files had changed since that commit, or nobody knows.
  package var isDirty: Bool
  /// Seconds since 1970 when it began.
  package var date: Double
  /// What the history calls its machine, if that is another one.
  package var label: String?
  /// What changed in the package since its commit, as far as git tells it.
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

  /// True when both were runs of one commit and nothing else, on machines of one label.
  fileprivate func hasCode(of other: EarlierRun) -> Bool {
    commit != nil && commit == other.commit && !isDirty && !other.isDirty && label == other.label
  }
}

/// A commit with which a run is compared.
package struct ComparedCommit: Sendable, Equatable, Codable {
  /// The user's name for it.
  package var name: String
  /// The full hash.
  package var hash: String
  /// The first line of its message.
  package var subject: String
  /// Seconds since 1970 when it was made.
  package var date: Double
  /// The changes in the package since, as `git diff` tells them.
  package var changes: [ChangedLines]

  package init(name: String, hash: String, subject: String, date: Double, changes: [ChangedLines]) {
    (self.name, self.hash, self.subject, self.date) = (name, hash, subject, date)
    self.changes = changes
  }

  package var shortHash: String { shortCommit(hash) }
}

/// Lines of a file that have changed since a commit: a hunk.
package struct ChangedLines: Sendable, Equatable, Codable {
  /// The path of the file as it is now, or was where it is gone, relative to the package's folder.
  package var path: String
  /// The number of the first line and how many there are, as they were and as they are.
  package var oldStart: Int
  package var oldCount: Int
  package var newStart: Int
  package var newCount: Int
  /// The hunk's lines, each with its `-`, `+` or space.
  package var lines: [String]
  /// The last commit that changed them; `nil` where they are not committed or that is not known.
  package var lastCommit: LastCommit?

  /// The numbers of the lines that were added.
  package var added: [Int] {
    var (line, added): (Int, [Int]) = (newStart, [])
    for text in lines {
      if text.first == "+" { added.append(line) }
      if text.first != "-", text.first != "\\" { line += 1 }
    }
    return added
  }

  /// The lines that were added, without those around them; of lines that are gone the place where they stood.
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
    /// Seconds since 1970.
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

/// The beginning of a commit's hash, by which people call it.
package func shortCommit(_ hash: String) -> String { String(hash.prefix(7)) }

extension TestCaseID {
  /// The name of a function with the arguments of a case.
  package func caseName(longest: Int) -> String {
    shortened(argument.map { "\(name) with \($0.description)" } ?? name, to: longest)
  }
}
