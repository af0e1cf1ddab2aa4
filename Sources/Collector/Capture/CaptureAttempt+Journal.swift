import ExhibitSQLite
import ExhibitSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CaptureAttempt {
  /// Copies a database with the journal of a process that died in a transaction, to roll back the copy alone.
  ///
  /// Nothing locks these files: when somebody else repairs or writes them meanwhile, they are copied again.
  func copyWithJournal(_ file: DatabaseFile) throws -> PrivateCopy {
    while true {
      let before = try journalMark(of: file)
      guard before[1] != nil else { return try copyClosed(file) }
      let copy = try copyOnce(file)
      if try journalMark(of: file) == before { return copy }
      guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.name) }
      usleep(2000)
    }
  }

  private func journalMark(of file: DatabaseFile) throws -> [FileStatus?] {
    [try FileStatus(path: file.path), try FileStatus(path: file.journal)]
  }

  private func copyOnce(_ file: DatabaseFile) throws -> PrivateCopy {
    guard try !OpenDescriptors.hold(file.journal) else { throw CaptureError.foreignHandle(file.journal) }
    let journal = try InputFile(path: file.journal)
    var copy = try makeCopy(of: file.name, method: .raw)
    try copy.checkBudget(journal.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0))
    try copy.fill(from: try openImmutable(file))
    try copy.addJournal(journal, bytes: journal.status.bytes)
    copy.keepRaw(.journal, journal, bytes: journal.status.bytes)
    return copy
  }
}
