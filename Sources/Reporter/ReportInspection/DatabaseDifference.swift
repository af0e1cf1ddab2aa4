import Collector
package import ReportModel

/// How a captured database differs from another one of the same test.
package struct DatabaseDifference: Sendable, Equatable {
  package var other: String
  package var changes: DatabaseChanges

  package init(other: String, changes: DatabaseChanges) {
    self.other = other
    self.changes = changes
  }
}

extension DatabaseDifference {
  private static let most = 20

  /// Chooses databases shown as differences from others, as indices.
  ///
  /// These are views of the same file, files with the same schema, or the same file's in several attempts.
  ///
  /// - Parameter databases: By path of the evidence.
  package static func pairs(
    of evidence: [TestEvidence], _ databases: [String: DatabaseInspection]
  ) -> [(later: Int, earlier: Int)] {
    var pairs: [(later: Int, earlier: Int)] = []
    var whole: [Int] = []
    for index in evidence.indices.sorted(by: { rank(evidence[$0]) < rank(evidence[$1]) }) {
      guard evidence[index].kind == .database, let database = evidence[index].path.flatMap({ databases[$0] })
      else {
        continue
      }
      let other =
        whole.first { isView(evidence[index], of: evidence[$0]) }
        ?? whole.first { earlier in
          evidence[earlier].run == evidence[index].run
            && evidence[earlier].path.flatMap { databases[$0] }.map { isAlike($0, database) } == true
        }
        ?? whole.first { earlier in
          isOfAnotherAttempt(evidence[index], than: evidence[earlier])
            && evidence[earlier].path.flatMap { databases[$0] }.map { isAlike($0, database) } == true
        }
      if let other, pairs.count < most { pairs.append((index, other)) } else { whole.append(index) }
    }
    return pairs
  }

  private static func isOfAnotherAttempt(_ evidence: TestEvidence, than other: TestEvidence) -> Bool {
    evidence.run != other.run && evidence.name == other.name
      && evidence.details.database?.view == other.details.database?.view
  }

  /// Committed states and single files come first.
  private static func rank(_ evidence: TestEvidence) -> Int {
    switch evidence.details.database?.view {
    case nil, .alone: 0
    case .uncommitted, .withForeignWAL: 1
    }
  }

  /// True for two views of the same file.
  package static func isView(_ one: TestEvidence, of other: TestEvidence) -> Bool {
    one.source != nil && one.source == other.source && one.run == other.run
      && one.details.database?.view != other.details.database?.view
  }

  private static func isAlike(_ one: DatabaseInspection, _ other: DatabaseInspection) -> Bool {
    !one.tables.isEmpty && one.check == "ok" && other.check == "ok"
      && one.tables.map(\.name) == other.tables.map(\.name)
      && one.tables.map(\.sql) == other.tables.map(\.sql)
  }
}
