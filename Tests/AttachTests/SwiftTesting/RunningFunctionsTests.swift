import Collector
import Testing

@testable import Attach

/// Which of the functions that have begun a test is: Swift Testing begins all of a run at once.
@Suite struct RunningFunctionsTests {
  private let functions = RunningFunctions()
  private let process: RecordedProcess
  private let test: Test

  init() throws {
    process = try RecordedProcess()
    test = try #require(Test.current)
  }

  private func begin(_ id: TestCaseID, _ declaration: PlannedFunction.Declaration) -> PlannedFunction.Key {
    let function = PlannedFunction(
      key: .init(bytes: id.description), id: id, start: TestStart(framework: .swiftTesting),
      isParameterized: false, declaration: declaration)
    functions.plan(function)
    functions.begin(function, for: process.recorder)
    return function.key
  }

  private var found: TestCaseID? { functions.scope(of: test, nil, for: process.recorder)?.id }

  @Test func aTestIsFoundByItsDeclaration() {
    #expect(found == nil)
    let id = TestCaseID(test, case: nil)
    let declaration = PlannedFunction.Declaration(of: test)
    for change in [\PlannedFunction.Declaration.name, \.fileID] {
      var other = declaration
      other[keyPath: change] = "other"
      _ = begin(TestCaseID(module: "M", suite: [], name: "other\(change)"), other)
    }
    for change in [\PlannedFunction.Declaration.line, \.column] {
      var other = declaration
      other[keyPath: change] += 1
      _ = begin(TestCaseID(module: "M", suite: [], name: "other\(change)"), other)
    }
    #expect(found == nil)
    let key = begin(id, declaration)
    #expect(found == id)
    #expect(functions.end(key)?.function.id == id)
    #expect(found == nil && functions.end(key)?.function.id == nil)
  }

  /// A macro may make several.
  @Test(arguments: [true, false]) func amongThoseOfOnePlaceItIsKnownByItsIdentity(isFirst: Bool) {
    let id = TestCaseID(test, case: nil)
    let other = TestCaseID(module: id.module, suite: ["Other"], name: id.name)
    let declaration = PlannedFunction.Declaration(of: test)
    let keys = (isFirst ? [id, other] : [other, id]).map { begin($0, declaration) }
    #expect(found == id)
    let otherKey = keys[isFirst ? 1 : 0]
    functions.cancel(otherKey)
    let ended = functions.end(otherKey)
    #expect(ended?.function.id == other && ended?.isCancelled == true)
    #expect(found == id)
    #expect(functions.end(keys[isFirst ? 0 : 1])?.isCancelled == false)
  }
}
