import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Walks through a directory: folders before their content, names in the order of their bytes.
///
/// Only folders are opened, and no link is followed.
struct DirectoryWalk {
  struct Item {
    var path: RawPath
    var content: Content
  }

  enum Content {
    case file(FileStatus)
    case directory
    /// The bytes of the link's target.
    case link([UInt8])
    /// The reason why it cannot be read.
    case skipped(String)
  }

  /// The items that a walk leaves out.
  struct Exclusions {
    /// Files and folders to leave out, which are told to the reader.
    var listed: Set<FileIdentity>
    /// Names to leave out, with the wildcards of `fnmatch`; they are told to the reader too.
    var names: [String] = []
    /// The folder in which the archive is being made.
    var scratch: FileIdentity?
  }

  private let directory: String
  private let exclusions: Exclusions
  /// The paths to visit, the next one last.
  private var pending: [RawPath]
  /// A folder that could not be listed, returned after the folder itself.
  private var unreadable: Item?

  init(of directory: String, leavingOut exclusions: Exclusions) {
    self.directory = directory
    self.exclusions = exclusions
    pending = []
    descend(RawPath())
  }

  /// Returns the next item; `nil` at the end.
  mutating func next() -> Item? {
    if let item = unreadable {
      unreadable = nil
      return item
    }
    while let path = pending.popLast() {
      guard let content = look(at: path) else { continue }
      if case .directory = content { descend(path) }
      return Item(path: path, content: content)
    }
    return nil
  }

  private mutating func descend(_ path: RawPath) {
    do {
      let names = try FolderEntries.names(in: path.path(in: directory))
      pending += names.reversed().map { path.appending($0) }
    } catch {
      unreadable = Item(path: path, content: .skipped("its contents could not be listed: \(error)"))
    }
  }

  private func look(at path: RawPath) -> Content? {
    do {
      guard let status = try FileStatus(path: path.path(in: directory), followingLinks: false) else {
        return .skipped("it vanished while the directory was archived")
      }
      if status.identity == exclusions.scratch { return nil }
      if exclusions.listed.contains(status.identity) {
        return .skipped("left out by rule, as the artifacts folder is")
      }
      if exclusions.names.contains(where: path.nameMatches) || isBesideExcluded(path) {
        return .skipped("left out by the suite's rule")
      }
      switch status.kind {
      case .regular: return .file(status)
      case .directory: return .directory
      case .link: return .link(try target(of: path))
      case .other(let kind): return .skipped("a \(kind), which has no contents to be archived")
      }
    } catch {
      return .skipped("\(error)")
    }
  }

  /// True for the WAL or journal of a database that is left out by its name.
  private func isBesideExcluded(_ path: RawPath) -> Bool {
    guard let side = SideFile(endOf: path.bytes) else { return false }
    return exclusions.names.contains(
      where: RawPath(path.bytes.dropLast(side.suffix.utf8.count)).nameMatches)
  }

  private func target(of path: RawPath) throws -> [UInt8] {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path.path(in: directory), &bytes, bytes.count)
    guard count >= 0 else { throw SystemError("read the link", path.readable) }
    return bytes.prefix(count).map { UInt8(bitPattern: $0) }
  }
}
