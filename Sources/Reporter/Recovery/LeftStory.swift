import Collector
import ExhibitSystem
import Foundation

/// What a log says of a test that ran when its process died, for taking its steps out of the process's ring.
struct LeftStory: Sendable, Equatable {
  var test: TestCaseID
  /// Its serial in the process.
  var number: Int
  var ownConnections: Set<Int> = []
  var sharedConnections: Set<Int> = []
  var databases: [StoryLines.Database] = []

  /// The lines of its story.
  ///
  /// - Returns: `nil` when the ring holds no step of the test.
  func lines(from image: TraceImage) -> [UInt8]? {
    let subject = TestSteps.Subject(
      test: number, ownConnections: ownConnections, sharedConnections: sharedConnections)
    let steps = TestSteps(of: subject, in: image)
    guard !steps.steps.isEmpty else { return nil }
    var lines = StoryLines()
    lines.begin(
      test, missing: steps.missing,
      withoutChanges: image.tellsChanges ? nil : "Changes of rows were out of reach in the process that died."
    )
    let used = Set(steps.steps.map(\.connection))
    lines.add(databases.filter { used.contains($0.connection) })
    lines.add(steps)
    return lines.bytes
  }
}

extension LeftStory {
  /// The record that there is none, and why.
  func failure(_ error: CaptureError) -> LogRecord {
    LogRecord(time: currentTime(), test: test, error.failure(of: .story, named: "story.jsonl", source: nil))
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

  var exists: Bool { FileSystem.status(path.folder + "/" + path.path) != nil }

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
    } catch ContainedFile.OpeningError.outside {
      throw CaptureError(.io, "\(path.path) is \(ContainedFile.OpeningError.outsideMeaning).")
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.io, "The trace of the process that died cannot be read: \(error)")
    }
  }

  /// Removes it: what it held of the tests that ran is in their stories.
  ///
  /// - Throws: `SystemError`.
  func remove() throws(SystemError) {
    try FileSystem.remove(path.folder + "/" + path.path)
  }
}
