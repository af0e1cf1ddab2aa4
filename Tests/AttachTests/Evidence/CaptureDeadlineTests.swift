import Collector
import Foundation
import Testing

@testable import Attach

/// All captures of one failure wait together as long as one may.
@Suite struct CaptureDeadlineTests {
  @Test func whatIsWaitedIsTakenOffWhatIsLeft() {
    let deadline = CaptureDeadline(.milliseconds(300))
    deadline.wait { usleep(100_000) }
    #expect(deadline.rest <= .milliseconds(200))
    deadline.wait { usleep(250_000) }
    #expect(deadline.hasPassed)
    #expect(deadline.rest == CaptureDeadline.leastWait)
  }

  @Test func copyingIsNoWaiting() {
    let deadline = CaptureDeadline(.seconds(2))
    deadline.wait {
      usleep(100_000)
    } copied: { _ in
      64 << 30
    }
    #expect(deadline.rest == .seconds(2))
  }

  /// Each folder has a database inside whose connection another thread keeps, in a transaction that locks others out.
  @Test func manyFoldersAndBusyConnectionsWaitOnce() throws {
    let process = try RecordedProcess(patience: CaptureDeadline.patience)
    let scope = process.beginBesideAnother("folders()")
    var connections: [AppConnection] = []
    var folders: [Evidence] = []
    for number in 1...40 {
      let folder = process.folder.appendingPathComponent("store\(number)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      connections.append(
        try process.open(
          folder.path + "/a.sqlite", "CREATE TABLE t(x); BEGIN EXCLUSIVE; INSERT INTO t VALUES(1)",
          by: scope.opener))
      folders.append(.directory(at: folder))
    }
    let busy = BusyThread(using: connections)
    process.requests.register(folders, for: scope, caller: "attachOnFailure")
    let start = ContinuousClock.now
    process.requests.fail(scope, with: RecordedIssue(message: "failed"), afterBody: false)
    let time = start.duration(to: .now)
    // One wait, and the least for each of what comes after it. As many waits as folders would be 80 seconds on any machine,
    // and one that is busy has forty for what takes three.
    #expect(time < .seconds(40), "\(time)")
    #expect(try process.evidence(of: scope).filter { $0.kind == .directory }.count == 40)
    withExtendedLifetime(busy) {}
  }
}
