import Collector
import ExhibitCSQLite
import ExhibitStart
import ExhibitSystem
import Foundation
import Testing

@testable import Attach

/// A capture has enough stack, whatever thread the test fails on.
@Suite struct CaptureStackTests {
  private let process: RecordedProcess
  private let scope: TestScope
  private let stack: CaptureStack

  init() throws {
    process = try RecordedProcess()
    scope = process.begin("a()")
    stack = CaptureStack(connections: process.recorder.connections)
  }

  private struct Turn: Sendable, Equatable {
    var mayTouch: Bool
    var hasRoom: Bool
    var isHere: Bool
    var test: Int?
  }

  /// What a capture finds that a thread with so much stack asks for, each time that it runs.
  ///
  /// - Parameter db: A connection whose mutex the thread keeps meanwhile.
  private func turns(onStackOf bytes: Int, keeping db: OpaquePointer? = nil) -> [Turn] {
    let turns = Locked<[Turn]>([])
    let isOver = DispatchSemaphore(value: 0)
    let mutex = UInt(bitPattern: db.flatMap { sqlite3_db_mutex($0) })
    let thread = Thread { [stack, scope] in
      let mutex = OpaquePointer(bitPattern: mutex)
      sqlite3_mutex_enter(mutex)
      let asking = pthread_self()
      do {
        try stack.run(for: scope, until: CaptureDeadline()) { mayTouch in
          let turn = Turn(
            mayTouch: mayTouch, hasRoom: exhibit_stack_left() >= CaptureStack.least,
            isHere: pthread_equal(asking, pthread_self()) != 0, test: TestScope.task?.serial)
          turns.withLock { $0.append(turn) }
        }
      } catch {
        Issue.record("\(error)")
      }
      sqlite3_mutex_leave(mutex)
      isOver.signal()
    }
    thread.stackSize = bytes
    thread.start()
    isOver.wait()
    return turns.withLock { $0 }
  }

  @Test func withEnoughItRunsWhereItWasAskedFor() {
    #expect(turns(onStackOf: 1 << 20) == [Turn(mayTouch: true, hasRoom: true, isHere: true, test: nil)])
  }

  @Test func withLittleItRunsOnAThreadWithMoreInTheSameTest() throws {
    _ = try process.open(process.path("a.sqlite"), by: .nobody)
    #expect(
      turns(onStackOf: 128 << 10) == [Turn(mayTouch: true, hasRoom: true, isHere: false, test: scope.serial)])
  }

  @Test func aConnectionThatTheAskingThreadKeepsIsNotWaitedFor() throws {
    let connection = try process.open(process.path("a.sqlite"), by: .nobody)
    let turns = turns(onStackOf: 128 << 10, keeping: try process.handle(of: connection))
    #expect(turns == [Turn(mayTouch: false, hasRoom: true, isHere: false, test: scope.serial)])
  }

  @Test func oneThatAnotherThreadKeepsForbidsNothing() throws {
    let busy = BusyThread(using: [try process.open(process.path("a.sqlite"), by: .nobody)])
    let turns = turns(onStackOf: 128 << 10)
    withExtendedLifetime(busy) {}
    #expect(turns == [Turn(mayTouch: true, hasRoom: true, isHere: false, test: scope.serial)])
  }
}
