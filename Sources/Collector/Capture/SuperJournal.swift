import ExhibitSQLite
import ExhibitSystem
import Glibc

/// The file that the rollback journals of a transaction over several databases name, and that SQLite deletes.
///
/// A journal ends with the name, its length and its sum, four bytes each, and eight bytes of magic. Source:
/// `readSuperJournal` and `pager_playback` in https://sqlite.org/src/file/src/pager.c.
package enum SuperJournal {
  package enum Verdict {
    case none
    case uncommitted
    case committed
  }

  private static let endBytes = 16
  /// `mxPathname` of the VFS for Unix; longer names are ignored.
  private static let longestName = 512

  /// Makes a copied journal roll back without touching another file.
  @discardableResult
  package static func settle(_ journal: String) throws -> Verdict {
    let verdict = try forget(in: journal)
    if case .committed = verdict, unlink(journal) != 0 { throw SystemError("remove", journal) }
    return verdict
  }

  static func forget(in journal: String) throws -> Verdict {
    let file = try InputFile(path: journal)
    let size = file.status.bytes
    guard size >= endBytes else { return .none }
    let end = try file.bytes(endBytes, at: size - endBytes)
    guard end.suffix(SideFile.journalMagic.count).elementsEqual(SideFile.journalMagic) else { return .none }
    let name = try name(in: file, before: size - endBytes, end)
    // Without the magic there is no name.
    let zeros = [UInt8](repeating: 0, count: SideFile.journalMagic.count)
    try zeros.withUnsafeBytes {
      try OutputFile(updating: journal).write([$0], at: size - SideFile.journalMagic.count)
    }
    guard let name else { return .none }
    return exists(name) ? .uncommitted : .committed
  }

  private static func name(in file: InputFile, before end: Int, _ bytes: [UInt8]) throws -> [CChar]? {
    let length = Int(bytes.word(0))
    guard (1...longestName).contains(length), length <= end else { return nil }
    let name = try file.bytes(length, at: end - length).map { CChar(bitPattern: $0) }
    // The sum is of `char`, signed on most machines.
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32($1)) }
    guard sum == bytes.word(4), name[0] != 0 else { return nil }
    return name + [0]
  }

  /// Like SQLite, it ignores an empty file.
  private static func exists(_ path: [CChar]) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && (info.st_mode & S_IFMT != S_IFREG || info.st_size > 0)
  }
}
