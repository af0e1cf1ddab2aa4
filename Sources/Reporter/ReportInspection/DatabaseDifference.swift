import Collector
package import ReportModel

/// The difference of a captured database from another one of the same test: another view, or a file of the same schema.
package struct DatabaseDifference: Sendable, Equatable {
  /// The other's path in the report's folder.
  package var other: String
  package var changes: DatabaseChanges

  package init(other: String, changes: DatabaseChanges) {
    self.other = other
    self.changes = changes
  }
}

extension DatabaseDifference {
  /// Comparisons of one test; more databases are shown whole.
  private static let most = 20

  /// The pairs of databases of which one is told by its difference from the other, by index.
  ///
  /// They are views of one file, or files whose schemas are alike.
  ///
  /// - Parameter databases: By the evidence's path.
  package static func pairs(
    of evidence: [TestEvidence], _ databases: [String: DatabaseInspection]
  ) -> [(later: Int, earlier: Int)] {
    var pairs: [(later: Int, earlier: Int)] = []
    // The databases shown whole, as others are compared with them.
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
      if let other, pairs.count < most { pairs.append((index, other)) } else { whole.append(index) }
    }
    return pairs
  }

  /// The order: committed states and files by themselves come before what adds to them.
  private static func rank(_ evidence: TestEvidence) -> Int {
    switch evidence.database?.view {
    case nil, .alone: 0
    case .uncommitted, .withForeignWAL: 1
    }
  }

  /// True when they are two views of one file.
  package static func isView(_ one: TestEvidence, of other: TestEvidence) -> Bool {
    one.source != nil && one.source == other.source && one.run == other.run
      && one.database?.view != other.database?.view
  }

  /// True when they have the same tables, by the statements that made them.
  private static func isAlike(_ one: DatabaseInspection, _ other: DatabaseInspection) -> Bool {
    !one.tables.isEmpty && one.check == "ok" && other.check == "ok"
      && one.tables.map(\.name) == other.tables.map(\.name)
      && one.tables.map(\.sql) == other.tables.map(\.sql)
  }
}
