import Collector
import ExhibitStart
import ExhibitSystem
import Synchronization

/// The tests of this process: those that run, and how many there were.
final class ProcessTests: Sendable {
  private let serials = Atomic<Int>(0)
  private let lone = Atomic<Int>(0)
  private let state = Locked(State())

  private struct State {
    // By their serials; thousands, as Swift Testing begins all at once. No dictionary: the first one with a new type of
    // keys costs a process a tenth of a millisecond, and with `--parallel` there is a process for each test.
    var running: [TestScope] = []
    var tally = ProcessEnd(tests: 0, failed: 0)
    var loneSerial: Int { running.count == 1 ? running[0].serial : 0 }

    func index(of serial: Int) -> Int? {
      var (low, high) = (0, running.count)
      while low < high {
        let middle = (low + high) / 2
        if running[middle].serial < serial { low = middle + 1 } else { high = middle }
      }
      return low < running.count && running[low].serial == serial ? low : nil
    }
  }

  /// The serial of the newest test.
  var newestSerial: Int { serials.load(ordering: .relaxed) }

  /// The serial of the only test that runs; 0 when there is none or more than one.
  var loneSerial: Int { lone.load(ordering: .relaxed) }

  /// Those that run, oldest first.
  var all: [TestScope] { state.withLock { $0.running } }

  /// How many began and failed so far.
  var tally: ProcessEnd { state.withLock { $0.tally } }

  /// Whether no other test runs now.
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

  /// The serials of those that opened or used a connection and whose evidence is not captured yet.
  ///
  /// - Parameter connection: One that is about to be closed.
  func serials(needing connection: AppConnection) -> [Int] {
    let lone = loneSerial
    let ownership = connection.ownership(isClosing: true)
    return tests(mayNeed: connection, isAlone: lone != 0).compactMap { scope in
      let isOwn = ownership.isOwned(by: scope.owner, isAlone: lone == scope.serial)
      return isOwn && scope.state.withLock({ !$0.isCaptureOver }) ? scope.serial : nil
    }
  }

  /// Oldest first.
  private func tests(mayNeed connection: AppConnection, isAlone: Bool) -> [TestScope] {
    guard !isAlone, let claimants = connection.claimants else { return all }
    return state.withLock { state in
      claimants.all.compactMap(state.index).map { state.running[$0] }
    }
  }
}
