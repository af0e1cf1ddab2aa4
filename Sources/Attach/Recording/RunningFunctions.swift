import Collector
import ExhibitStart
import ExhibitSystem
import Synchronization
import Testing

/// The running functions of Swift Testing and the scopes of their cases.
///
/// `Test.current` says which runs. Events do not tell when a parameterised case starts or ends, so it is
/// known from its first statement or issue until its function's end.
final class RunningFunctions: Sendable {
  private let state = Locked(State())
  private let count = Atomic<Int>(0)

  fileprivate struct State {
    var planned: [PlannedFunction.Key: PlannedFunction] = [:]
    var running: [PlannedFunction.Declaration: [RunningFunction]] = [:]
  }

  let planned = Atomic<Int>(0)

  var isHeard: Bool { planned.load(ordering: .relaxed) > 0 }

  func plan(_ function: PlannedFunction?) {
    planned.wrappingAdd(1, ordering: .relaxed)
    guard let function else { return }
    state.withLock { $0.planned[function.key] = function }
  }

  func function(_ key: PlannedFunction.Key) -> PlannedFunction? { state.withLock { $0.planned[key] } }

  func begin(_ function: PlannedFunction, for recorder: Recorder) {
    let whole = function.isParameterized ? nil : recorder.begin(function)
    state.withLock { state in
      state.planned[function.key]?.hasBegun = true
      let running = RunningFunction(function: function, whole: whole)
      state.running[function.declaration, default: []].append(running)
    }
    count.wrappingAdd(1, ordering: .relaxed)
    exhibit_owners_changed()
    guard function.isParameterized else { return }
    let start = function.start
    let begin = FunctionStart(displayName: start.displayName, file: start.file, line: start.line)
    recorder.log(begin, of: function.id)
  }

  func end(_ key: PlannedFunction.Key) -> RunningFunction? {
    let ended = state.withLock { $0.remove(key) }
    if ended != nil { count.wrappingSubtract(1, ordering: .relaxed) }
    exhibit_owners_changed()
    return ended
  }

  /// The whole function's scope, which this begins for a parameterised one.
  func whole(of key: PlannedFunction.Key, for recorder: Recorder) -> TestScope? {
    change(key) { running in
      let scope = running.whole ?? recorder.begin(running.function)
      running.whole = scope
      return scope
    }
  }

  func cancel(_ key: PlannedFunction.Key) {
    change(key) { $0.isCancelled = true }
  }

  private func change<Result>(_ key: PlannedFunction.Key, _ body: (inout RunningFunction) -> Result)
    -> Result?
  {
    state.withLock { $0.change(key, body) }
  }

  func here(for recorder: Recorder) -> TestScope? {
    guard count.load(ordering: .relaxed) > 0, let test = Test.current else { return nil }
    return scope(of: test, Test.Case.current, for: recorder)
  }

  func scope(of test: Test, _ testCase: @autoclosure () -> Test.Case?, for recorder: Recorder) -> TestScope? {
    let found = state.withLock { state in
      state.running(test).map { ($0.function.isParameterized, $0.whole) }
    }
    guard let (isParameterized, whole) = found else { return nil }
    guard isParameterized else { return whole }
    guard let testCase = testCase() else { return nil }
    let known = state.withLock { $0.running(test)?.cases.scope(of: testCase) }
    return known ?? begin(testCase, of: test, for: recorder)
  }

  private func begin(_ testCase: Test.Case, of test: Test, for recorder: Recorder) -> TestScope? {
    if CaseArguments.areDescribed { return nil }
    defer { exhibit_owners_changed() }
    // Without the lock, since arguments describe themselves.
    let id = TestCaseID(numbering: testCase, of: test)
    return state.withLock { state in
      guard let key = state.running(test)?.function.key else { return nil }
      return state.change(key) { running in
        let known = running.cases.scope(of: id)
        let scope = known ?? recorder.begin(id, start: running.function.start)
        if known == nil { recorder.held.noteUntoldEnd(of: scope.serial) }
        running.cases.add(testCase, scope)
        return scope
      }
    }
  }
}

extension RunningFunctions.State {
  fileprivate func running(_ test: Test) -> RunningFunction? {
    guard let alike = running[PlannedFunction.Declaration(of: test)] else { return nil }
    return alike.count == 1 ? alike.first : alike.first { $0.function.id == TestCaseID(test, case: nil) }
  }

  fileprivate mutating func change<Result>(
    _ key: PlannedFunction.Key, _ body: (inout RunningFunction) -> Result
  ) -> Result? {
    guard let declaration = planned[key]?.declaration else { return nil }
    guard let index = running[declaration]?.firstIndex(where: { $0.function.key == key }) else { return nil }
    return body(&running[declaration, default: []][index])
  }

  fileprivate mutating func remove(_ key: PlannedFunction.Key) -> RunningFunction? {
    guard let declaration = planned[key]?.declaration else { return nil }
    guard let index = running[declaration]?.firstIndex(where: { $0.function.key == key }) else { return nil }
    let ended = running[declaration]?.remove(at: index)
    if running[declaration]?.isEmpty == true { running[declaration] = nil }
    return ended
  }
}
