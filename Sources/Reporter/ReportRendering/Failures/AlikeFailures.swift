import Collector
import ReportModel

/// The failures that are alike, by the numbers that the list and its search give them.
struct AlikeFailures: Sendable {
  struct Group: Sendable {
    /// From 1.
    var number: Int
    /// How many failures are alike.
    var total: Int
  }

  private var groups: [TestCaseID: Group] = [:]

  init(_ groups: [FailureGroup]) {
    // What no input tells more of is not alike for that.
    for (index, group) in groups.enumerated() where group.total > 1 && !group.isUnexplained {
      for test in group.failures { self.groups[test.id] = Group(number: index + 1, total: group.total) }
    }
  }

  /// `nil` for a failure like no other.
  subscript(test: TestCaseID) -> Group? { groups[test] }
}
