import Collector
import Testing

/// A test function in the plan of a Swift Testing run.
struct PlannedFunction: Sendable {
  /// Identifies the function in events.
  struct Key: Hashable, Sendable {
    /// The identity as the JSON writes it.
    var bytes: String
  }

  /// Identifies a function by its declaration; a macro may declare several in one place.
  ///
  /// Each statement looks it up when thousands of functions run; an identity would have to be made anew each time.
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
