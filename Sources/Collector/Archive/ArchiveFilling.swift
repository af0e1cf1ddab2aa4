import ExhibitCSystem
import ExhibitSQLite
import ExhibitSystem
import Glibc

final class ArchiveFilling {
  static let fileName = "archive"
  private let directory: String
  private let archiver: DirectoryArchiver
  private let scratch: ScratchFolder
  private let writer: ArchiveWriter
  /// The thread that opens files, which this process may have open.
  private let descriptors = try? SeparateDescriptors()
  private let copiesFirst: Bool
  private var captured: Set<RawPath> = []
  private var refused: Set<RawPath> = []
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

  /// - Throws: An error of the whole archive, or `FileChanged`.
  func run() throws -> DirectoryArchive {
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

  private func skip(_ path: RawPath, _ reason: String) {
    skipped.append(.init(path: path.readable, reason: reason))
  }

  /// A unique text for the path; a changed name is listed.
  private func entryName(_ path: RawPath) -> String {
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

  private func count(_ bytes: Int) throws {
    self.bytes += bytes
    guard self.bytes <= archiver.limit else {
      throw CaptureError.overBudget(directory, bytes: self.bytes, limit: archiver.limit)
    }
  }

  // MARK: Files

  private func addFile(_ path: RawPath, _ status: FileStatus) throws {
    if skipSideFile(path) { return }
    do {
      guard status.bytes > 0 else {
        return try writer.addFile(entryName(path), bytes: 0, isExecutable: status.isExecutable) { _ in }
      }
      let input = try ForeignFile(path: path.path(in: directory), in: descriptors)
      let start = try input.prefix(UnreadRows.prefixBytes)
      if start.starts(with: DatabaseHeader.magic) { return try addDatabase(path, input) }
      if !archiver.keepsUnreadRows, let rows = UnreadRows(inFileNamed: path.bytes, beginningWith: start) {
        return skip(path, rows.reason)
      }
      try addContents(of: path, input)
    } catch let error as CaptureError where error.reason == .foreignHandle {
      skip(path, error.message)
    } catch let error as SystemError where !error.isOfOutput(in: scratch) {
      skip(path, "\(error)")
    }
  }

  // MARK: Copying files

  private static let bufferBytes = 1 << 20

  /// Copies large files first, once one has changed and broken the archive.
  private func addContents(of path: RawPath, _ input: ForeignFile) throws {
    guard input.status.bytes > Self.bufferBytes else { return try addFromMemory(path, input) }
    try count(input.status.bytes)
    if !copiesFirst { return try addInPlace(path, input) }
    let copy = "\(scratch.path)/copy"
    try RawFiles.copy(input, bytes: input.status.bytes, to: copy)
    defer { _ = try? scratch.remove("copy") }  // the folder goes with everything in it
    noteChange(path, input)
    let bytes = try input.size()
    if bytes < input.status.bytes, truncate(copy, off_t(bytes)) != 0 { throw SystemError("shorten", copy) }
    try addOwn(copy, as: entryName(path), isExecutable: input.status.isExecutable)
  }

  private func addInPlace(_ path: RawPath, _ input: ForeignFile) throws {
    do {
      try add(input.status.bytes, as: entryName(path), isExecutable: input.status.isExecutable) {
        try input.read(into: $0, at: $1)
      }
    } catch let error as SystemError where !error.isOfOutput(in: scratch) {
      throw FileChanged()
    }
    if input.hasChanged { throw FileChanged() }
  }

  private func noteChange(_ path: RawPath, _ input: ForeignFile) {
    guard input.hasChanged else { return }
    skip(path, "it was written while it was archived, so its contents here may be of no one moment")
  }

  private func addFromMemory(_ path: RawPath, _ input: ForeignFile) throws {
    let bytes = try input.prefix(input.status.bytes)
    noteChange(path, input)
    try count(bytes.count)
    try writer.addFile(entryName(path), bytes: bytes.count, isExecutable: input.status.isExecutable) {
      write in
      try bytes.withUnsafeBytes { try write($0) }
    }
  }

  private func addOwn(_ path: String, as name: String, isExecutable: Bool) throws {
    let file = try InputFile(path: path)
    try add(file.status.bytes, as: name, isExecutable: isExecutable) { try file.read(into: $0, at: $1) }
  }

  private func add(
    _ bytes: Int, as name: String, isExecutable: Bool,
    reading read: (UnsafeMutableRawBufferPointer, _ offset: Int) throws -> Int
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 16)
    defer { buffer.deallocate() }
    try writer.addFile(name, bytes: bytes, isExecutable: isExecutable) { write in
      for offset in stride(from: 0, to: bytes, by: buffer.count) {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
        try write(UnsafeRawBufferPointer(rebasing: part.prefix(try read(part, offset))))
      }
    }
  }

  // MARK: Databases

  private func addDatabase(_ path: RawPath, _ input: ForeignFile) throws {
    let isOpenHere = OpenDescriptors.first(of: input.status.identity) != nil
    let folder = try ScratchFolder(in: scratch.path)
    guard let text = path.text else {
      return try addRawDatabase(
        path, input, isOpenHere: isOpenHere, reason: "A database whose name is not text was not captured.")
    }
    let result = archiver.captureDatabase("\(directory)/\(text)", folder.path)
    let notes = result.files.compactMap(\.capture.note).prefix(1)
    let reasons = (notes + result.failures.map(\.message)).joined(separator: " ")
    let isUsual = result.files.allSatisfy { $0.isDatabase && $0.capture.wal != .foreign }
    guard !result.files.isEmpty, isUsual || isOpenHere else {
      return try addRawDatabase(path, input, isOpenHere: isOpenHere, reason: reasons)
    }
    if !reasons.isEmpty { skip(path, reasons) }
    captured.insert(path)
    for file in result.files {
      try count(file.bytes)
      let ending = result.files.count > 1 ? file.capture.view?.nameEnding ?? "" : ""
      let suffix = ending.isEmpty ? "" : ending + (file.isDatabase ? ".sqlite" : ".raw")
      let name = suffix.isEmpty ? path : RawPath(path.bytes + Array(suffix.utf8))
      try addOwn("\(folder.path)/\(file.file)", as: entryName(name), isExecutable: false)
    }
  }

  private func addRawDatabase(
    _ path: RawPath, _ input: ForeignFile, isOpenHere: Bool, reason: String
  ) throws {
    guard !isOpenHere, archiver.keepsUnreadRows else {
      skip(path, reason)
      refused.insert(path)
      return
    }
    skip(path, "\(reason) The file is archived as it lies there.")
    try addContents(of: path, input)
  }

  /// True for a side file whose database was captured, or could not be.
  private func skipSideFile(_ path: RawPath) -> Bool {
    guard let side = SideFile(endOf: path.bytes) else { return false }
    let database = RawPath(path.bytes.dropLast(side.suffix.utf8.count))
    if captured.contains(database) {
      skip(path, "folded into \(database.readable)")
    } else if refused.contains(database) {
      skip(path, "it belongs to \(database.readable), which could not be captured")
    } else {
      return false
    }
    return true
  }
}

struct FileChanged: Error {}

extension SystemError {
  /// True when writing the archive failed, rather than reading a file.
  fileprivate func isOfOutput(in scratch: ScratchFolder) -> Bool {
    path.hasPrefix(scratch.path)
  }
}
