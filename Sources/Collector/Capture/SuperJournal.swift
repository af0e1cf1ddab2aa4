import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Handles the super-journal, which a rollback journal names at its end after a transaction over several databases.
///
/// SQLite deletes that file after it has rolled back, wherever it lies and whatever it is.
///
/// Source: `readSuperJournal` and `pager_playback` in https://sqlite.org/src/file/src/pager.c. The file ends with the
/// name, its length and the sum of its bytes, four bytes each, and eight bytes of magic. The headers and page records
/// before that do not matter here.
package enum SuperJournal {
  /// The state of the transaction.
  package enum Verdict {
    /// No super-journal is named; the journal is rolled back if it is hot.
    case none
    /// It was not committed, because the super-journal still exists.
    case uncommitted
    /// It was committed, because the super-journal is gone.
    case committed
  }

  private static let endBytes = 16
  /// `mxPathname` of SQLite's VFS for Unix, which ignores longer names.
  private static let longestName = 512

  /// Changes a copied journal so that SQLite rolls it back like the original but touches no other file.
  ///
  /// The journal of a committed transaction is removed.
  ///
  /// - Throws: `SystemError`.
  @discardableResult
  package static func settle(_ journal: String) throws -> Verdict {
    let verdict = try forget(in: journal)
    if case .committed = verdict, unlink(journal) != 0 { throw SystemError("remove", journal) }
    return verdict
  }

  /// Removes the super-journal's name from a copied journal.
  ///
  /// - Throws: `SystemError`.
  static func forget(in journal: String) throws -> Verdict {
    let file = try InputFile(path: journal)
    let size = file.status.bytes
    guard size >= endBytes else { return .none }
    let end = try file.bytes(endBytes, at: size - endBytes)
    guard end.suffix(SideFile.journalMagic.count).elementsEqual(SideFile.journalMagic) else { return .none }
    let name = try name(in: file, before: size - endBytes, end)
    // Without the magic, SQLite sees no name.
    let zeros = [UInt8](repeating: 0, count: SideFile.journalMagic.count)
    try zeros.withUnsafeBytes {
      try OutputFile(updating: journal).write([$0], at: size - SideFile.journalMagic.count)
    }
    guard let name else { return .none }
    return exists(name) ? .uncommitted : .committed
  }

  /// The name as a path for system calls; `nil` when SQLite sees none.
  private static func name(in file: InputFile, before end: Int, _ bytes: [UInt8]) throws -> [CChar]? {
    let length = Int(bytes.word(0))
    guard (1...longestName).contains(length), length <= end else { return nil }
    let name = try file.bytes(length, at: end - length).map { CChar(bitPattern: $0) }
    // The sum is of characters, which are signed on most machines.
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32($1)) }
    guard sum == bytes.word(4), name[0] != 0 else { return nil }
    return name + [0]
  }

  /// True when the file exists; like SQLite, it ignores an empty one.
  private static func exists(_ path: [CChar]) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && (info.st_mode & S_IFMT != S_IFREG || info.st_size > 0)
  }
}
