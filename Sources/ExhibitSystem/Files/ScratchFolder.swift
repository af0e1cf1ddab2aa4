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
    var template = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
    let created = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let name = buffer.baseAddress, mkdtemp(name) != nil else { return nil }
      return String(cString: name)
    }
    guard let created else { throw SystemError("create a folder in", folder) }
    path = created
    parent = folder
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
    guard try FileStatus(path: destination, followingLinks: false) == nil else {
      throw SystemError("create", destination, code: EEXIST)
    }
    guard rename(path, destination) == 0 else { throw SystemError("create", destination) }
    isPublished = true
  }

  /// Moves a finished file to a place where nothing is yet.
  ///
  /// - Throws: `SystemError`.
  package func move(_ name: String, to destination: String) throws {
    guard try FileStatus(path: destination, followingLinks: false) == nil else {
      throw SystemError("create", destination, code: EEXIST)
    }
    guard rename("\(path)/\(name)", destination) == 0 else { throw SystemError("create", destination) }
  }
}
