import ExhibitSystem

package struct CapturedDirectory: Sendable, Equatable {
  package var file: String
  package var bytes: Int
  package var archive: DirectoryArchive
  package var duration: Double
}

/// Archives directories in constant memory, without closing descriptors of files that are open here.
package struct DirectoryArchiver: Sendable {
  package var format = ArchiveFormat.zip
  package var limit: Int
  package var excluded: [String]
  package var excludedNames: [String]
  package var keepsUnreadRows = true
  package var captureDatabase: @Sendable (_ path: String, _ folder: String) -> DatabaseCaptureResult

  /// - Parameter captureDatabase: Must know this process's connections.
  package init(
    limit: Int = 256 << 20, excluded: [String] = [], excludedNames: [String] = [],
    captureDatabase: @escaping @Sendable (String, String) -> DatabaseCaptureResult = { path, folder in
      DatabaseCapturer().capture(.file(DatabaseFile(path: path)), named: "database", into: folder)
    }
  ) {
    self.limit = limit
    self.excluded = excluded
    self.excludedNames = excludedNames
    self.captureDatabase = captureDatabase
  }

  /// Makes `<name>.zip` or `<name>.tar.zst`; a failure leaves no file.
  package func archive(
    _ directory: String, named name: String, into folder: String
  ) throws(CaptureError) -> CapturedDirectory {
    do {
      let directory = try resolve(directory)
      guard CaptureError.isFileName(name) else { throw CaptureError.unusableName(name) }
      do {
        return try archive(resolved: directory, named: name, into: folder, copiesFirst: false)
      } catch is FileChanged {
        return try archive(resolved: directory, named: name, into: folder, copiesFirst: true)
      }
    } catch {
      throw CaptureError(error)
    }
  }

  private func archive(
    resolved directory: String, named name: String, into folder: String, copiesFirst: Bool
  ) throws -> CapturedDirectory {
    let start = ContinuousClock.now
    let scratch = try ScratchFolder(in: folder)
    let left = DirectoryWalk.Exclusions(
      listed: Set(try excluded.compactMap { try FileStatus(path: $0)?.identity }), names: excludedNames,
      scratch: try FileStatus(path: scratch.path)?.identity)
    try checkBudget(of: directory, leavingOut: left)
    let filling = try ArchiveFilling(
      of: directory, archiver: self, leavingOut: left, scratch: scratch, copiesFirst: copiesFirst)
    let archive = try filling.run()
    let bytes = try FileStatus(path: filling.file)?.bytes ?? 0
    let file = "\(name).\(format.rawValue)"
    try scratch.move(ArchiveFilling.fileName, to: "\(folder)/\(file)")
    return CapturedDirectory(
      file: file, bytes: bytes, archive: archive,
      duration: (ContinuousClock.now - start) / .seconds(1))
  }

  private func resolve(_ directory: String) throws -> String {
    guard let status = try FileStatus(path: directory), let real = FileSystem.realPath(directory) else {
      throw CaptureError(.missing, "There is no directory at \(directory).")
    }
    guard status.kind == .directory else {
      throw CaptureError(.unsupported, "\(directory) is not a directory.")
    }
    return real
  }

  private func checkBudget(of directory: String, leavingOut left: DirectoryWalk.Exclusions) throws {
    var walk = DirectoryWalk(of: directory, leavingOut: left)
    var bytes = 0
    while let item = walk.next() {
      if case .file(let status) = item.content { bytes += status.bytes }
    }
    guard bytes <= limit else { throw CaptureError.overBudget(directory, bytes: bytes, limit: limit) }
  }
}
