import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// A report's folder, built beside the one that it finally replaces.
final class ReportFolder {
  enum WritingError: Error, CustomStringConvertible {
    case file(SystemError)
    /// The folder has files of no earlier report.
    case occupied(String)
    /// The earlier report was moved away, and no report could be put in its place.
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

  let path: String
  let building: String
  private(set) var leftovers: [SystemError] = []
  private var isPublished = false

  init(path: String) throws(WritingError) {
    self.path = path
    guard Self.mayReplace(path) else { throw .occupied(path) }
    let parent = FileSystem.parentFolder(of: path) ?? ""
    let name = String(path.dropFirst(parent.count + 1))
    leftovers = Self.removeLeftovers(of: name, in: parent)
    do throws(SystemError) {
      try FileSystem.createFolder(parent)
      // An earlier process with our number may have left this name.
      building = try FileSystem.createNewFolder("\(name)\(Self.buildingMark)\(getpid())", in: parent)
    } catch {
      throw .file(error)
    }
  }

  deinit {
    if !isPublished { _ = Self.remove(building) }
  }

  var files: ReportWriter { ReportWriter(folder: building) }

  /// Moves the report to its place in one step.
  ///
  /// - Parameter earlier: Where to keep the earlier report.
  func publish(keepingEarlierAt earlier: String? = nil) throws(WritingError) {
    if rename(building, path) != 0 { try exchange(keepingEarlierAt: earlier) }
    isPublished = true
    leftovers += Self.remove(building)
  }

  /// Tries twice: what made a report fail may hinder its removal for a moment.
  private static func remove(_ path: String) -> [SystemError] {
    var errors: [SystemError] = []
    for _ in 1...2 {
      do throws(SystemError) {
        try FileSystem.remove(path)
        return []
      } catch {
        errors = [error]
      }
    }
    return errors
  }

  // MARK: - Leftovers of killed processes

  private static let buildingMark = ".new-"
  private static let replacedMark = ".old-"
  private static let spareMark = ".spare-"

  /// For files that are needed beside a report until it is written.
  static func spare(_ path: String) -> String { "\(path)\(spareMark)\(getpid())" }

  private static func removeLeftovers(of report: String, in parent: String) -> [SystemError] {
    guard FileSystem.status(parent) != nil else { return [] }
    do throws(SystemError) {
      return try FileSystem.entries(of: parent).filter { isLeftover($0, of: report) }
        .flatMap { remove(parent + "/" + $0) }
    } catch {
      return [error]
    }
  }

  private static func isLeftover(_ name: String, of report: String) -> Bool {
    let mark = [buildingMark, replacedMark, spareMark].first { name.hasPrefix(report + $0) }
    guard let mark else { return false }
    let number = name.dropFirst(report.count + mark.count).prefix { $0 != "-" }
    guard let pid = Int32(number) else { return false }
    // One with our number is an earlier process's, unless it is spare.
    return pid == getpid() ? mark != spareMark : ProcessIdentity(running: pid) == nil
  }

  // MARK: - Replacing

  /// True for a report with tests, or one that cannot be read.
  static func holdsTests(_ path: String) -> Bool {
    guard FileSystem.status(path + "/report.json") != nil else { return false }
    guard let report = FileManager.default.contents(atPath: path + "/report.json") else { return true }
    return report.firstRange(of: Data("\"kind\":\"\(Remark.Kind.noTests.rawValue)\"".utf8)) == nil
  }

  /// Where to keep a report that a run without tests replaces.
  static func earlierPath(of path: String) -> String {
    var (number, earlier) = (1, path + "-earlier")
    while !mayReplace(earlier) {
      number += 1
      earlier = "\(path)-earlier-\(number)"
    }
    return earlier
  }

  private static func mayReplace(_ path: String) -> Bool {
    guard let status = FileSystem.status(path) else { return true }
    guard status.st_mode & S_IFMT == S_IFDIR else { return false }
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
    if earlier != nil { leftovers += Self.remove(old) }
    guard rename(path, old) == 0 else { throw .file(SystemError("replace", path)) }
    guard rename(building, path) == 0 else {
      let error = SystemError("replace", path)
      guard rename(old, path) == 0 else { throw .displaced(error, earlier: old) }
      throw .file(error)
    }
    if earlier == nil { leftovers += Self.remove(old) }
  }

  /// Calls `renameat2` with `RENAME_EXCHANGE`: Glibc's module lacks it, and so do some file systems.
  private static func exchange(_ one: String, _ other: String) -> Bool {
    typealias Function =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
  }
}
