import Attach
import Foundation
import XCTest

/// A test that passes while its files are captured and another of its threads locks them.
final class LockTests: XCTestCase {
  func testLocksStayWhileFilesAreAttached() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locks-\(UUID().uuidString)")
    try makeStore(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("notes.txt")
    let locks = Locks(on: file.path)
    for number in 1...100 {
      attach(.file(at: file, named: "\(number).txt"))
      if number % 20 == 0 { attach(.directory(at: folder, named: "\(number)")) }
    }
    let (taken, lost) = locks.end()
    XCTAssertGreaterThan(taken, 0)
    XCTAssertEqual(lost, 0, "of \(taken)")
  }

  func testALockedFileIsKept() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locks-\(UUID().uuidString)")
    try makeStore(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("notes.txt")
    let lock = try XCTUnwrap(Lock(on: file.path))
    attach(.file(at: file), keep: .always)
    attach(.directory(at: folder, named: "Store"), keep: .always)
    XCTAssertTrue(lock.isHeld)
    lock.unlock()
  }
}

/// A POSIX lock on the whole of a file.
private struct Lock {
  private let descriptor: Int32

  init?(on path: String) {
    descriptor = open(path, O_RDWR)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &lock) == 0 else { return nil }
  }

  /// Whether it lies on the file still: to a lock of the open file itself it is another's.
  var isHeld: Bool {
    let ofOpenFile: Int32 = 36  // F_OFD_GETLK, which Swift does not see
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    return fcntl(descriptor, ofOpenFile, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  func unlock() { close(descriptor) }
}

/// A thread that locks a file over and over, and looks whether each lock is there until it is given back.
private final class Locks: @unchecked Sendable {
  private let lock = NSLock()
  private var counts = (taken: 0, lost: 0)
  private var isEnding = false
  private let hasEnded = DispatchSemaphore(value: 0)

  init(on path: String) {
    Thread { [self] in
      while !lock.withLock({ isEnding }) {
        guard let taken = Lock(on: path) else { continue }
        usleep(20)
        let isHeld = taken.isHeld
        taken.unlock()
        lock.withLock { counts = (counts.taken + 1, counts.lost + (isHeld ? 0 : 1)) }
      }
      hasEnded.signal()
    }.start()
  }

  func end() -> (taken: Int, lost: Int) {
    lock.withLock { isEnding = true }
    hasEnded.wait()
    return counts
  }
}
