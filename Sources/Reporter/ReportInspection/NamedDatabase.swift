package import Collector
package import ExhibitSQLite
import ExhibitSystem
import Foundation
import ReportModel

/// A database file named by the user, read without changing it.
///
/// With a WAL or hot journal beside it, reading would write, so a temporary copy is used. Only committed content is
/// read. Packed files are unpacked first, with their packed side files.
package final class NamedDatabase {
  /// As the user wrote it.
  package let name: String
  package let original: String
  private let look: Look
  private let unpacked: ScratchFolder?

  /// The original, or a copy without side files.
  package var path: String { look.path }
  /// Of the state that is read, with the WAL folded in.
  package var header: DatabaseHeader { look.header }
  package var isInWALMode: Bool { look.isInWALMode }
  package var files: Files { look.files }
  /// A raw copy of database and WAL; `nil` without a WAL.
  package var raw: String? { look.raw }

  package struct Files: Sendable, Equatable {
    package var bytes = 0
    package var walBytes = 0
    package var wal: DatabaseCapture.WALState = .absent
    package var walFrames: WALFrames?
    /// Signs that the WAL is foreign; see `DatabaseCapture.walSigns`.
    package var walSigns: [String] = []
    package var journal: DatabaseSituation.Journal = .none
    package var journalBytes = 0
    /// The size after recovery.
    package var committedBytes = 0
  }

  /// - Parameter folder: Where temporary copies are made.
  /// - Throws: `NamedDatabaseError`.
  package init(_ name: String, copyingInto folder: String) throws(NamedDatabaseError) {
    self.name = name
    original = try Self.real(name)
    unpacked = try Self.unpack(original, named: name, into: folder)
    let plain = unpacked.map { $0.path + "/" + Self.unpackedName } ?? original
    look = try Self.atRest(plain, named: name, copyingInto: folder)
  }

  fileprivate struct Look {
    var path: String
    var scratch: ScratchFolder?
    var raw: String?
    var files: Files
    var header: DatabaseHeader
    var isInWALMode: Bool
    var status: [FileStatus?]
  }

  /// Looks again if a file changed while being copied, as a writer's journal does.
  private static func atRest(
    _ original: String, named name: String, copyingInto folder: String
  ) throws(NamedDatabaseError) -> Look {
    let deadline = ContinuousClock.now + .seconds(2)
    var looks = 0
    while true {
      looks += 1
      let status = try status(of: original, named: name)
      do throws(NamedDatabaseError) {
        return try look(at: original, named: name, status, copyingInto: folder)
      } catch {
        guard error.mayPass else { throw error }
        let hasChanged = try Self.status(of: original, named: name) != status
        // A journal may come and go unnoticed.
        guard hasChanged || looks < 3 else { throw error }
        guard looks < 50, ContinuousClock.now < deadline else { throw .busy(name) }
        usleep(20_000)
      }
    }
  }

  private static func look(
    at original: String, named name: String, _ status: [FileStatus?], copyingInto folder: String
  ) throws(NamedDatabaseError) -> Look {
    var files = Files(bytes: status[0]?.bytes ?? 0, walBytes: status[1]?.bytes ?? 0)
    do {
      files.journal = try DatabaseLook.journal(at: SideFile.journal.path(beside: original))
    } catch {
      throw .unreadable(SideFile.journal.path(beside: name), "\(error)")
    }
    files.journalBytes = status[2]?.bytes ?? 0
    files.committedBytes = files.bytes
    files.wal = status[1] == nil ? .absent : .empty
    let header = try Self.header(of: original, named: name, files)
    var look = Look(
      path: original, files: files, header: header, isInWALMode: header.isWAL, status: status)
    try checkSideFiles(of: original, named: name, files)
    guard files.walBytes > 0 || files.journal == .hot else { return look }
    try look.copy(named: name, into: folder)
    return look
  }

  /// The error for a file that begins as a database but is unreadable, possibly truncated.
  ///
  /// - Parameter reason: SQLite's message, as a sentence.
  package func damaged(_ reason: String) -> NamedDatabaseError {
    guard let promised = promisedPages, header.pageSize > 0,
      let bytes = FileSystem.status(path).map({ Int($0.st_size) }), bytes / header.pageSize < promised
    else { return .damaged(name, reason) }
    return .damaged(
      name,
      "its header promises \(counted(promised, "page")) and the file has \(counted(bytes / header.pageSize, "whole page")),"
        + " so its end is missing. \(reason)")
  }

  /// The header's page count, unless it is outdated: https://www.sqlite.org/fileformat.html#filesize.
  private var promisedPages: Int? {
    guard let start = try? InputFile(path: path).prefix(DatabaseHeader.byteCount),
      start.count == DatabaseHeader.byteCount, start[24..<28] == start[92..<96]
    else { return nil }
    let count = start[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return count > 0 ? count : nil
  }

  /// True when the files changed after they were opened.
  package var hasChanged: Bool {
    guard look.scratch == nil, unpacked == nil else { return false }
    return (try? Self.status(of: original, named: name)) != look.status
  }

  package var changedNote: String {
    "\(name) was written while it was read, so what is printed may be of two states; read it again."
  }

  package var isLink: Bool { (try? FileStatus(path: name, followingLinks: false))?.kind == .link }

  // MARK: - Looking

  private static func real(_ name: String) throws(NamedDatabaseError) -> String {
    if let real = realPath(name) { return real }
    let code = errno
    if FileSystem.status(name) != nil, code == ENOENT { throw .missing(name, isLink: true) }
    if code == ENOENT || code == ENOTDIR || name.isEmpty { throw .missing(name, isLink: false) }
    throw .unreadable(name, SystemError.message(for: code))
  }

  private static func status(
    of path: String, named name: String
  ) throws(NamedDatabaseError) -> [FileStatus?] {
    var all: [FileStatus?] = []
    for suffix in [""] + SideFile.withRows.map(\.suffix) {
      let status: FileStatus?
      do {
        status = try FileStatus(path: path + suffix, followingLinks: suffix.isEmpty)
      } catch {
        throw .unreadable(name + suffix, "\(error)")
      }
      if suffix.isEmpty, status == nil { throw .missing(name, isLink: false) }
      switch status?.kind {
      case nil, .regular: break
      case .directory: throw .notAFile(name + suffix, "a folder")
      case .link: throw suffix.isEmpty ? .notAFile(name, "a link") : .linkBeside(name + suffix)
      case .other(let kind): throw .notAFile(name + suffix, "a \(kind)")
      }
      all.append(status)
    }
    return all
  }

  fileprivate static func header(
    of path: String, named name: String, _ files: Files
  ) throws(NamedDatabaseError) -> DatabaseHeader {
    let start: [UInt8]
    do {
      start = try InputFile(path: path).prefix(4096)
    } catch let error as SystemError {
      if error.code == ENOENT { throw .missing(name, isLink: false) }
      throw .unreadable(name, error.reason)
    } catch {
      throw .unreadable(name, "\(error)")
    }
    if start.isEmpty { throw .empty(name, walBytes: files.walBytes) }
    guard let header = DatabaseHeader(start) else { throw .noDatabase(name, FirstBytes(start)) }
    return header
  }
}

extension NamedDatabase {
  /// Checks permissions first, since copying can also fail for lack of room.
  private static func checkSideFiles(
    of path: String, named name: String, _ files: Files
  ) throws(NamedDatabaseError) {
    let sides = [(SideFile.wal, files.walBytes > 0), (.journal, files.journal == .hot)]
    for (side, isNeeded) in sides where isNeeded {
      do {
        _ = try InputFile(path: side.path(beside: path))
      } catch {
        throw .unreadable(side.path(beside: name), (error as? SystemError)?.reason ?? "\(error)")
      }
    }
  }
}

// MARK: - Unpacking

extension NamedDatabase {
  private static let (packedEnd, unpackedName) = (".gz", "database.sqlite")

  /// Unpacks a `.gz` and its packed side files.
  ///
  /// - Returns: `nil` for other files.
  private static func unpack(
    _ original: String, named name: String, into folder: String
  ) throws(NamedDatabaseError) -> ScratchFolder? {
    // Readers of the database report unreadable files.
    guard original.hasSuffix(packedEnd), let packed = try? InputFile(path: original),
      (try? packed.prefix(gzipMagic.count)) == gzipMagic
    else { return nil }
    let stem = String(original.dropLast(packedEnd.count))
    let free = FileSystem.freeBytes(at: folder) ?? .max
    do {
      let scratch = try ScratchFolder(in: folder, prefix: ".reporter-copy-")
      let plain = scratch.path + "/" + unpackedName
      try gunzip(packed, to: plain, most: free / 4)
      for side in SideFile.withRows {
        let path = side.path(beside: stem) + packedEnd
        guard FileSystem.status(path) != nil else { continue }
        try gunzip(InputFile(path: path), to: side.path(beside: plain), most: free / 4)
      }
      return scratch
    } catch let error as SystemError where error.code == EFBIG || error.code == ENOSPC {
      throw .noRoom(name, needed: free, free: free, folder: folder)
    } catch let error as SystemError where error.code == EBADMSG || error.code == ENOSYS {
      return nil
    } catch {
      throw .noCopy(name, "\(error)", isOfFolder: false)
    }
  }
}

// MARK: - Copying

extension NamedDatabase.Look {
  /// Reads a copy, which is recovered as captures are.
  fileprivate mutating func copy(named name: String, into folder: String) throws(NamedDatabaseError) {
    let needed = 3 * (files.bytes + files.walBytes + files.journalBytes)
    if let free = FileSystem.freeBytes(at: folder), free < needed {
      throw .noRoom(name, needed: needed, free: free, folder: folder)
    }
    let scratch: ScratchFolder
    do {
      scratch = try ScratchFolder(in: folder, prefix: ".reporter-copy-")
    } catch {
      throw .noCopy(name, "\(error)", isOfFolder: true)
    }
    let result = DatabaseCapturer(
      limits: CaptureLimits(databaseBytes: .max / 8, wait: .seconds(10)), keepsHistory: true
    )
    .captureLeft(at: path, named: "database", into: scratch.path)
    let made = result.files.first { $0.isDatabase && $0.capture.view != .withForeignWAL }
    guard let made else {
      let failure = result.failures.first
      switch failure?.reason {
      case .missing: throw .missing(name, isLink: false)
      case .busy: throw .busy(name)
      default:
        throw .noCopy(name, failure?.message ?? "no reason is known.", isOfFolder: failure?.reason == .io)
      }
    }
    self.scratch = scratch
    path = scratch.path + "/" + made.file
    let kept = made.capture.history.map { scratch.path + "/" + $0 + "/database.sqlite" }
    raw = kept.flatMap { FileSystem.status(SideFile.wal.path(beside: $0)) == nil ? nil : $0 }
    files.wal = made.capture.wal
    files.walFrames = made.capture.walFrames
    files.walSigns = made.capture.walSigns ?? []
    files.committedBytes = made.bytes
    header = try NamedDatabase.header(of: path, named: name, files)
  }
}
