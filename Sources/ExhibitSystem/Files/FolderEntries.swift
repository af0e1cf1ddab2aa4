import Glibc

package enum FolderEntries {
  /// The sorted names in a folder as bytes, without `.` and `..`.
  package static func names(in path: UnsafePointer<CChar>) throws(SystemError) -> [[UInt8]] {
    guard let directory = opendir(path) else { throw SystemError("list", String(cString: path)) }
    return try names(in: directory, path: String(cString: path))
  }

  /// The sorted names in an open folder, whose descriptor is closed.
  package static func names(inOpen descriptor: Int32, path: String) throws(SystemError) -> [[UInt8]] {
    guard let directory = fdopendir(descriptor) else {
      let error = SystemError("list", path)
      close(descriptor)
      throw error
    }
    return try names(in: directory, path: path)
  }

  private static func names(in directory: OpaquePointer, path: String) throws(SystemError) -> [[UInt8]] {
    defer { _ = closedir(directory) }  // fails only for what is no directory stream
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError("list", path) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
