import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Values for template `evidence`, databases first; stories are shown elsewhere.
func evidenceValues(_ test: TestResult, in context: PageContext) -> TemplateValues? {
  let hasStory = context.contents.stories[test.id] != nil
  let shown = test.evidence.indices.filter { !(hasStory && test.evidence[$0].isTold) }
  guard !shown.isEmpty else { return nil }
  let order =
    shown.filter { test.evidence[$0].kind == .database }
    + shown.filter { test.evidence[$0].kind != .database }
  let pairs = ImagePair.all(in: test.evidence, context)
  let story = context.contents.stories[test.id]
  let list = order.map { index in
    let evidence = test.evidence[index]
    let used = evidence.path.flatMap { context.contents.databases[$0] }
      .flatMap { UsedTables(of: evidence, in: $0, story) }
    var values = evidenceValues(evidence, number: index + 1, of: story, using: used, in: context)
    values.set("opened", to: openedText(evidence, of: test, in: context))
    values.set(
      "browser", to: tableBrowserValues(evidence, number: index + 1, of: test, using: used, in: context))
    values.set("sqlBox", to: sqlBoxValues(evidence, number: index + 1, in: context))
    setStates(of: evidence, number: index + 1, of: test, using: used, in: context, &values)
    setComparison(of: evidence, in: test, context, &values)
    // A single file contains each image per use.
    let isShown = context.single != nil && pairs.contains { $0.reference == index || $0.actual == index }
    if isShown { values.set("image", to: nil) }
    return values
  }
  return [
    "title": counted(shown.count, "piece", "pieces") + " of evidence", "list": list,
    "comparisons": pairs.map { $0.values(test.evidence, in: context) },
  ]
}

/// Values for template `links`.
func evidenceLinksValues(of test: TestResult, in context: PageContext) -> TemplateValues? {
  guard !test.evidence.isEmpty else { return nil }
  let list: [TemplateValues] = test.evidence.enumerated().map { index, evidence in
    [
      "name": visibleOnOneLine(evidence.name),
      "kind": evidence.kind.title,
      "state": evidence.stateText,
      "run": evidence.run.map { "run \(visibleOnOneLine($0.name))" },
      "section": context.link(toPageOf: test).map { page in
        evidence.isTold && context.contents.stories[test.id] != nil
          ? page + (page.hasPrefix("#") ? "-story" : "#story")
          : section(page, number: index + 1)
      },
      "file": context.single == nil ? evidence.path.flatMap(context.link(to:)) : nil,
      "size": evidence.bytes.map(sizeText),
      "failure": evidence.path == nil ? visibleOnOneLine(evidence.failure ?? "was not captured") : nil,
      "uncommitted": evidence.database?.uncommitted ?? false,
    ]
  }
  return ["list": list]
}

private func evidenceValues(
  _ evidence: TestEvidence, number: Int, of story: Story?, using used: UsedTables?, in context: PageContext
) -> TemplateValues {
  let database = evidence.path.flatMap { context.contents.databases[$0] }
  let archive = evidence.path.flatMap { context.contents.archives[$0] }
  var values: TemplateValues = [
    "place": place(number),
    "name": visibleOnOneLine(evidence.name),
    "kind": evidence.kind.title,
    "run": evidence.run.map { "run \(visibleOnOneLine($0.name))" },
    "file": evidence.path.flatMap(context.link(to:)),
    "path": evidence.path.map(visibleOnOneLine),
    "size": evidence.bytes.map(sizeText),
    "source": evidence.source.map(visibleOnOneLine),
    "folds": evidence.kind == .database && evidence.path != nil,
    "failure": failureText(evidence),
    "image": evidence.imagePath.flatMap(context.link(to:)),
    "text": evidence.path.flatMap { context.contents.texts[$0] }.map {
      withoutTerminalSequences(laidOutJSON($0) ?? $0)
    },
    "archive": archiveValues(evidence.archive, archive),
  ]
  values.set("raw", to: rawFilesValues(evidence, in: context))
  values.set("capture", to: captureValues(evidence))
  values.set("command", to: evidence.kind == .database ? evidence.path.map(openCommand) : nil)
  let baseline = evidence.database?.baseline.flatMap(context.link(to:))
  let changes = evidence.path.flatMap { context.contents.changes[$0] }
  let changed = Set((changes?.tables ?? []).map { $0.name.lowercased() })
  values.set(
    "database", to: database.map { databaseValues($0, of: evidence.source, used: used, open: changed) })
  // In one file only the database before has the link, which holds the whole file.
  values.set(
    "changes",
    to: changes.map {
      changesValues(
        $0, near: story?.namesOfLeadingReads ?? [], baseline: context.single == nil ? baseline : nil)
    })
  values.set("download", to: context.single == nil ? nil : evidence.path.map(fileName))
  values.set("leftOut", to: leftOutText(evidence, in: context))
  let isUnread = evidence.kind == .database && evidence.path != nil && database == nil
  values.set("isUnread", to: isUnread)
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
    if evidence.database?.wal == .foreign {
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

private func place(_ number: Int) -> String { "evidence-\(number)" }

private func section(_ page: String, number: Int) -> String {
  "\(page)\(page.hasPrefix("#") ? "-" : "#")\(place(number))"
}

private func failureText(_ evidence: TestEvidence) -> String? {
  if let failure = evidence.failure { return visible(failure) }
  guard let path = evidence.path else { return "It was not captured, and no input says why." }
  return relativeLink(to: path) == nil ? "Its path leads out of the report, so it is not linked." : nil
}

/// Says which files a single-file report omits.
private func leftOutText(_ evidence: TestEvidence, in context: PageContext) -> String? {
  guard let single = context.single else { return nil }
  let files: [(path: String?, bytes: Int?)] =
    [(evidence.path, evidence.bytes), (evidence.database?.baseline, nil)]
    + evidence.rawFiles.map { ($0.path, $0.bytes) }
  let sentences = files.compactMap { path, bytes -> String? in
    guard let path, single.evidence[path] == nil, relativeLink(to: path) != nil else { return nil }
    let size = bytes.map { " (\(sizeText($0)))" } ?? ""
    let finished = visibleOnOneLine(context.contents.finishedPath(path))
    return "Not in this file\(size): it lies in the report’s folder as \(finished)."
  }
  return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
}

func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map { visibleOnOneLine(String($0)) } ?? "evidence"
}

private func openCommand(_ path: String) -> String {
  "sqlite3 -readonly \(shellQuoted(path.hasPrefix("-") ? "./" + path : path))"
}

private func archiveValues(_ capture: DirectoryArchive?, _ listing: ArchiveListing?) -> TemplateValues? {
  guard capture != nil || listing != nil else { return nil }
  let skipped: [TemplateValues] = (capture?.skipped ?? []).map {
    ["path": visibleOnOneLine($0.path), "reason": visible($0.reason)]
  }
  return [
    "count": capture.map { counted($0.entries, "entry", "entries") },
    "hasEntries": !(listing?.entries.isEmpty ?? true),
    "entries": (listing?.entries ?? []).map(entryValues),
    "omitted": (listing?.omitted ?? 0) > 0
      ? listing.map { counted($0.omitted, "more entry", "more entries") } : nil,
    "problems": listing?.problems ?? [],
    "hasSkipped": !skipped.isEmpty,
    "skipped": skipped,
  ]
}

private func entryValues(_ entry: ArchiveListing.Entry) -> TemplateValues {
  [
    "path": visibleOnOneLine(entry.path),
    "kind": entry.kind == .file ? nil : entry.kind.rawValue,
    "size": entry.kind == .file ? sizeText(entry.bytes) : nil,
    "target": entry.target.map(visibleOnOneLine),
  ]
}

extension TestEvidence {
  fileprivate var isTold: Bool { kind == .story && path != nil && failure == nil }

  /// Its name, with its state if there are several.
  ///
  /// - Parameter other: The evidence it is compared with.
  fileprivate func description(for other: TestEvidence) -> String {
    switch database?.view {
    case nil: source != nil && source == other.source ? "what was committed of \(name)" : source ?? name
    case .uncommitted: "\(name) with uncommitted rows"
    case .withForeignWAL, .alone: "\(name), \(stateText ?? "")"
    }
  }

  /// The name of one of two views with a foreign WAL.
  var stateText: String? {
    switch database?.view {
    case .withForeignWAL: "as SQLite reads it with the foreign -wal"
    case .alone: "the database file alone"
    case .uncommitted, nil: nil
    }
  }
}

extension ReportContents {
  fileprivate func isAsItWas(_ evidence: TestEvidence) -> Bool {
    evidence.path.flatMap { changes[$0] }.map { $0.tables.isEmpty && $0.problems.isEmpty } ?? false
  }
}

extension EvidenceKind {
  var title: String { capitalized(rawValue) }
}

/// Sets values on its state and the difference from the baseline.
func setStates(
  of evidence: TestEvidence, number: Int, of test: TestResult, using used: UsedTables?,
  in context: PageContext, _ values: inout TemplateValues
) {
  values.set("state", to: evidence.stateText)
  values.set("foreignWAL", to: foreignWALValues(evidence))
  let databases = context.contents.databases
  guard let baseline = evidence.database?.baseline, let before = databases[baseline],
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
func setComparison(
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

/// Only said for the database itself.
private func foreignWALValues(_ evidence: TestEvidence) -> TemplateValues? {
  guard let capture = evidence.database, capture.view == .alone else { return nil }
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
