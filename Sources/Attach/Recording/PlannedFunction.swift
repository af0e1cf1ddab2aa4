import Collector
import Testing

/// A test function in Swift Testing's plan.
struct PlannedFunction: Sendable {
  struct Key: Hashable, Sendable {
    var bytes: String
  }

  /// Its declaration, which is found faster than its identity; a macro may have several at one place.
  struct Declaration: Hashable, Sendable {
    var name: String
    /// `Module/File.swift`.
    var fileID: String
    var line: Int
    var column: Int
  }

  var key: Key
  var id: TestCaseID
  var start: TestStart
  var isParameterized: Bool
  var declaration: Declaration
  var hasBegun = false
}

extension PlannedFunction.Declaration {
  init(of test: Test) {
    let location = test.sourceLocation
    self.init(name: test.name, fileID: location.fileID, line: location.line, column: location.column)
  }
}
