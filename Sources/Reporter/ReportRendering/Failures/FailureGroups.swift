import Collector
import ReportModel

/// Failed tests that are alike, in the order of the report; never empty.
struct FailureGroup: Sendable {
  var failures: [TestResult]
  /// Whether they are alike only in that no input tells what failed.
  var isUnexplained = false

  var total: Int { failures.count }

  /// What they have in common, to follow their number.
  var relation: String { isUnexplained ? "of which no input tells more" : "that are alike" }

  /// What the others have in common with the first, to follow their number, which may be one.
  var relationToFirst: String { isUnexplained ? relation : "like this one" }
}

/// The failed tests by equal signature: crashes first, then what most tests have.
///
/// Groups of one size keep the order of the report.
func failureGroups(_ tests: [TestResult]) -> [FailureGroup] {
  let groups = tests.lazy.filter(\.outcome.isFailure).groups(FailureSignature.init(of:)).map {
    FailureGroup(failures: $0, isUnexplained: FailureSignature(of: $0[0]).isUnexplained)
  }
  return groups.sorted { left, right in
    left.isCrash == right.isCrash ? left.total > right.total : left.isCrash
  }
}

extension FailureGroup {
  fileprivate var isCrash: Bool { failures.first?.outcome == .crashed }
}

/// The failures that are like others: the number of their group, from 1, as the list and its search give it, and how many
/// it has.
func alikeFailures(_ groups: [FailureGroup]) -> [TestCaseID: (number: Int, total: Int)] {
  var alike: [TestCaseID: (number: Int, total: Int)] = [:]
  // What no input tells more of is not alike for that.
  for (index, group) in groups.enumerated() where group.total > 1 && !group.isUnexplained {
    for test in group.failures { alike[test.id] = (index + 1, group.total) }
  }
  return alike
}
