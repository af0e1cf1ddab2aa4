import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Everything below a directory, folders before what is in them, names in the order of their bytes.
///
/// Nothing but folders is opened, no link is followed.
struct DirectoryWalk {
  /// One thing found.
  struct Item {
    var path: RawPath
    var content: Content
  }

  enum Content {
    case file(FileStatus)
    case directory
    /// The bytes of its target.
    case link([UInt8])
    /// Why it cannot be read.
    case skipped(String)
  }

  /// What a walk does not enter.
  struct Exclusions {
    /// Told to the reader.
    var listed: Set<FileIdentity>
    /// Names, with the wildcards of `fnmatch`; told to the reader too.
    var names: [String] = []
    /// Where the archive itself is being made.
    var scratch: FileIdentity?
  }

  private let directory: String
  private let exclusions: Exclusions
  /// What is still to be visited, the next one last.
  private var pending: [RawPath]
  /// Reasons that stand behind a folder that was already returned.
  private var unreadable: Item?

  init(of directory: String, leavingOut exclusions: Exclusions) {
    self.directory = directory
    self.exclusions = exclusions
    pending = []
    descend(RawPath())
  }

  /// The next item, or `nil` at the end.
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

  /// Whether it is the WAL or journal of a database that is left out by its name.
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
