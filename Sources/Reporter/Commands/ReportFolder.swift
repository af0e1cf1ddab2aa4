import Collector
import Glibc

/// The report folder while it is built beside the one it replaces; that one stays whole until the last moment.
final class ReportFolder {
  /// Why a report cannot be written.
  enum WritingError: Error, CustomStringConvertible {
    case file(SystemError)
    /// The folder holds something that no earlier report left.
    case occupied(String)

    var description: String {
      switch self {
      case .file(let error): "The report was not written; what was there is unchanged. \(error)"
      case .occupied(let path):
        "\(path) holds files that are not a report; nothing was changed. Name another folder with --output."
      }
    }
  }

  /// The absolute path at which the report will be.
  let path: String
  /// Where it is built.
  let building: String
  private var isPublished = false

  /// Makes the folder to build in.
  init(path: String) throws(WritingError) {
    self.path = path
    guard Self.mayReplace(path) else { throw .occupied(path) }
    building = "\(path)\(Self.buildingMark)\(getpid())"
    do throws(SystemError) {
      try Self.removeLeftovers(of: path)
      try FileSystem.remove(building)
      try FileSystem.createFolder(building)
    } catch {
      throw .file(error)
    }
  }

  deinit {
    // An error on the way is what the user hears of; what is left is named after this process.
    if !isPublished { try? FileSystem.remove(building) }
  }

  /// Writes what goes into it.
  var files: ReportWriter { ReportWriter(folder: building) }

  /// Puts the report in its place in one step and removes the one that was there.
  func publish() throws(WritingError) {
    do throws(SystemError) {
      if rename(building, path) != 0 { try exchange() }
      isPublished = true
      try FileSystem.remove(building)
    } catch {
      throw .file(error)
    }
  }

  /// Between the name of a report folder and the number of the process that builds it.
  private static let buildingMark = ".new-"

  /// Removes what killed processes built and did not publish.
  private static func removeLeftovers(of path: String) throws(SystemError) {
    guard let parent = FileSystem.parentFolder(of: path), FileSystem.status(parent) != nil else { return }
    let prefix = path.dropFirst(parent.count + 1) + buildingMark
    for name in try FileSystem.entries(of: parent) where name.hasPrefix(prefix) {
      let pid = Int32(name.dropFirst(prefix.count))
      guard let pid, ProcessIdentity(running: pid) == nil else { continue }
      try FileSystem.remove(parent + "/" + name)
    }
  }

  /// Only what a report left is replaced: a folder that is empty or has report.json.
  private static func mayReplace(_ path: String) -> Bool {
    guard let status = FileSystem.status(path) else { return true }
    guard status.st_mode & S_IFMT == S_IFDIR else { return false }
    // A folder that cannot be read is not known to be a report.
    let names = try? FileSystem.entries(of: path)
    return names.map { $0.isEmpty || $0.contains("report.json") } ?? false
  }

  private func exchange() throws(SystemError) {
    if exchangeInOneStep() { return }
    let old = "\(path).old-\(getpid())"
    guard rename(path, old) == 0 else { throw SystemError("replace", path) }
    guard rename(building, path) == 0 else {
      let error = SystemError("replace", path)
      // The report that was there goes back to its place; if even that fails the error names it.
      guard rename(old, path) == 0 else { throw SystemError("restore", old) }
      throw error
    }
    guard rename(old, building) == 0 else { throw SystemError("remove", old) }
  }

  /// `renameat2` with `RENAME_EXCHANGE`, which Glibc's module does not show; not every file system has it.
  private func exchangeInOneStep() -> Bool {
    typealias Function =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, building, AT_FDCWD, path, 2) == 0
  }
}
