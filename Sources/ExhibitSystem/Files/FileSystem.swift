package import Glibc

/// System calls on files and folders; folders are created with mode 0700, files with 0600.
package enum FileSystem {
  /// - Returns: False when the folder was there already.
  @discardableResult
  package static func createFolder(_ path: String, withParents: Bool = true) throws(SystemError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case ENOENT where withParents:
      guard let parent = parentFolder(of: path) else { throw SystemError("create", path, code: ENOENT) }
      try createFolder(parent)
      return try createFolder(path, withParents: false)
    default: throw SystemError("create", path)
    }
  }

  /// Throws for a link and for a folder of another user.
  ///
  /// - Parameter followingLinks: True when the user chose the path, which may be a link then.
  package static func checkIsOwnFolder(_ path: String, followingLinks: Bool = false) throws(SystemError) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      throw SystemError("look at", path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: throw SystemError("use a link in place of the folder", path, code: ELOOP)
    case S_IFDIR: break
    default: throw SystemError("use as a folder", path, code: ENOTDIR)
    }
    guard status.st_uid == geteuid() else {
      throw SystemError("use another user's folder", path, code: EACCES)
    }
  }

  /// Creates a folder under the first free name of `name`, `name-2`, `name-3` and so on, and returns its path.
  package static func createNewFolder(_ name: String, in folder: String) throws(SystemError) -> String {
    func path(_ number: Int) -> String { folder + "/" + (number == 1 ? name : "\(name)-\(number)") }
    if try createFolder(path(1)) { return path(1) }
    // By bisection: a test may have thousands of repetitions.
    var (taken, limit) = (1, 2)
    while status(path(limit)) != nil { (taken, limit) = (limit, limit * 2) }
    let free = (taken + 1..<limit).place(behind: { status(path($0)) != nil })
    // Other processes may take names meanwhile.
    for number in free..<free + 10_000 {
      if try createFolder(path(number)) { return path(number) }
    }
    throw SystemError("create", folder + "/" + name, code: EEXIST)
  }

  /// Writes a file that must not exist; removes it again when that fails.
  package static func writeNewFile(_ path: String, _ bytes: some Collection<UInt8>) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    do throws(SystemError) {
      try write(Array(bytes), to: descriptor, path: path)
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    guard close(descriptor) == 0 else {
      let error = SystemError("write", path)
      unlink(path)
      throw error
    }
  }

  package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SystemError) {
    // Without its closure's error type spelled: Swift 6.0 takes this one to throw any error.
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try write(bytes, to: descriptor, path: path) }
    }
    try written.get()
  }

  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path, code: count == 0 ? EIO : errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// The sorted names in a folder without `.` and `..`; invalid UTF-8 is repaired.
  package static func entries(of folder: String) throws(SystemError) -> [String] {
    try FolderEntries.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func entries(ofOpen descriptor: Int32, path: String) throws(SystemError) -> [String] {
    try FolderEntries.names(inOpen: descriptor, path: path).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  package static func targetStatus(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// The path without symbolic links; `nil` when nothing is there.
  package static func resolved(_ path: String) throws(SystemError) -> String? {
    guard let resolved = realpath(path, nil) else {
      if errno == ENOENT { return nil }
      throw SystemError("find", path)
    }
    defer { free(resolved) }
    guard let resolved = String(validatingCString: resolved) else {
      throw SystemError("name", path, code: EILSEQ)
    }
    return resolved
  }

  /// The path without symbolic links, invalid UTF-8 repaired; `nil` with `errno` set on failure.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The bytes of all files below a folder, each inode once.
  package static func size(of folder: String) -> Int {
    var counted: Set<FileIdentity> = []
    return size(of: folder, counting: { $0.st_nlink < 2 || counted.insert(FileIdentity($0)).inserted })
  }

  private static func size(of path: String, counting counts: (stat) -> Bool) -> Int {
    guard let status = status(path) else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return counts(status) ? Int(status.st_size) : 0 }
    let names = (try? entries(of: path)) ?? []
    return sum(names.map { size(of: path + "/" + $0, counting: counts) })
  }

  /// The sum, or `Int.max`: sparse files can be larger than any disk.
  package static func sum(_ sizes: some Sequence<Int>) -> Int {
    sizes.reduce(0) { total, size in
      let (sum, isTooLarge) = total.addingReportingOverflow(size)
      return isTooLarge ? .max : sum
    }
  }

  /// The bytes of the files at or below a path that have only one hard link.
  package static func sizeOfFirstNames(in path: String) -> Int {
    size(of: path, counting: { $0.st_nlink < 2 })
  }

  /// Removes a file or a folder with its content; a missing one is no error.
  ///
  /// - Throws: `SystemError` of the first file that stays; the others are removed all the same.
  package static func remove(_ path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw SystemError("remove", path)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      var failure: SystemError?
      for name in try entries(of: path) {
        do throws(SystemError) {
          try remove(path + "/" + name)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
    } else {
      guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
    }
  }

  /// The free bytes of a path's file system.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooLarge ? .max : Int(clamping: bytes)
  }

  package static func parentFolder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}
