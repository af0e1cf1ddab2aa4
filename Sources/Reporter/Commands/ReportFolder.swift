import Collector
import ExhibitSystem
import Foundation
import Glibc
import ReportModel

/// The report folder while it is built beside the one it replaces; that one stays whole until the last moment.
final class ReportFolder {
  /// Why a report cannot be written.
  enum WritingError: Error, CustomStringConvertible {
    case file(SystemError)
    /// The folder holds something that no earlier report left.
    case occupied(String)
    /// The earlier report could be moved away, and neither the new one nor itself to its place.
    case displaced(SystemError, earlier: String)

    var description: String {
      switch self {
      case .file(let error): "The report was not written; what was there is unchanged. \(error)"
      case .occupied(let path):
        "\(path) holds files that are not a report; nothing was changed. Name another folder with --output."
      case .displaced(let error, let earlier):
        "The report was not written, and what was there is now in \(earlier). \(error)"
      }
    }
  }

  /// The absolute path at which the report will be.
  let path: String
  /// Where it is built.
  let building: String
  /// What should have been removed and could not be; the report is written all the same.
  private(set) var leftovers: [SystemError] = []
  private var isPublished = false

  /// Makes the folder to build in.
  init(path: String) throws(WritingError) {
    self.path = path
    guard Self.mayReplace(path) else { throw .occupied(path) }
    let (parent, name) = Self.split(path)
    leftovers = Self.removeLeftovers(of: name, in: parent)
    do throws(SystemError) {
      try FileSystem.createFolder(parent)
      // What is left of a process with our number may have its name.
      building = try FileSystem.createNewFolder("\(name)\(Self.buildingMark)\(getpid())", in: parent)
    } catch {
      throw .file(error)
    }
  }

  deinit {
    // An error on the way is what the user hears of; what is left is named after this process.
    if !isPublished { try? Self.remove(building) }
  }

  /// Writes what goes into it.
  var files: ReportWriter { ReportWriter(folder: building) }

  /// Puts the report in its place in one step and removes the one that was there, or puts that beside it.
  ///
  /// - Parameter earlier: Where the one that was there is kept; what an earlier report left there goes.
  func publish(keepingEarlierAt earlier: String? = nil) throws(WritingError) {
    if rename(building, path) != 0 { try exchange(keepingEarlierAt: earlier) }
    isPublished = true
    remove(building)
  }

  private func remove(_ path: String) {
    do throws(SystemError) {
      try Self.remove(path)
    } catch {
      leftovers.append(error)
    }
  }

  /// What made a report fail can make its removal fail too, and be over the next time.
  private static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.remove(path)
    } catch {
      try FileSystem.remove(path)
    }
  }

  // MARK: - What killed processes left

  /// Between the name of a report folder and the number of the process that builds or replaces it, or needs room for it.
  private static let buildingMark = ".new-"
  private static let replacedMark = ".old-"
  private static let spareMark = ".spare-"

  /// The beginning of the path of what is needed beside a report until that is written.
  static func spare(_ path: String) -> String { "\(path)\(spareMark)\(getpid())" }

  private static func split(_ path: String) -> (parent: String, name: String) {
    let parent = FileSystem.parentFolder(of: path) ?? ""
    return (parent, String(path.dropFirst(parent.count + 1)))
  }

  /// Removes what killed processes built and did not publish, or replaced and did not remove.
  ///
  /// - Returns: What could not be removed.
  private static func removeLeftovers(of report: String, in parent: String) -> [SystemError] {
    guard FileSystem.status(parent) != nil else { return [] }
    var errors: [SystemError] = []
    do throws(SystemError) {
      for name in try FileSystem.entries(of: parent) where isLeftover(name, of: report) {
        do throws(SystemError) {
          try remove(parent + "/" + name)
        } catch {
          errors.append(error)
        }
      }
    } catch {
      errors.append(error)
    }
    return errors
  }

  private static func isLeftover(_ name: String, of report: String) -> Bool {
    let mark = [buildingMark, replacedMark, spareMark].first { name.hasPrefix(report + $0) }
    guard let mark else { return false }
    let number = name.dropFirst(report.count + mark.count).prefix { $0 != "-" }
    guard let pid = Int32(number) else { return false }
    // What has our number and is not spare is of an earlier process.
    return pid == getpid() ? mark != spareMark : ProcessIdentity(running: pid) == nil
  }

  // MARK: - Replacing

  /// Whether a folder holds a report on tests, or one of which that cannot be known.
  static func holdsTests(_ path: String) -> Bool {
    guard FileSystem.status(path + "/report.json") != nil else { return false }
    guard let report = FileManager.default.contents(atPath: path + "/report.json") else { return true }
    return report.firstRange(of: Data("\"kind\":\"\(Remark.Kind.noTests.rawValue)\"".utf8)) == nil
  }

  /// Where the report at a path is kept when a run without tests takes its place.
  static func earlierPath(of path: String) -> String {
    var (number, earlier) = (1, path + "-earlier")
    while !mayReplace(earlier) {
      number += 1
      earlier = "\(path)-earlier-\(number)"
    }
    return earlier
  }

  /// Only what a report left is replaced: a folder that is empty or has report.json.
  private static func mayReplace(_ path: String) -> Bool {
    guard let status = FileSystem.status(path) else { return true }
    guard status.st_mode & S_IFMT == S_IFDIR else { return false }
    // A folder that cannot be read is not known to be a report.
    let names = try? FileSystem.entries(of: path)
    return names.map { $0.isEmpty || $0.contains("report.json") } ?? false
  }

  private func exchange(keepingEarlierAt earlier: String?) throws(WritingError) {
    if Self.exchange(building, path) {
      guard let earlier, rename(building, earlier) != 0, !Self.exchange(building, earlier) else { return }
      let error = SystemError("keep", earlier)
      guard Self.exchange(building, path) else { throw .displaced(error, earlier: building) }
      throw .file(error)
    }
    let old = earlier ?? "\(path)\(Self.replacedMark)\(getpid())"
    if earlier != nil { remove(old) }
    guard rename(path, old) == 0 else { throw .file(SystemError("replace", path)) }
    guard rename(building, path) == 0 else {
      let error = SystemError("replace", path)
      guard rename(old, path) == 0 else { throw .displaced(error, earlier: old) }
      throw .file(error)
    }
    if earlier == nil { remove(old) }
  }

  /// `renameat2` with `RENAME_EXCHANGE`, which Glibc's module does not show; not every file system has it.
  private static func exchange(_ one: String, _ other: String) -> Bool {
    typealias Function =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
  }
}
