import Collector

/// Which state of a database evidence is, and how it differs from the one that its test started from.
func setStates(of evidence: TestEvidence, in context: PageContext, _ values: inout TemplateValues) {
  values.set("state", to: evidence.stateText)
  values.set("foreignWAL", to: foreignWALValues(evidence))
  let databases = context.contents.databases
  guard let baseline = evidence.database?.baseline, let before = databases[baseline],
    let after = evidence.path.flatMap({ databases[$0] })
  else { return }
  var states = databaseStatesValues(from: before, to: after, of: evidence.source)
  states.set("baseline", to: context.link(to: baseline))
  states.set("baselineName", to: visibleOnOneLine(baseline))
  states.set("download", to: context.single == nil ? nil : fileName(baseline))
  values.set("states", to: states)
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
  /// Which of two views it is, where the WAL beside a database is not its own.
  var stateText: String? {
    switch database?.view {
    case .withForeignWAL: "as SQLite reads it with the foreign -wal"
    case .alone: "the database file alone"
    case .uncommitted, nil: nil
    }
  }
}
