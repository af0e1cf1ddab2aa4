import ReportModel

/// Failed tests that are alike, in the order of the report; never empty.
struct FailureGroup: Sendable {
  var failures: [TestResult]
  /// How many failures are alike in all, of which pages may show a part each.
  var total: Int
  /// Whether they are alike only in that no input tells what failed.
  var isUnexplained = false

  /// What they have in common, to follow their number.
  var relation: String { isUnexplained ? "of which no input tells more" : "that are alike" }

  /// What the others have in common with the first, to follow their number, which may be one.
  var relationToFirst: String { isUnexplained ? relation : "like this one" }
}

/// The failed tests by equal signature: crashes first, then what most tests have.
///
/// Groups of one size keep the order of the report.
func failureGroups(_ tests: [TestResult]) -> [FailureGroup] {
  var groups: [FailureGroup] = []
  var indices: [FailureSignature: Int] = [:]
  for test in tests where test.outcome.isFailure {
    let signature = FailureSignature(of: test)
    if let index = indices[signature] {
      groups[index].failures.append(test)
      groups[index].total += 1
    } else {
      indices[signature] = groups.count
      groups.append(FailureGroup(failures: [test], total: 1, isUnexplained: signature.isUnexplained))
    }
  }
  return groups.enumerated().sorted { left, right in
    if left.element.isCrash != right.element.isCrash { return left.element.isCrash }
    if left.element.total != right.element.total { return left.element.total > right.element.total }
    return left.offset < right.offset
  }.map(\.element)
}

extension FailureGroup {
  fileprivate var isCrash: Bool { failures.first?.outcome == .crashed }
}
