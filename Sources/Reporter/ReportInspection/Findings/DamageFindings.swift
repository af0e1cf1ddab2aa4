import ReportModel

/// The finding that a file is damaged or unreadable.
///
/// A check ended by a limit is no finding.
func damage(in inspection: DatabaseInspection) -> [Finding] {
  let lines = inspection.checkLines
  guard inspection.check != "ok", let first = lines.first, !inspection.isCutByTime,
    !first.hasPrefix("not finished")
  else { return [] }
  let sentence =
    inspection.check == "not readable"
    ? inspection.problems.first ?? "SQLite cannot read the file."
    : "quick_check says that the database is damaged: \(shownName(first))"
      + (lines.count > 1 ? ", and \(counted(lines.count - 1, "more line")) like it." : ".")
  return [
    Finding(
      kind: .damage, weight: .strong, sentence: sentence,
      remedy:
        "Look for files that were copied or deleted while they were open, and for a WAL of another database; `sqlite3 FILE .recover` reads what is left."
    )
  ]
}

extension DatabaseInspection {
  /// The lines of `quick_check` without its heading.
  package var checkLines: [String] {
    let lines = check.split(separator: "\n").map(String.init)
    let told = lines.filter { !$0.hasPrefix("*** in database ") }
    return told.isEmpty ? lines : told
  }
}
