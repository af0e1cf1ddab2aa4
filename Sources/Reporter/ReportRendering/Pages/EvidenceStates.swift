import Collector
import ReportInspection
import ReportModel
import ReportStory

/// Which state of a database evidence is, and how it differs from the one that its test started from.
func setStates(
  of evidence: TestEvidence, number: Int, of test: TestResult, in context: PageContext,
  _ values: inout TemplateValues
) {
  values.set("state", to: evidence.stateText)
  values.set("foreignWAL", to: foreignWALValues(evidence))
  let databases = context.contents.databases
  guard let baseline = evidence.database?.baseline, let before = databases[baseline],
    let after = evidence.path.flatMap({ databases[$0] })
  else { return }
  var states = databaseStatesValues(from: before, to: after, of: evidence.source)
  states.set(
    "browser", to: tableBrowserValues(evidence, number: number, of: test, isBefore: true, in: context))
  states.set("baseline", to: context.link(to: baseline))
  let name = context.single == nil ? context.contents.finishedPath(baseline) : baseline
  states.set("baselineName", to: visibleOnOneLine(name))
  states.set("download", to: context.single == nil ? nil : fileName(name))
  values.set("states", to: states)
}

/// A database that is as it was, or that another one of its test is like, is no second dump of the same rows: what
/// differs is shown, and the rest is folded.
func setComparison(
  of evidence: TestEvidence, in test: TestResult, _ context: PageContext, _ values: inout TemplateValues
) {
  let contents = context.contents
  for name in ["difference", "same", "folded", "foldsStates"] { values.set(name, to: nil) }
  guard let path = evidence.path, contents.databases[path] != nil else { return }
  if let changes = contents.changes[path], changes.tables.isEmpty, changes.problems.isEmpty {
    values.set("same", to: "It is as it was when the test started.")
    values.set("folded", to: "What is in it")
    values.set("changes", to: nil)
    values.set("foldsStates", to: true)
  } else if let difference = contents.differences[path],
    let other = test.evidence.first(where: { $0.path == difference.other })
  {
    values.set("folded", to: "All that is in it")
    let (changes, named) = (difference.changes, visibleOnOneLine(other.description(for: evidence)))
    let states = contents.stories[test.id]?.states ?? []
    if changes.tables.isEmpty, changes.problems.isEmpty {
      values.set("same", to: "It has the same schema and rows as \(named).")
    } else if states.contains(where: { $0.path == path && $0.source == .uncommittedCopy }) {
      values.set("same", to: "How it differs from \(named) is told under What the test did.")
    } else {
      values.set(
        "difference", to: changesValues(changes, baseline: nil, title: "Difference", since: named))
    }
  }
}

/// Said once, where the database itself is shown.
private func foreignWALValues(_ evidence: TestEvidence) -> TemplateValues? {
  guard let capture = evidence.database, capture.view == .alone else { return nil }
  let rawFiles = evidence.rawFiles.isEmpty ? "" : " The files themselves are linked below as raw files."
  let signs = capture.walSigns.joined(separator: ", ")
  let reason = "The -wal beside \(evidence.source ?? "it") is not this database's own: \(signs)."
  return [
    "reason": signs.isEmpty ? nil : visible(reason),
    "views":
      "Below are both views: the database file alone, and what SQLite reads as soon as anything opens the"
      + " database beside this -wal.\(rawFiles)",
    "remedy": "Checkpoint, close every connection, and remove -wal and -shm before another file takes the"
      + " database’s place. The product StoreMigration puts no file there: it migrates a copy and writes it into the"
      + " store in one transaction, so that the store is as before or as after whatever happens.",
  ]
}

extension TestEvidence {
  /// Its name, and which state of the database it is where there are several.
  ///
  /// - Parameter other: What it is told to.
  fileprivate func description(for other: TestEvidence) -> String {
    switch database?.view {
    case nil: source != nil && source == other.source ? "what was committed of \(name)" : source ?? name
    case .uncommitted: "\(name) with uncommitted rows"
    case .withForeignWAL, .alone: "\(name), \(stateText ?? "")"
    }
  }

  /// Which of two views it is, where the WAL beside a database is not its own.
  var stateText: String? {
    switch database?.view {
    case .withForeignWAL: "as SQLite reads it with the foreign -wal"
    case .alone: "the database file alone"
    case .uncommitted, nil: nil
    }
  }
}
