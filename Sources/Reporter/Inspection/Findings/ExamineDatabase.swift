import ExhibitSQLite

/// Looks for what is suspicious in a captured database.
///
/// The file is untrusted: see `InspectionConnection`. The same file gives the same findings on every machine, as limits
/// count rows and steps.
///
/// - Parameters:
///   - path: the file; nothing beside it is looked at.
///   - inspection: what `inspectDatabase` read of it, with the two checks that it ran.
///   - rows: whether values and keys may be told.
///   - kinds: what to look for.
///   - written: what the test is known to have written; some kinds are about such rows alone.
///   - limits: what it may take.
/// - Returns: what was found, for any file; origins are told by `DatabaseFindings.compared`.
func examineDatabase(
  at path: String, _ inspection: DatabaseInspection, rows: Bool,
  kinds: Set<Finding.Kind> = Finding.Kind.standard, written: WrittenRows = WrittenRows(),
  limits: InspectionLimits = InspectionLimits()
) -> DatabaseFindings {
  var found = DatabaseFindings()
  if kinds.contains(.damage) { found.findings += damage(in: inspection) }
  found.sort()
  return found
}
