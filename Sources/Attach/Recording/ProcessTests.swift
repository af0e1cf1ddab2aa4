import Collector
import ExhibitStart
import ExhibitSystem
import Synchronization

final class ProcessTests: Sendable {
  private let serials = Atomic<Int>(0)
  private let lone = Atomic<Int>(0)
  private let state = Locked(State())

  private struct State {
    // In the order of their serials; a dictionary would cost each process 0.1 ms.
    var running: [TestScope] = []
    var tally = ProcessEnd(tests: 0, failed: 0)
    var loneSerial: Int { running.count == 1 ? running[0].serial : 0 }

    func index(of serial: Int) -> Int? {
      let place = running.place(behind: { $0.serial < serial })
      return place < running.count && running[place].serial == serial ? place : nil
    }
  }

  var newestSerial: Int { serials.load(ordering: .relaxed) }

  /// 0 when none or several run.
  var loneSerial: Int { lone.load(ordering: .relaxed) }

  var all: [TestScope] { state.withLock { $0.running } }

  var tally: ProcessEnd { state.withLock { $0.tally } }

  func isAlone(_ scope: TestScope) -> Bool { loneSerial == scope.serial }

  func begin(_ id: TestCaseID, start: TestStart) -> TestScope {
    defer { exhibit_owners_changed() }
    return state.withLock { state in
      let serial = serials.wrappingAdd(1, ordering: .relaxed).newValue
      let scope = TestScope(id: id, start: start, serial: serial)
      state.running.append(scope)
      state.tally.tests += 1
      lone.store(state.loneSerial, ordering: .relaxed)
      return scope
    }
  }

  func end(_ scope: TestScope, hasFailed: Bool) {
    defer { exhibit_owners_changed() }
    state.withLock { state in
      if let index = state.index(of: scope.serial) { state.running.remove(at: index) }
      if hasFailed { state.tally.failed += 1 }
      lone.store(state.loneSerial, ordering: .relaxed)
    }
  }

  /// A closing connection's owners whose capture is not over.
  func serials(needing connection: AppConnection) -> [Int] {
    let lone = loneSerial
    let ownership = connection.ownership(isClosing: true)
    return tests(mayNeed: connection, isAlone: lone != 0).compactMap { scope in
      let isOwn = ownership.isOwned(by: scope.owner, isAlone: lone == scope.serial)
      return isOwn && scope.state.withLock({ !$0.isCaptureOver }) ? scope.serial : nil
    }
  }

  private func tests(mayNeed connection: AppConnection, isAlone: Bool) -> [TestScope] {
    guard !isAlone, let claimants = connection.claimants else { return all }
    return state.withLock { state in
      claimants.all.compactMap(state.index).map { state.running[$0] }
    }
  }
}
