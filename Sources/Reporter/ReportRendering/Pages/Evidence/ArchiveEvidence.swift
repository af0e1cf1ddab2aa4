import Collector
import ReportInspection
import ReportModel

/// What only an archive of a directory has in template `evidence`.
func archiveEvidenceValues(_ evidence: TestEvidence, in context: PageContext) -> TemplateValues {
  let listing = evidence.path.flatMap { context.contents.archives[$0] }
  return ["archive": archiveValues(evidence.details.archive, listing)]
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
