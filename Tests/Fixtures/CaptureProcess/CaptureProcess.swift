import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation

/// Captures a database on request, for tests that need the capture in a process of its own.
///
///     CaptureProcess <database> <folder> [<statements of the connection that is kept open>]
///
/// Every line on standard input asks for one capture: `<name> <kind> <n> <once|good|change>`. With a kind, the `n`-th
/// call of that kind fails, as Tests/Fixtures/Faults does when it is preloaded. Every capture answers one line. Instead
/// of a database it may be a directory, of which the last part of the answer has the names that are not in the archive;
/// what is kept open then is a file in it, given as `<mode of fopen> <name>`, and locked.
@main
enum CaptureProcess {
  static func main() throws {
    let arguments = CommandLine.arguments
    let capturing = Capturing(path: arguments[1], folder: arguments[2])
    let kept = arguments.dropFirst(3).first
    if let kept, capturing.isDirectory { try keepLocked(kept, in: arguments[1]) }
    let live = try capturing.isDirectory ? nil : kept.map { try KeptConnection(path: arguments[1], $0) }
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let fault = words.count == 4 ? try Fault(kind: words[1], at: words[2], mode: words[3]) : nil
      print(try capturing.capture(named: words[0], live: live, fault: fault))
      fflush(nil)
    }
    try live?.execute("COMMIT")
  }

  /// Opens a file and locks it until the process ends.
  private static func keepLocked(_ argument: String, in directory: String) throws {
    let words = argument.split(separator: " ").map(String.init)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    guard let file = fopen("\(directory)/\(words[1])", words[0]), fcntl(fileno(file), F_SETLK, &lock) == 0
    else {
      throw CocoaError(.fileReadUnknown)
    }
  }
}

/// The connection of the test that failed.
private final class KeptConnection: Sendable {
  private let address: UInt
  private let path: String

  init(path: String, _ statements: String) throws {
    var pointer: OpaquePointer?
    guard sqlite3_open_v2(path, &pointer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
    address = UInt(bitPattern: pointer)
    self.path = path
    try execute(statements)
  }

  deinit { sqlite3_close_v2(OpaquePointer(bitPattern: address)) }

  func execute(_ statements: String) throws {
    guard let pointer = OpaquePointer(bitPattern: address) else { return }
    try SQLiteHandle(pointer: pointer, path: path).execute(statements)
  }

  var lent: LiveConnection {
    LiveConnection(belongsToFailedTest: true) { [address] _, body in
      guard let pointer = OpaquePointer(bitPattern: address) else { return .closed }
      body(pointer)
      return .used
    }
  }
}

private struct Capturing {
  var path: String
  var folder: String

  func capture(named name: String, live: KeptConnection?, fault: Fault?) throws -> String {
    let before = try descriptors()
    let start = ContinuousClock.now
    fault?.arm()
    let (files, failures) = isDirectory ? archive(named: name) : captureDatabase(named: name, live)
    let calls = fault?.disarm() ?? 0
    let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
    return [
      "\(calls)", "\(milliseconds)", "\(try descriptors() - before)",
      files.joined(separator: ","), failures.joined(separator: ","),
    ].joined(separator: " ; ")
  }

  var isDirectory: Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  private func captureDatabase(named name: String, _ live: KeptConnection?) -> ([String], [String]) {
    let file = DatabaseFile(path: path, connections: live.map { [$0.lent] } ?? [])
    let result = DatabaseCapturer(keepsHistory: true).capture(.file(file), named: name, into: folder)
    let files = result.files.flatMap { [$0.file, $0.capture.history] }.compactMap { $0 }
    return (files, result.failures.map(\.reason.rawValue))
  }

  private func archive(named name: String) -> ([String], [String]) {
    do {
      var archiver = DirectoryArchiver()
      if ProcessInfo.processInfo.environment["ARCHIVE_FORMAT"] == "tar.zst" {
        archiver.format = .tarZstandard
      }
      let archived = try archiver.archive(path, named: name, into: folder)
      return ([archived.file], archived.archive.skipped.map(\.path))
    } catch {
      return ([], [error.reason.rawValue])
    }
  }

  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
