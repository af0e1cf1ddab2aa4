package import ReportInspection
import ReportModel

/// What a story needs of a captured database's schema, mostly names, which SQLite does not tell with a change.
package struct CapturedSchema: Sendable, Equatable {
  package typealias Table = DatabaseSchema.Table

  package struct Trigger: Sendable, Equatable {
    package var name: String
    /// The tables that a trigger's program writes.
    package var written: [String]
  }

  package var evidence: String
  /// The original's path; `nil` for what was no file.
  var source: String?
  package var isUncommitted: Bool
  package var declared: DatabaseSchema
  package var triggers: [Trigger]

  package init(
    _ schema: DatabaseSchema, evidence: String = "", source: String? = nil, isUncommitted: Bool = false
  ) {
    (declared, self.evidence) = (schema, evidence)
    (self.source, self.isUncommitted) = (source, isUncommitted)
    triggers = schema.triggers.map {
      Trigger(name: $0.name, written: TriggerProgram($0.sql).writes.map(\.table))
    }
  }

  package var tables: [String: Table] { declared.tables }
}

extension DatabaseSchema.Table {
  /// Names for rows of so many values; `nil` where the rows are of another schema.
  func columns(count: Int) -> [String]? {
    for known in [stored, columns] where known.count == count { return known.map { $0.name } }
    return nil
  }

  /// True when these are the names for rows of so many values.
  func hasColumns(_ names: [String]) -> Bool {
    let known = stored.count == names.count ? stored : columns
    return known.count == names.count && zip(known, names).allSatisfy { $0.name == $1 }
  }
}
