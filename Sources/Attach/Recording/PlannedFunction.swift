import Collector
import Testing

/// A test function of Swift Testing, as the plan of a run has it.
struct PlannedFunction: Sendable {
  /// How events name it.
  struct Key: Hashable, Sendable {
    /// Its identity as the JSON writes it.
    var bytes: String
  }

  var key: Key
  var id: TestCaseID
  var start: TestStart
  var isParameterized: Bool
  var name: String
  /// `Module/File.swift`.
  var fileID: String
  var column: Int
  /// Whether it has run, or runs.
  var hasBegun = false

  /// Whether a test is declared where this one is.
  ///
  /// Asked at each statement: an identity would be made anew.
  func isDeclared(like test: Test) -> Bool {
    let location = test.sourceLocation
    return location.line == start.line && location.column == column && test.name == name
      && location.fileID == fileID
  }
}
