import Glibc

/// A hidden temporary folder; `deinit` removes it with its content.
package final class ScratchFolder {
  package let path: String
  package let parent: String
  private var isPublished = false

  /// Creates it inside `folder`, so that files can be renamed to there.
  package init(in folder: String, prefix: String = ".capture-") throws {
    path = try Self.create("\(folder)/\(prefix)", in: folder)
    parent = folder
  }

  /// Creates a folder with a random name after `beginning`; the caller removes it.
  package static func create(
    _ beginning: String, in folder: String, attempt: String = "create a folder in"
  ) throws(SystemError) -> String {
    var template = Array("\(beginning)XXXXXX".utf8CString)
    let created = template.withUnsafeMutableBufferPointer { name in
      name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let created else { throw SystemError(attempt, folder) }
    return created
  }

  deinit {
    if isPublished { return }
    Self.remove(path)
  }

  /// Errors are ignored: leftovers are hidden and harmless.
  private static func remove(_ folder: String) {
    for name in (try? FolderEntries.names(in: folder)) ?? [] {
      let path = "\(folder)/\(String(decoding: name, as: UTF8.self))"
      if unlink(path) != 0, errno == EISDIR { remove(path) }
    }
    _ = rmdir(folder)
  }

  package func remove(_ name: String) throws {
    guard unlink("\(path)/\(name)") == 0 else { throw SystemError("remove", "\(path)/\(name)") }
  }

  /// Renames the folder and keeps it.
  package func publish(as destination: String) throws {
    try Self.move(path, to: destination)
    isPublished = true
  }

  /// Moves a file to a place where nothing is yet.
  package func move(_ name: String, to destination: String) throws {
    try Self.move("\(path)/\(name)", to: destination)
  }

  private static func move(_ path: String, to destination: String) throws {
    guard try FileStatus(path: destination, followingLinks: false) == nil else {
      throw SystemError("create", destination, code: EEXIST)
    }
    guard rename(path, destination) == 0 else { throw SystemError("create", destination) }
  }
}
