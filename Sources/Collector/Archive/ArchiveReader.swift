import ExhibitCSystem
import ExhibitSystem
import Glibc

final class ArchiveReader {
  private let library: ArchiveLibrary
  private let archive: OpaquePointer
  private let input: InputFile
  private let limits: ArchiveListing.Limits
  /// True for a zip of an end record alone, which libarchive does not recognise.
  private let isEmpty: Bool
  let isPacked: Bool
  private static let emptyBytes = 22
  /// Source: RFC 8878, 3.1.1.
  private static let zstandardMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  private(set) var unreadableNames = 0

  init(path: String, limits: ArchiveListing.Limits) throws {
    library = try ArchiveLibrary.loaded()
    input = try InputFile(path: path)
    self.limits = limits
    guard input.status.bytes <= limits.archiveBytes else {
      throw ArchiveError(message: "\(path) has \(input.status.bytes) bytes, too many to be listed.")
    }
    let magic = try input.prefix(4)
    let isZip = magic == Array("PK\u{3}\u{4}".utf8) || magic == Array("PK\u{5}\u{6}".utf8)
    guard isZip || magic == Self.zstandardMagic else {
      throw ArchiveError(message: "\(path) is neither a zip nor a tar.zst archive.")
    }
    guard let archive = library.functions.archive_read_new() else { throw SystemError("read", path) }
    self.archive = archive
    isPacked = !isZip
    isEmpty = magic == Array("PK\u{5}\u{6}".utf8) && input.status.bytes == Self.emptyBytes
    if isEmpty { return }
    if isZip {
      try check(library.functions.archive_read_support_format_zip_seekable(archive))
    } else {
      try check(library.functions.archive_read_support_filter_zstd(archive))
      try check(library.functions.archive_read_support_format_tar(archive))
    }
    try check(library.functions.archive_read_open_fd(archive, input.descriptor, 64 << 10))
  }

  deinit {
    _ = library.functions.archive_read_free(archive)  // nothing was changed that could fail to be closed
  }

  func next() throws -> ArchiveListing.Entry? {
    if isEmpty { return nil }
    var entry: OpaquePointer?
    let code = library.functions.archive_read_next_header(archive, &entry)
    if code == ARCHIVE_EOF { return nil }
    // A warning comes with an entry.
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else {
      throw ArchiveError("list", input.path, archive, in: library)
    }
    return describe(entry)
  }

  private func describe(_ entry: OpaquePointer) -> ArchiveListing.Entry {
    let kind = kind(of: entry)
    let path = text(library.functions.archive_entry_pathname(entry))
    if path == nil { unreadableNames += 1 }
    return ArchiveListing.Entry(
      path: path ?? "(unreadable name)", kind: kind,
      bytes: max(0, Int(library.functions.archive_entry_size(entry))),
      target: kind == .link ? text(library.functions.archive_entry_symlink(entry)) : nil)
  }

  private func kind(of entry: OpaquePointer) -> ArchiveListing.Kind {
    switch mode_t(library.functions.archive_entry_filetype(entry)) {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
  }

  private func text(_ bytes: UnsafePointer<CChar>?) -> String? {
    guard let bytes else { return nil }
    let length = strnlen(bytes, limits.nameBytes)
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  private func check(_ code: Int32) throws {
    guard code == ARCHIVE_OK else { throw ArchiveError("read", input.path, archive, in: library) }
  }
}
