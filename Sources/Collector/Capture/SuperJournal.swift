import ExhibitSQLite
import ExhibitSystem
import Glibc

/// The journal that a rollback journal names at its end when its transaction was one over several databases: SQLite
/// deletes that file after it has rolled back, wherever it lies and whatever it is.
///
/// Source: `readSuperJournal` and `pager_playback` in https://sqlite.org/src/file/src/pager.c. The file ends with the
/// name, its length and the sum of its bytes, four bytes each, and eight bytes of magic; what lies before, headers and
/// records of pages, does not count here.
package enum SuperJournal {
  /// What is known of the transaction by it.
  package enum Verdict {
    /// No other journal is named: to be rolled back if it is hot.
    case none
    /// It was not committed: the journal that is named is still there.
    case uncommitted
    /// It was committed: the journal that is named is gone.
    case committed
  }

  private static let endBytes = 16
  /// `mxPathname` of SQLite's VFS for Unix: it takes a longer one for none.
  private static let longestName = 512

  /// Makes the copy of a journal one that SQLite rolls back as it would the original, and touches no other file for.
  ///
  /// That of a transaction that was committed is removed.
  /// - Throws: `SystemError`.
  @discardableResult
  package static func settle(_ journal: String) throws -> Verdict {
    let verdict = try forget(in: journal)
    if case .committed = verdict, unlink(journal) != 0 { throw SystemError("remove", journal) }
    return verdict
  }

  /// Looks at the copy of a journal, and takes the name out of it.
  ///
  /// - Throws: `SystemError`.
  static func forget(in journal: String) throws -> Verdict {
    let file = try InputFile(path: journal)
    let size = file.status.bytes
    guard size >= endBytes else { return .none }
    var end = [UInt8](repeating: 0, count: endBytes)
    _ = try end.withUnsafeMutableBytes { try file.read(into: $0, at: size - endBytes) }
    guard end.suffix(SideFile.journalMagic.count).elementsEqual(SideFile.journalMagic) else { return .none }
    let name = try name(in: file, before: size - endBytes, end)
    // Whatever else SQLite makes of it: without the magic there is no name.
    let zeros = [UInt8](repeating: 0, count: SideFile.journalMagic.count)
    try zeros.withUnsafeBytes {
      try OutputFile(updating: journal).write([$0], at: size - SideFile.journalMagic.count)
    }
    guard let name else { return .none }
    return exists(name) ? .uncommitted : .committed
  }

  /// The name as a path for system calls; `nil` when SQLite sees none.
  private static func name(in file: InputFile, before end: Int, _ bytes: [UInt8]) throws -> [CChar]? {
    func word(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    let length = Int(word(0))
    guard (1...longestName).contains(length), length <= end else { return nil }
    var name = [CChar](repeating: 0, count: length)
    _ = try name.withUnsafeMutableBytes { try file.read(into: $0, at: end - length) }
    // Of characters, which on most machines have a sign.
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32($1)) }
    guard sum == word(4), name[0] != 0 else { return nil }
    return name + [0]
  }

  /// As SQLite asks: an empty file is none.
  private static func exists(_ path: [CChar]) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && (info.st_mode & S_IFMT != S_IFREG || info.st_size > 0)
  }
}
