import ExhibitCSystem
import ExhibitSystem
import Glibc

package enum ArchiveFormat: String, Sendable, CaseIterable {
  case zip
  /// Several times faster and smaller; needs zstd.
  case tarZstandard = "tar.zst"
}

/// Writes an archive with libarchive; the same entries give the same bytes.
final class ArchiveWriter {
  private let library: ArchiveLibrary
  private let archive: OpaquePointer
  private let entry: OpaquePointer
  private let output: OutputFile
  private(set) var entries = 0
  private static let unblocked: Int32 = 0

  init(creating path: String, _ format: ArchiveFormat) throws {
    library = try ArchiveLibrary.loaded()
    output = try OutputFile(creating: path)
    guard let archive = library.functions.archive_write_new() else { throw SystemError("write", path) }
    guard let entry = library.functions.archive_entry_new() else {
      _ = library.functions.archive_write_free(archive)
      throw SystemError("write", path)
    }
    self.archive = archive
    self.entry = entry
    switch format {
    case .zip: try setZip()
    case .tarZstandard: try setTarZstandard()
    }
    try check(library.functions.archive_write_set_bytes_per_block(archive, Self.unblocked))
    try check(library.functions.archive_write_open_fd(archive, output.descriptor))
  }

  deinit {
    library.functions.archive_entry_free(entry)
    _ = library.functions.archive_write_fail(archive)
    _ = library.functions.archive_write_free(archive)
  }

  private func setZip() throws {
    try check(library.functions.archive_write_set_format_zip(archive))
    try check(library.functions.archive_write_set_options(archive, "zip:compression=deflate"))
    try check(library.functions.archive_write_set_options(archive, "zip:compression-level=1"))
  }

  private func setTarZstandard() throws {
    try check(library.functions.archive_write_set_format_pax_restricted(archive))
    try check(library.functions.archive_write_add_filter_zstd(archive))
    try check(library.functions.archive_write_set_options(archive, "zstd:compression-level=1"))
    // Other numbers of threads give other bytes; libarchive before 3.6 has only one.
    _ = library.functions.archive_write_set_options(archive, "zstd:threads=2")
  }

  func addDirectory(_ name: String) throws {
    try begin(name, type: S_IFDIR, permissions: 0o700, bytes: 0)
  }

  func addLink(_ name: String, to target: String) throws {
    try begin(name, type: S_IFLNK, permissions: 0o777, bytes: 0, target: target)
  }

  /// - Parameter body: Passes exactly `bytes` bytes, in pieces.
  func addFile(
    _ name: String, bytes: Int, isExecutable: Bool,
    _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try begin(name, type: S_IFREG, permissions: isExecutable ? 0o700 : 0o600, bytes: bytes)
    try body { try write($0) }
  }

  func finish() throws {
    try check(WorkerThread.withSignalsBlocked { library.functions.archive_write_close(archive) })
  }

  private func begin(
    _ name: String, type: mode_t, permissions: mode_t, bytes: Int, target: String? = nil
  ) throws {
    _ = library.functions.archive_entry_clear(entry)
    if let target { library.functions.archive_entry_set_symlink(entry, target) }
    library.functions.archive_entry_set_pathname_utf8(entry, name)
    library.functions.archive_entry_set_filetype(entry, UInt32(type))
    library.functions.archive_entry_set_perm(entry, permissions)
    library.functions.archive_entry_set_size(entry, Int64(bytes))
    // Without a time, equal content gives equal archives.
    try check(WorkerThread.withSignalsBlocked { library.functions.archive_write_header(archive, entry) })
    entries += 1
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    let written = WorkerThread.withSignalsBlocked {
      library.functions.archive_write_data(archive, bytes.baseAddress, bytes.count)
    }
    guard written == bytes.count else { throw ArchiveError("write", output.path, archive, in: library) }
  }

  private func check(_ code: Int32) throws {
    guard code == ARCHIVE_OK else { throw ArchiveError("write", output.path, archive, in: library) }
  }
}
