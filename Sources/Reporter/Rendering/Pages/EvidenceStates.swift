import Collector

/// Which state of a database evidence is, and how it differs from the one that its test started from.
func setStates(of evidence: TestEvidence, in context: PageContext, _ values: inout TemplateValues) {
  values.set("state", to: stateText(evidence))
  values.set("foreignWAL", to: foreignWALValues(evidence))
  let databases = context.contents.databases
  guard let baseline = evidence.database?.baseline, let before = databases[baseline],
    let after = evidence.path.flatMap({ databases[$0] })
  else { return }
  var states = databaseStatesValues(from: before, to: after)
  states.set("baseline", to: context.link(to: baseline))
  states.set("baselineName", to: visibleOnOneLine(baseline))
  states.set("download", to: context.single == nil ? nil : fileName(baseline))
  values.set("states", to: states)
}

private func stateText(_ evidence: TestEvidence) -> String? {
  if evidence.isForeignWALView { return "as SQLite reads it with the foreign -wal" }
  return evidence.database?.wal == .foreign ? "the database file alone" : nil
}

/// Said once, where the database itself is shown.
private func foreignWALValues(_ evidence: TestEvidence) -> TemplateValues? {
  guard let capture = evidence.database, capture.wal == .foreign, !evidence.isForeignWALView else {
    return nil
  }
  let reason = (capture.note ?? "").pieces(separatedBy: ". ").first ?? ""
  return [
    "reason": reason.isEmpty ? nil : visible(reason + "."),
    "views":
      "Below are both views: the database file alone, and what SQLite reads as soon as anything opens the"
      + " database beside this -wal. The files themselves are kept with the run.",
    "remedy": "Checkpoint, close every connection, and remove -wal and -shm before another file takes the"
      + " database’s place. The product StoreMigration does that, and leaves the store as before or as after"
      + " whatever happens.",
  ]
}

extension TestEvidence {
  /// Whether it is what SQLite makes of a database and a WAL that is not its own.
  fileprivate var isForeignWALView: Bool {
    database?.wal == .foreign && path?.contains(".with-wal.") == true
  }
}
