import Collector
import Testing

/// A test function of Swift Testing, as the plan of a run has it.
struct PlannedFunction: Sendable {
  /// How events name it.
  struct Key: Hashable, Sendable {
    /// Its identity as the JSON writes it.
    var bytes: String
  }

  /// How a function is declared; what a macro makes several of stands in one place.
  ///
  /// Looked for at each statement, when thousands of functions run: an identity would be made anew.
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
  /// Whether it has run, or runs.
  var hasBegun = false
}

extension PlannedFunction.Declaration {
  init(of test: Test) {
    let location = test.sourceLocation
    self.init(name: test.name, fileID: location.fileID, line: location.line, column: location.column)
  }
}
