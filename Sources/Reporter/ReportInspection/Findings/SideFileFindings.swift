import Collector
import ExhibitSQLite
package import ReportModel

/// Findings about a foreign WAL or hot journal beside a captured database.
package func sideFileFindings(_ evidence: TestEvidence, kinds: Set<Finding.Kind> = Finding.Kind.standard)
  -> [Finding]
{
  guard let capture = evidence.details.database else { return [] }
  let name = shownName(evidence.name)
  var findings: [Finding] = []
  // Of two views one reports it.
  if kinds.contains(.foreignWAL), capture.wal == .foreign, capture.view != .withForeignWAL {
    let signs = (capture.walSigns ?? []).map(shownName).joined(separator: ", ")
    findings.append(
      Finding(
        kind: .foreignWAL, weight: .strong,
        sentence: "The WAL beside \(name) is another database's" + (signs.isEmpty ? "." : ": \(signs)."),
        remedy:
          "Checkpoint, close every connection, and remove -wal and -shm before another file takes the database's place."
      ))
  }
  let hasJournal = evidence.rawFiles.contains { SideFile(endOf: $0.path.utf8) == .journal }
  if kinds.contains(.hotJournal), hasJournal, !capture.uncommitted {
    // After a crash in a transaction a journal is normal.
    let isOfDeath = capture.method == .postMortem
    findings.append(
      Finding(
        kind: .hotJournal, weight: isOfDeath ? .minor : .strong,
        sentence:
          "Beside \(name) lay a journal of a transaction that was not ended and has to be rolled back.",
        remedy:
          "Whoever opens the database for writing rolls it back; look for a process that died while it wrote, or for a copy that was taken meanwhile."
      ))
  }
  return findings
}
