import Collector
import ExhibitSystem
import Glibc
import ReportModel

/// Replaces a file once all of the new one is written.
package struct ReplacedFile {
  package enum Problem: Error, CustomStringConvertible {
    /// A folder, a device, a pipe, or a link to nothing is there.
    case noFile(String)
    case source(String)

    package var description: String {
      switch self {
      case .noFile(let path): "\(path) is no file that could be replaced. Name another with --output."
      case .source(let path): "\(path) is read for it. Name another file with --output."
      }
    }
  }

  private let path: String
  package let draft: String
  private static let draftMark = ".new-"

  /// - Parameter sources: Files that must not be replaced.
  package init(_ path: String, apart sources: [String]) throws(Problem) {
    self.path = Self.place(of: path)
    if let status = FileSystem.status(self.path), status.st_mode & S_IFMT != S_IFREG { throw .noFile(path) }
    draft = "\(self.path)\(Self.draftMark)\(getpid())"
    for source in sources {
      let source = Self.place(of: source)
      if self.path == source || self.path.hasPrefix(source + "/") { throw .source(path) }
    }
    removeLeftovers()
  }

  /// Puts the written draft in its place, or removes it after an error.
  package func replace<Answer>(_ write: (_ draft: String) throws -> Answer) throws -> Answer {
    do {
      let answer = try write(draft)
      guard rename(draft, path) == 0 else { throw SystemError("replace", path) }
      return answer
    } catch {
      unlink(draft)
      throw error
    }
  }

  private static func place(of path: String) -> String {
    let path = SourceRoot(path: path).path
    // Writing reports a path that cannot be resolved.
    func resolved(_ path: String) -> String? { (try? FileSystem.resolved(path)) ?? nil }
    let parent = FileSystem.parentFolder(of: path)
    return resolved(path) ?? parent.flatMap(resolved).map { $0 + path.dropFirst(parent?.count ?? 0) } ?? path
  }

  private func removeLeftovers() {
    guard let folder = FileSystem.parentFolder(of: path) else { return }
    let beginning = path.dropFirst(folder.count + 1) + Self.draftMark
    for name in (try? FileSystem.entries(of: folder)) ?? [] where name.hasPrefix(beginning) {
      guard let pid = Int32(name.dropFirst(beginning.count)),
        pid == getpid() || ProcessIdentity(running: pid) == nil
      else { continue }
      unlink(folder + "/" + name)
    }
  }
}
