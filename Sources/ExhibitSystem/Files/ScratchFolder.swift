import Glibc

/// A hidden folder for a capture that is being made; `deinit` removes it with its content.
package final class ScratchFolder {
  package let path: String
  /// The folder that receives what is finished.
  package let parent: String
  private var isPublished = false

  /// Creates it inside `folder`, so that finished files can be renamed to their place.
  ///
  /// - Parameter prefix: The beginning of its name.
  /// - Throws: `SystemError`.
  package init(in folder: String, prefix: String = ".capture-") throws {
    path = try Self.create("\(folder)/\(prefix)", in: folder)
    parent = folder
  }

  /// Creates a folder whose path begins so, for whoever removes it.
  ///
  /// - Parameter attempt: The words for this in an error.
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

  /// Removes the folder; leftovers are hidden, have our name and do no harm, and there is nobody left to tell.
  private static func remove(_ folder: String) {
    for name in (try? FolderEntries.names(in: folder)) ?? [] {
      let path = "\(folder)/\(String(decoding: name, as: UTF8.self))"
      // Folders in it are those that a killed helper left.
      if unlink(path) != 0, errno == EISDIR { remove(path) }
    }
    _ = rmdir(folder)
  }

  /// Removes one file.
  ///
  /// - Throws: `SystemError`.
  package func remove(_ name: String) throws {
    guard unlink("\(path)/\(name)") == 0 else { throw SystemError("remove", "\(path)/\(name)") }
  }

  /// Renames the folder itself to a place where nothing is yet.
  ///
  /// - Throws: `SystemError`.
  package func publish(as destination: String) throws {
    try Self.move(path, to: destination)
    isPublished = true
  }

  /// Moves a finished file to a place where nothing is yet.
  ///
  /// - Throws: `SystemError`.
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
