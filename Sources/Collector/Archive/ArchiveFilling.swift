import ExhibitCSystem
import ExhibitSystem

/// One archive on its way: walks a directory and writes what it finds.
final class ArchiveFilling {
  static let fileName = "archive"
  let directory: String
  let archiver: DirectoryArchiver
  let scratch: ScratchFolder
  let writer: ArchiveWriter
  /// Where the files of the directory are opened; without them, what the process has open is read through its own.
  let descriptors = try? SeparateDescriptors()
  /// Whether large files are copied before they are archived, so that none can change meanwhile.
  let copiesFirst: Bool
  /// Databases that are in the archive as captures, or could not be captured: their side files are not added.
  var captured: Set<RawPath> = []
  var refused: Set<RawPath> = []
  private let left: DirectoryWalk.Exclusions
  private var names: Set<String> = []
  private var skipped: [DirectoryArchive.Skipped] = []
  private var bytes = 0

  var file: String { "\(scratch.path)/\(Self.fileName)" }

  init(
    of directory: String, archiver: DirectoryArchiver, leavingOut left: DirectoryWalk.Exclusions,
    scratch: ScratchFolder, copiesFirst: Bool
  ) throws {
    self.copiesFirst = copiesFirst
    self.directory = directory
    self.archiver = archiver
    self.scratch = scratch
    self.left = left
    writer = try ArchiveWriter(creating: "\(scratch.path)/\(Self.fileName)", archiver.format)
  }

  /// Writes the whole archive.
  ///
  /// - Throws: what makes the archive as a whole impossible; what concerns one file is listed instead. `FileChanged`
  ///   when it has to be begun anew, with large files copied first.
  func run() throws -> DirectoryArchive {
    // libarchive converts names from the locale of the thread, and in the C locale most of them cannot be.
    let locale = exhibit_locale_use_utf8()
    defer { exhibit_locale_restore(locale) }
    var walk = DirectoryWalk(of: directory, leavingOut: left)
    while let item = walk.next() { try add(item) }
    try writer.finish()
    return DirectoryArchive(format: archiver.format.rawValue, entries: writer.entries, skipped: skipped)
  }

  private func add(_ item: DirectoryWalk.Item) throws {
    switch item.content {
    case .directory: try writer.addDirectory(entryName(item.path))
    case .link(let target): try writer.addLink(entryName(item.path), to: RawPath.readable(target))
    case .skipped(let reason): skip(item.path, reason)
    case .file(let status): try addFile(item.path, status)
    }
  }

  func skip(_ path: RawPath, _ reason: String) {
    skipped.append(.init(path: path.readable, reason: reason))
  }

  /// The name of an entry: the path as text, told apart from others and listed when it was none.
  func entryName(_ path: RawPath) -> String {
    let wanted = path.readable
    var name = wanted
    var number = 2
    while !names.insert(name).inserted {
      name = "\(wanted)-\(number)"
      number += 1
    }
    if path.text == nil || name != wanted { skip(path, "its name cannot be kept; it is stored as \(name)") }
    return name
  }

  /// Counts what is added; what grows while it is archived must not grow out of bounds.
  func count(_ bytes: Int) throws {
    self.bytes += bytes
    guard self.bytes <= archiver.limit else {
      throw CaptureError.overBudget(directory, bytes: self.bytes, limit: archiver.limit)
    }
  }
}
