import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Visits a directory's items: folders first, names in byte order, links not followed.
struct DirectoryWalk {
  struct Item {
    var path: RawPath
    var content: Content
  }

  enum Content {
    case file(FileStatus)
    case directory
    case link([UInt8])
    case skipped(String)
  }

  struct Exclusions {
    /// Left out, and reported.
    var listed: Set<FileIdentity>
    /// Likewise; patterns of `fnmatch`.
    var names: [String] = []
    var scratch: FileIdentity?
  }

  private let directory: String
  private let exclusions: Exclusions
  private var pending: [RawPath]
  private var unreadable: Item?

  init(of directory: String, leavingOut exclusions: Exclusions) {
    self.directory = directory
    self.exclusions = exclusions
    pending = []
    descend(RawPath())
  }

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
