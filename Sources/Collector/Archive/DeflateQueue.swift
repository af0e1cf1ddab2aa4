import ExhibitSystem
import Glibc

/// Compresses blocks on several threads and gives them back in the order in which they came.
///
/// Its threads end with it. Where there is one processor, or no thread is to be had, or little to compress, the thread
/// that adds blocks compresses them; the bytes are the same.
final class DeflateQueue {
  private struct Work {
    var waiting: ArraySlice<DeflateBlock> = []
    var isClosed = false
  }

  private let library: DeflateLibrary
  private let work = Monitor(Work())
  private var workers: [WorkerThread] = []
  private var workersToStart: Int
  /// Compresses for the thread that adds blocks.
  private let deflater: Deflater
  /// Blocks that were added and not given back yet, the oldest first.
  private var pending: ArraySlice<DeflateBlock> = []
  private var added = 0

  /// So many that the threads have something to do while the next file is found and copied: 10 MB.
  private static let capacity = 32
  private static let mostWorkers = 4
  /// So many bytes take as long to compress as threads to start.
  private static let bytesBeforeThreads = 256 << 10

  /// - Throws: `ArchiveError`.
  init(_ library: DeflateLibrary, processors: Int) throws {
    self.library = library
    deflater = try Deflater(library)
    // A single one would only take turns with the thread that adds blocks.
    workersToStart = processors > 1 ? min(processors, Self.mostWorkers) : 0
  }

  deinit {
    close()
  }

  /// Ends the threads; what waits is not compressed any more.
  func close() {
    work.change { $0.isClosed = true }
    workers = []
  }

  /// Takes a block and gives back those that are finished.
  func add(_ block: DeflateBlock, _ body: (DeflateBlock) throws -> Void) throws {
    pending.append(block)
    added += block.count
    if added > Self.bytesBeforeThreads { startWorkers() }
    if workers.isEmpty {
      block.compress(deflater)
      block.isFinished = true
    } else {
      work.change { $0.waiting.append(block) }
    }
    while let block = next(waiting: pending.count >= Self.capacity) { try body(block) }
  }

  /// Gives back all that were added.
  func drain(_ body: (DeflateBlock) throws -> Void) throws {
    while let block = next(waiting: true) { try body(block) }
  }

  /// The oldest block, if it is finished.
  private func next(waiting: Bool) -> DeflateBlock? {
    guard let block = pending.first else { return nil }
    if waiting {
      work.wait { _ in block.isFinished ? () : nil }
    } else if !work.withLock({ _ in block.isFinished }) {
      return nil
    }
    return pending.popFirst()
  }

  private func startWorkers() {
    while workersToStart > 0 {
      workersToStart -= 1
      // Fewer do as well, and none too.
      if let worker = try? WorkerThread(run) { workers.append(worker) }
    }
  }

  /// What every thread does.
  private var run: @Sendable () -> Void {
    { [work, library] in
      let deflater = Result { try Deflater(library) }
      while let block = Self.take(from: work) {
        switch deflater {
        case .success(let deflater): block.compress(deflater)
        case .failure(let error): block.failure = error
        }
        work.change { _ in block.isFinished = true }
      }
    }
  }

  private static func take(from work: Monitor<Work>) -> DeflateBlock? {
    work.wait { work -> DeflateBlock?? in
      if work.isClosed { return .some(nil) }
      return work.waiting.popFirst().map { .some($0) }
    }
  }
}
