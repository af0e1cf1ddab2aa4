import Collector
import Testing

struct PlannedFunction: Sendable {
  struct Key: Hashable, Sendable {
    var bytes: String
  }

  /// It is found faster than the identity; a macro may have several functions at one place.
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
