import Collector
import Foundation
import Testing

/// POSIX locks of the process that captures, on files that are no databases: each would go with the first descriptor of
/// its file that the process closes.
@Suite struct ProcessLocksTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
    try Data("contents".utf8).write(to: URL(fileURLWithPath: "\(store)/lock"))
  }

  /// Whether another process finds the file locked.
  private func isLocked(_ path: String) throws -> Bool {
    let script = "import fcntl,sys; fcntl.lockf(open(sys.argv[1],'r+'), fcntl.LOCK_EX|fcntl.LOCK_NB)"
    return try run("python3", "-c", script, path).status != 0
  }

  @Test func aLockedFileIsCopiedAndStaysLocked() throws {
    let lock = try FileLock("\(store)/lock")
    _ = try FileCopy(from: "\(store)/lock", to: evidence("lock"))
    #expect(try !FileCopy.isDatabase("\(store)/lock"))
    #expect(bytes(of: evidence("lock")) == Data("contents".utf8))
    #expect(try isLocked("\(store)/lock"))
    lock.unlock()
    #expect(try !isLocked("\(store)/lock"))
  }

  @Test func aLockedFileIsArchivedAndStaysLocked() throws {
    let lock = try FileLock("\(store)/lock")
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    #expect(try run("unzip", "-p", evidence("store.zip"), "lock").output == "contents")
    #expect(try isLocked("\(store)/lock"))
    lock.unlock()
  }

  @Test func whoHasItOpenStaysWhereItIs() throws {
    let file = try #require(FileHandle(forUpdatingAtPath: "\(store)/lock"))
    try file.seek(toOffset: 3)
    _ = try FileCopy(from: "\(store)/lock", to: evidence("lock"))
    #expect(try file.offset() == 3)
    try file.close()
  }

  /// Another thread opens and locks the file at any moment of a capture.
  @Test func locksTakenMeanwhileStay() throws {
    let path = "\(store)/lock"
    try Data(count: 1_500_000).write(to: URL(fileURLWithPath: "\(store)/large"))
    let taking = LockTaking([path, "\(store)/large"])
    var captures = 0
    while taking.taken < (LongTests.areAsked ? 100_000 : 3000) {
      captures += 1
      _ = try FileCopy(from: path, to: evidence("\(captures)"))
      #expect(try !FileCopy.isDatabase(path))
      if captures % 20 == 0 {
        _ = try DirectoryArchiver().archive(store, named: "store-\(captures)", into: evidence.path)
        try FileManager.default.removeItem(atPath: evidence("store-\(captures).zip"))
      }
      try FileManager.default.removeItem(atPath: evidence("\(captures)"))
    }
    let (taken, lost) = taking.end()
    #expect(lost == 0, "of \(taken) locks")
    if LongTests.areAsked { print("\(lost) of \(taken) locks lost in \(captures) captures") }
  }

  // MARK: - Where no thread can have descriptors of its own

  @Test(.enabled(if: FaultLibrary.path != nil, "clang builds the library that refuses them"))
  func elseItIsReadThroughTheProcesssOwnDescriptor() throws {
    let process = try CaptureProcess(store, into: evidence.path, "r+ lock", preloading: FaultLibrary.path)
    let answer = try process.capture("store", "separate", at: 1, stays: true)
    #expect(answer.calls > 0)
    #expect(answer.files == ["store.zip"] && answer.failures == [])
    #expect(try run("unzip", "-p", evidence("store.zip"), "lock").output == "contents")
    #expect(try isLocked("\(store)/lock"))
    #expect(try process.end() == 0)
  }

  @Test(.enabled(if: FaultLibrary.path != nil, "clang builds the library that refuses them"))
  func orNamedWhereThatCanOnlyBeWritten() throws {
    try Data("other".utf8).write(to: URL(fileURLWithPath: "\(store)/other"))
    let process = try CaptureProcess(store, into: evidence.path, "a lock", preloading: FaultLibrary.path)
    let answer = try process.capture("store", "separate", at: 1, stays: true)
    #expect(answer.files == ["store.zip"] && answer.failures == ["lock"])
    #expect(try run("unzip", "-p", evidence("store.zip"), "other").output == "other")
    #expect(try isLocked("\(store)/lock"))
    #expect(try process.end() == 0)
  }

  /// Root reads everything, so somebody else archives.
  @Test(.enabled(if: SomebodyElse.reachesTheCheckout, "somebody else has to reach the checkout"))
  func whatMayNotBeOpenedAnyMoreIsReadThroughIt() throws {
    #expect(chmod("\(store)/lock", 0o666) == 0)
    for path in [folder.path, evidence.path] { #expect(chmod(path, 0o777) == 0) }
    let process = try CaptureProcess(
      store, into: evidence.path, "r+ lock", through: SomebodyElse.launcher)
    #expect(try process.capture("before").failures == [])
    #expect(chmod("\(store)/lock", 0) == 0)
    #expect(try process.capture("after").failures == [])
    #expect(try run("unzip", "-p", evidence("after.zip"), "lock").output == "contents")
    #expect(try isLocked("\(store)/lock"))
    #expect(try process.end() == 0)
  }
}

/// A POSIX lock on the whole of a file.
private final class FileLock {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &lock) == 0 else { throw CocoaError(.fileLocking) }
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

/// A thread that locks files over and over, and looks whether each lock is there until it is given back.
private final class LockTaking: @unchecked Sendable {
  // Unchecked: the counts are behind the lock.
  private let lock = NSLock()
  private var counts = (taken: 0, lost: 0)
  private var isEnding = false
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ paths: [String]) {
    Thread { [self] in
      while !lock.withLock({ isEnding }) {
        for path in paths { take(path) }
      }
      hasEnded.signal()
    }.start()
  }

  private func take(_ path: String) {
    guard let file = try? FileLock(path) else { return }
    usleep(20)
    let isHeld = file.isHeld
    file.unlock()
    lock.withLock { counts = (counts.taken + 1, counts.lost + (isHeld ? 0 : 1)) }
  }

  var taken: Int { lock.withLock { counts.taken } }

  func end() -> (taken: Int, lost: Int) {
    lock.withLock { isEnding = true }
    hasEnded.wait()
    return lock.withLock { counts }
  }
}
