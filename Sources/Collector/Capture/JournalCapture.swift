import ExhibitSQLite
import ExhibitSystem

/// Copies a database with a hot journal, which is rolled back in the copy alone.
struct JournalCapture {
  let context: CaptureContext
  let file: DatabaseFile

  func run() throws -> CaptureOutcome {
    let before = try mark()
    guard before[1] != nil else { return .changed(.fileGone) }
    let copy = try copy()
    return try mark() == before ? .copy(copy) : .changed(.filesChanged)
  }

  private func mark() throws -> [FileStatus?] {
    [try FileStatus(path: file.path), try FileStatus(path: file.journal)]
  }

  private func copy() throws -> PrivateCopy {
    guard try !OpenDescriptors.hold(file.journal) else { throw CaptureError.foreignHandle(file.journal) }
    let journal = try InputFile(path: file.journal)
    var copy = try context.makeCopy(of: file.name, method: .raw)
    try copy.checkBudget(journal.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0))
    try copy.fill(from: try context.openImmutable(file))
    try copy.addJournal(journal, bytes: journal.status.bytes)
    copy.keepRaw(.journal, journal, bytes: journal.status.bytes)
    return copy
  }
}
