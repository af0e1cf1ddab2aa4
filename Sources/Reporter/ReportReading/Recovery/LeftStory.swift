import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// A running test of a dead process, with what selects its steps from the ring.
struct LeftStory: Sendable, Equatable {
  var test: TestCaseID
  var number: Int
  /// Its position among the running tests, by start.
  var place: Int
  var ownConnections: Set<Int> = []
  var sharedConnections: Set<Int> = []
  var connected: LeftConnections

  /// The lines of its story; `nil` when the ring has no step of it.
  func lines(from image: TraceImage) -> [UInt8]? {
    let subject = TestSteps.Subject(
      test: number, ownConnections: ownConnections,
      sharedConnections: sharedConnections.union(connected.anybodys(at: place)))
    let withoutChanges =
      image.tellsChanges ? nil : "Changes of rows were out of reach in the process that died."
    let story = TestStory(test, subject: subject, withoutChanges: withoutChanges, isWhole: false)
    return story.lines(from: image) { connected.databases(of: $0) }
  }

  func failure(_ error: CaptureError, named name: String = "story.jsonl") -> LogRecord {
    error.record(of: .story, named: name, in: test)
  }
}

/// A dead process's connections, shared by its running tests.
struct LeftConnections: Sendable, Equatable {
  private var databases: [RecordedStory.Database] = []
  private var places: [Int: Int] = [:]
  /// Connections without a known user, each with how many of the first tests may own it.
  private var anybodys: [Int: Int] = [:]

  mutating func open(_ path: String, _ connection: Int) {
    places[connection] = databases.count
    databases.append(RecordedStory.Database(connection: connection, path: path))
  }

  mutating func add(_ connection: Int, _ tests: Int) {
    if tests > 0 { anybodys[connection] = tests }
  }

  func anybodys(at place: Int) -> [Int] { anybodys.compactMap { $1 > place ? $0 : nil } }

  func databases(of connections: Set<Int>) -> [RecordedStory.Database] {
    connections.compactMap { places[$0] }.sorted().map { databases[$0] }
  }
}

/// A ring that a process left in a run.
struct LeftRing {
  /// The maximum of `EXHIBIT_TRACE_SIZE`.
  private static let largest = 1 << 30

  let path: ContainedPath
  let process: ProcessIdentity

  init(ofLog log: String, of process: ProcessIdentity, in run: RunFolder) {
    self.process = process
    path = ContainedPath(folder: run.path, path: "trace/\(log.dropLast(".jsonl".count)).ring")
  }

  /// True unless it is known not to exist.
  var exists: Bool {
    do {
      return try FileStatus(path: path.folder + "/" + path.path, followingLinks: false) != nil
    } catch {
      return true
    }
  }

  func image() throws(CaptureError) -> TraceImage? {
    do {
      let file = try ContainedFile.open(path).get()
      guard file.size <= Self.largest else {
        throw CaptureError(
          .overBudget, "The trace of the process that died is too large to be read.", bytes: file.size)
      }
      let image = try file.contents().withUnsafeBytes { try TraceImage($0) }
      // A log may name a running process; its ring must stay.
      guard image.pid == UInt64(clamping: process.pid), image.startTicks == process.startTicks else {
        throw CaptureError(
          .io,
          "The trace \(path.path) is another process's: \(image.pid), which began at \(image.startTicks).")
      }
      return image
    } catch ContainedFile.OpeningError.missing {
      return nil
    } catch ContainedFile.OpeningError.unreadable(let error) {
      throw CaptureError(.io, "The trace of the process that died cannot be read. \(error)")
    } catch let error as ContainedFile.OpeningError {
      throw CaptureError(.io, error.sentence(on: path.path))
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.io, "The trace of the process that died cannot be read: \(error)")
    }
  }

  /// The stories have its steps.
  func remove() throws(SystemError) {
    try FileSystem.remove(path.folder + "/" + path.path)
  }
}
