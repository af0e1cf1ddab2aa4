#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file system, with typed errors.
enum Files {
  /// The path without symbolic links; `nil` when there is no such file.
  static func resolved(_ path: String) throws(StoreMigrationError) -> String? {
    guard let resolved = realpath(path, nil) else {
      if errno == ENOENT { return nil }
      throw StoreMigrationError(errno: errno, path, "find it")
    }
    defer { free(resolved) }
    // Repaired, it would be the path of another file.
    guard let path = String(validatingCString: resolved) else {
      throw StoreMigrationError(errno: EILSEQ, path, "name it")
    }
    return path
  }

  /// The folder and the name in it of an absolute path.
  static func split(_ path: String) -> (folder: String, name: String) {
    // By bytes: with a combining character behind it a slash is another `Character`.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }

  static func exists(_ path: String) throws(StoreMigrationError) -> Bool { try status(path) != nil }

  /// The size in bytes, 0 when there is no such file.
  static func size(_ path: String) throws(StoreMigrationError) -> Int {
    Int(try status(path)?.st_size ?? 0)
  }

  /// The first bytes of a file, none when there is no such file.
  static func beginning(of path: String, count: Int) throws(StoreMigrationError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return [] }
    guard descriptor >= 0 else { throw StoreMigrationError(errno: errno, path, "open it") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = pread(descriptor, &bytes, count, 0)
    guard found >= 0 else { throw StoreMigrationError(errno: errno, path, "read it") }
    return Array(bytes[..<found])
  }

  static func status(_ path: String) throws(StoreMigrationError) -> stat? {
    var status = stat()
    if lstat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw StoreMigrationError(errno: errno, path, "look at it")
  }

  /// Removes a file if there is one.
  static func remove(_ path: String) throws(StoreMigrationError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw StoreMigrationError(errno: errno, path, "remove it")
    }
  }

  static func pause() { usleep(5000) }
}

// MARK: - Folders

extension Files {
  /// Makes a folder; `XXXXXX` at the end of the path becomes something new.
  static func makeFolder(_ template: String) throws(StoreMigrationError) -> String {
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else { throw StoreMigrationError(errno: errno, template, "make a folder") }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names of what is in a folder, none when there is no such folder.
  static func names(in folder: String) throws(StoreMigrationError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw StoreMigrationError(errno: errno, folder, "list it")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder with the files in it; it has no folders in it.
  static func removeFolder(_ path: String) throws(StoreMigrationError) {
    for name in try names(in: path) { try remove(path + "/" + name) }
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw StoreMigrationError(errno: errno, path, "remove it")
    }
  }
}

// MARK: - Descriptors

extension Files {
  /// Whether this process has a file open more than once, and so through another connection than ours.
  ///
  /// In rollback mode a connection that does nothing has no lock by which it could be found. Always `false` where
  /// there is no `/proc`.
  static func isOpenTwice(_ path: String) -> Bool {
    var file = stat()
    guard stat(path, &file) == 0, let descriptors = try? names(in: "/proc/self/fd") else { return false }
    // O_PATH, which Swift does not see: such a descriptor only names the file.
    let pathOnly: Int32 = 0o10000000
    let open = descriptors.compactMap { Int32($0) }.filter { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_dev == file.st_dev && status.st_ino == file.st_ino
        && fcntl(descriptor, F_GETFL) & pathOnly == 0
    }
    return open.count > 1
  }
}

extension StoreMigrationError {
  init(errno code: Int32, _ path: String, _ attempt: String) {
    self.init(.system(code), path, "Could not \(attempt): \(String(cString: strerror(code))).")
  }
}
