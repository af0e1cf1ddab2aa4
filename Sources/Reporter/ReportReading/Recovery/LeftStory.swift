import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// What a log says of a test that ran when its process died, for taking its steps out of the process's ring.
struct LeftStory: Sendable, Equatable {
  var test: TestCaseID
  /// Its serial in the process.
  var number: Int
  /// Its place among the tests that ran, in the order of their starts.
  var place: Int
  var ownConnections: Set<Int> = []
  var sharedConnections: Set<Int> = []
  var connected: LeftConnections

  /// The lines of its story.
  ///
  /// - Returns: `nil` when the ring holds no step of the test.
  func lines(from image: TraceImage) -> [UInt8]? {
    let subject = TestSteps.Subject(
      test: number, ownConnections: ownConnections,
      sharedConnections: sharedConnections.union(connected.anybodys(at: place)))
    let steps = TestSteps(of: subject, in: image)
    guard !steps.steps.isEmpty else { return nil }
    var lines = StoryLines()
    lines.begin(
      test, missing: steps.missing,
      withoutChanges: image.tellsChanges ? nil : "Changes of rows were out of reach in the process that died."
    )
    lines.add(connected.databases(of: Set(steps.steps.map(\.connection))))
    lines.add(steps)
    return lines.bytes
  }
}

/// What a log says of connections that matters to all tests which ran when their process died: held once for them all.
struct LeftConnections: Sendable, Equatable {
  /// Their main files, in the order of opening.
  private var databases: [StoryLines.Database] = []
  private var places: [Int: Int] = [:]
  /// Connections of nobody known that may be those of the first tests, and of how many.
  private var anybodys: [Int: Int] = [:]

  mutating func open(_ path: String, _ connection: Int) {
    places[connection] = databases.count
    databases.append(StoryLines.Database(connection: connection, path: path))
  }

  /// - Parameter tests: Of how many of the first tests it may be.
  mutating func add(_ connection: Int, _ tests: Int) {
    if tests > 0 { anybodys[connection] = tests }
  }

  /// Those of nobody known that may be a test's, by its place.
  func anybodys(at place: Int) -> [Int] { anybodys.compactMap { $1 > place ? $0 : nil } }

  func databases(of connections: Set<Int>) -> [StoryLines.Database] {
    connections.compactMap { places[$0] }.sorted().map { databases[$0] }
  }
}

extension LeftStory {
  /// The record that there is none, and why.
  func failure(_ error: CaptureError, named name: String = "story.jsonl") -> LogRecord {
    LogRecord(time: currentTime(), test: test, error.failure(of: .story, named: name, source: nil))
  }
}

/// The ring that a process has left in a run's folder.
struct LeftRing {
  /// The most bytes that are read of one: what `EXHIBIT_TRACE_SIZE` can ask for.
  private static let largest = 1 << 30

  let path: ContainedPath
  let process: ProcessIdentity

  /// - Parameters:
  ///   - log: The name of the file of the process's log.
  ///   - process: The process that has died.
  init(ofLog log: String, of process: ProcessIdentity, in run: RunFolder) {
    self.process = process
    path = ContainedPath(folder: run.path, path: "trace/\(log.dropLast(".jsonl".count)).ring")
  }

  /// Whether it is there, or cannot be looked at: reading it says why.
  var exists: Bool {
    do {
      return try FileStatus(path: path.folder + "/" + path.path, followingLinks: false) != nil
    } catch {
      return true
    }
  }

  /// What stands in it; `nil` when there is none.
  ///
  /// - Throws: `CaptureError` when it cannot be read, or is none.
  func image() throws(CaptureError) -> TraceImage? {
    do {
      let file = try ContainedFile.open(path).get()
      guard file.size <= Self.largest else {
        throw CaptureError(
          .overBudget, "The trace of the process that died is too large to be read.", bytes: file.size)
      }
      let image = try file.contents().withUnsafeBytes { try TraceImage($0) }
      // The log may name any process: a ring of one that runs is not taken from it.
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
    } catch ContainedFile.OpeningError.outside {
      throw CaptureError(.io, "\(path.path) is \(ContainedFile.OpeningError.outsideMeaning).")
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.io, "The trace of the process that died cannot be read: \(error)")
    }
  }

  /// What is said of a ring of which records are damaged; it stays.
  func error(_ damage: TraceDamage) -> CaptureError {
    CaptureError(
      .io, "The trace of the process that died is damaged, and stays at \(path.path). \(damage.sentence)")
  }

  /// Removes it: what it held of the tests that ran is in their stories.
  ///
  /// - Throws: `SystemError`.
  func remove() throws(SystemError) {
    try FileSystem.remove(path.folder + "/" + path.path)
  }
}
