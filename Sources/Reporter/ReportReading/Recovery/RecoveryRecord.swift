import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// The record of captures after a process's death, `postmortem/<log name>` in the run.
struct RecoveryRecord {
  static let kinds = LogKinds([CapturedEvidence.self, CaptureFailure.self])

  let run: RunFolder
  let file: String

  private var path: String { run.postMortemFolder + "/" + file }

  private struct Damage: Error {}

  struct Contents {
    fileprivate var bytes: Data
    var records: [LogRecord]
  }

  func read() throws -> Contents? {
    do {
      let contained = ContainedPath(folder: run.path, path: "postmortem/\(file)")
      let bytes = try ContainedFile.open(contained).get().contents()
      let contents = LogReader.read(bytes, Self.kinds)
      guard contents.problems.isEmpty else { throw Damage() }
      return Contents(bytes: bytes, records: contents.records)
    } catch ContainedFile.OpeningError.missing {
      return nil
    }
  }

  /// Writes the record atomically, maybe over an earlier one.
  ///
  /// - Returns: False when another report wrote first.
  func write(
    _ records: [LogRecord], of header: ProcessHeader, after earlier: Contents?
  ) throws -> Bool {
    try FileSystem.createFolder(run.postMortemFolder)
    let draft = "\(run.postMortemFolder)/.\(getpid())-\(file)"
    let lines = [LogRecord(time: currentTime(), header)] + records
    try FileSystem.remove(draft)
    try FileSystem.writeNewFile(draft, lines.flatMap(LogLine.encode))
    // A draft that stays is hidden.
    defer { try? FileSystem.remove(draft) }
    if let earlier { return try replace(earlier, with: draft) }
    if link(draft, path) == 0 { return true }
    guard errno == EEXIST else { throw SystemError("create", path) }
    return false
  }

  private func replace(_ earlier: Contents, with draft: String) throws -> Bool {
    let folder = open(run.postMortemFolder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw SystemError("open", run.postMortemFolder) }
    defer { close(folder) }
    // Held only while reading and renaming.
    while flock(folder, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemError("lock", run.postMortemFolder) }
    }
    guard try read()?.bytes == earlier.bytes else { return false }
    guard rename(draft, path) == 0 else { throw SystemError("replace", path) }
    return true
  }
}

extension [LogRecord] {
  /// Newer records replace earlier failures of the same subject.
  func updated(with newer: [LogRecord]) -> [LogRecord] {
    let subjects = Set(newer.map(RecoveredSubject.init))
    return filter { !$0.isOf(CaptureFailure.self) || !subjects.contains(RecoveredSubject($0)) } + newer
  }
}
