import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// A test that ran when its process died, with what is needed to take its steps out of the process's ring.
struct LeftStory: Sendable, Equatable {
  var test: TestCaseID
  /// Its serial in the process.
  var number: Int
  /// Its index among the tests that ran, in the order of their starts.
  var place: Int
  var ownConnections: Set<Int> = []
  var sharedConnections: Set<Int> = []
  var connected: LeftConnections

  /// The lines of its story.
  ///
  /// - Returns: `nil` when the ring has no step of the test.
  func lines(from image: TraceImage) -> [UInt8]? {
    let subject = TestSteps.Subject(
      test: number, ownConnections: ownConnections,
      sharedConnections: sharedConnections.union(connected.anybodys(at: place)))
    let withoutChanges =
      image.tellsChanges ? nil : "Changes of rows were out of reach in the process that died."
    let story = TestStory(test, subject: subject, withoutChanges: withoutChanges, isWhole: false)
    return story.lines(from: image) { connected.databases(of: $0) }
  }

  /// The record that there is no story, with the reason.
  func failure(_ error: CaptureError, named name: String = "story.jsonl") -> LogRecord {
    error.record(of: .story, named: name, in: test)
  }
}

/// The connections that matter to all tests that ran when their process died, stored once for all.
struct LeftConnections: Sendable, Equatable {
  /// The main files, in the order of opening.
  private var databases: [RecordedStory.Database] = []
  private var places: [Int: Int] = [:]
  /// Connections without a known user, each with the number of tests, from the first, that may own it.
  private var anybodys: [Int: Int] = [:]

  mutating func open(_ path: String, _ connection: Int) {
    places[connection] = databases.count
    databases.append(RecordedStory.Database(connection: connection, path: path))
  }

  /// - Parameter tests: The number of tests, from the first, that may own it.
  mutating func add(_ connection: Int, _ tests: Int) {
    if tests > 0 { anybodys[connection] = tests }
  }

  /// The connections without a known user that may be a test's, by its index.
  func anybodys(at place: Int) -> [Int] { anybodys.compactMap { $1 > place ? $0 : nil } }

  func databases(of connections: Set<Int>) -> [RecordedStory.Database] {
    connections.compactMap { places[$0] }.sorted().map { databases[$0] }
  }
}

/// The ring that a process has left in a run's folder.
struct LeftRing {
  /// The most bytes to read: the maximum of `EXHIBIT_TRACE_SIZE`.
  private static let largest = 1 << 30

  let path: ContainedPath
  let process: ProcessIdentity

  /// - Parameters:
  ///   - log: The file name of the process's log.
  ///   - process: The process that has died.
  init(ofLog log: String, of process: ProcessIdentity, in run: RunFolder) {
    self.process = process
    path = ContainedPath(folder: run.path, path: "trace/\(log.dropLast(".jsonl".count)).ring")
  }

  /// True when it exists or its status cannot be read; reading it tells the reason then.
  var exists: Bool {
    do {
      return try FileStatus(path: path.folder + "/" + path.path, followingLinks: false) != nil
    } catch {
      return true
    }
  }

  /// The content of the ring; `nil` when there is none.
  ///
  /// - Throws: `CaptureError` when it cannot be read or is no ring.
  func image() throws(CaptureError) -> TraceImage? {
    do {
      let file = try ContainedFile.open(path).get()
      guard file.size <= Self.largest else {
        throw CaptureError(
          .overBudget, "The trace of the process that died is too large to be read.", bytes: file.size)
      }
      let image = try file.contents().withUnsafeBytes { try TraceImage($0) }
      // The log may name any process; the ring of a running one is not taken from it.
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

  /// Removes the ring, because the stories have its steps of the tests that ran.
  ///
  /// - Throws: `SystemError`.
  func remove() throws(SystemError) {
    try FileSystem.remove(path.folder + "/" + path.path)
  }
}
