import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// What only a database has in template `evidence`.
func databaseEvidenceValues(
  _ evidence: TestEvidence, number: Int, of test: TestResult, in context: PageContext
) -> TemplateValues {
  let (contents, isDatabase) = (context.contents, evidence.kind == .database)
  let story = contents.stories[test.id]
  let database = evidence.path.flatMap { contents.databases[$0] }
  let used = database.flatMap { UsedTables(of: evidence, in: $0, story) }
  let changes = evidence.path.flatMap { contents.changes[$0] }
  let changed = Set((changes?.tables ?? []).map { $0.name.lowercased() })
  // In one file only the database before has the link, which holds the whole file.
  let baseline = context.single == nil ? evidence.baseline.flatMap(context.link(to:)) : nil
  var values: TemplateValues = [
    "folds": isDatabase && evidence.path != nil,
    "isUnread": isDatabase && evidence.path != nil && database == nil,
    "command": isDatabase ? evidence.path.map(openCommand) : nil,
    "raw": rawFilesValues(evidence, in: context),
    "capture": captureValues(evidence),
    "opened": openedText(evidence, of: test, in: context),
    "database": database.map { databaseValues($0, of: evidence.source, used: used, open: changed) },
    "changes": changes.map {
      changesValues($0, near: story?.namesOfLeadingReads ?? [], baseline: baseline)
    },
    "browser": tableBrowserValues(evidence, number: number, of: test, using: used, in: context),
    "sqlBox": sqlBoxValues(evidence, number: number, in: context),
  ]
  setStates(of: evidence, number: number, of: test, using: used, in: context, &values)
  setComparison(of: evidence, in: test, context, &values)
  return values
}

/// The functions that opened a database, if known.
private func openedText(_ evidence: TestEvidence, of test: TestResult, in context: PageContext) -> String? {
  guard evidence.kind == .database, let story = context.contents.stories[test.id] else { return nil }
  let databases = story.databases.filter { $0.path == evidence.source }
  // In-memory databases cannot be told apart by path.
  guard evidence.source != nil || databases.count == 1 else { return nil }
  return databases.first?.openedText.map { visibleOnOneLine($0) }
}

/// Links to raw files, with their use.
private func rawFilesValues(_ evidence: TestEvidence, in context: PageContext) -> TemplateValues? {
  let files = evidence.rawFiles.compactMap { file -> TemplateValues? in
    guard let link = context.link(to: file.path) else { return nil }
    return [
      "link": link, "name": fileName(file.path), "size": sizeText(file.bytes),
      "download": context.single == nil ? nil : fileName(file.path),
    ]
  }
  guard !files.isEmpty else { return nil }
  let hasJournal = evidence.rawFiles.contains { SideFile(endOf: $0.path.utf8) == .journal }
  let meaning =
    if evidence.details.database?.wal == .foreign {
      "The files as they lay on disk: the database, and the -wal that is another one’s."
    } else if hasJournal {
      "The files as they lay on disk, with the journal that undoes what was not committed."
    } else {
      "The files as they lay on disk: the WAL holds every transaction since the last checkpoint, one after the other."
    }
  let isPacked = evidence.rawFiles.contains { $0.path.hasSuffix(".gz") }
  let advice =
    isPacked
    ? " They are packed: `gunzip` both into one folder, or `reporter inspect` the database’s .gz."
    : " Open copies of them; SQLite changes what it opens."
  return ["files": files, "meaning": meaning + advice]
}

private func openCommand(_ path: String) -> String {
  "sqlite3 -readonly \(shellQuoted(path.hasPrefix("-") ? "./" + path : path))"
}

extension TestEvidence {
  /// Its name, with its state if there are several.
  ///
  /// - Parameter other: The evidence it is compared with.
  fileprivate func description(for other: TestEvidence) -> String {
    switch details.database?.view {
    case nil where run != other.run: run.map { "\(name) of run \($0.name)" } ?? name
    case nil: source != nil && source == other.source ? "what was committed of \(name)" : source ?? name
    case .uncommitted: "\(name) with uncommitted rows"
    case .withForeignWAL, .alone: "\(name), \(stateText ?? "")"
    }
  }

  /// The name of one of two views with a foreign WAL.
  var stateText: String? {
    switch details.database?.view {
    case .withForeignWAL: "as SQLite reads it with the foreign -wal"
    case .alone: "the database file alone"
    case .uncommitted, nil: nil
    }
  }
}

extension ReportContents {
  fileprivate func isAsItWas(_ evidence: TestEvidence) -> Bool {
    evidence.path.flatMap { changes[$0]?.isSame } ?? false
  }
}

/// Sets values on its state and the difference from the baseline.
private func setStates(
  of evidence: TestEvidence, number: Int, of test: TestResult, using used: UsedTables?,
  in context: PageContext, _ values: inout TemplateValues
) {
  values.set("state", to: evidence.stateText)
  values.set("foreignWAL", to: foreignWALValues(evidence))
  let databases = context.contents.databases
  guard let baseline = evidence.baseline, let before = databases[baseline],
    let after = evidence.path.flatMap({ databases[$0] })
  else { return }
  var states = databaseStatesValues(from: before, to: after, of: evidence.source)
  // The rows are equal.
  if context.contents.isAsItWas(evidence) { states.set("database", to: nil) }
  states.set(
    "browser",
    to: tableBrowserValues(evidence, number: number, of: test, isBefore: true, using: used, in: context))
  states.set("baseline", to: context.link(to: baseline))
  let name = context.single == nil ? context.contents.finishedPath(baseline) : baseline
  states.set("baselineName", to: visibleOnOneLine(name))
  states.set("download", to: context.single == nil ? nil : fileName(name))
  values.set("states", to: states)
}

/// Unchanged databases and those like another are collapsed, without repeating rows.
private func setComparison(
  of evidence: TestEvidence, in test: TestResult, _ context: PageContext, _ values: inout TemplateValues
) {
  let contents = context.contents
  for name in ["difference", "same", "folded", "foldsStates"] { values.set(name, to: nil) }
  guard let path = evidence.path, contents.databases[path] != nil else { return }
  if contents.isAsItWas(evidence) {
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
    if changes.isSame {
      values.set("same", to: "It has the same schema and rows as \(named).")
    } else if states.contains(where: { $0.path == path && $0.source == .uncommittedCopy }) {
      values.set("same", to: "How it differs from \(named) is told under What the test did.")
    } else {
      values.set(
        "difference", to: changesValues(changes, baseline: nil, title: "Difference", since: named))
    }
  }
}

/// Only said for the database itself.
private func foreignWALValues(_ evidence: TestEvidence) -> TemplateValues? {
  guard let capture = evidence.details.database, capture.view == .alone else { return nil }
  let rawFiles = evidence.rawFiles.isEmpty ? "" : " The files themselves are linked below as raw files."
  let signs = (capture.walSigns ?? []).joined(separator: ", ")
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
