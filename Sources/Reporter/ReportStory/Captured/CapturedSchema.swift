package import ReportInspection
import ReportModel

/// The parts of a captured database's schema that a story needs: the names that SQLite does not tell with a change.
package struct CapturedSchema: Sendable, Equatable {
  package typealias Table = DatabaseSchema.Table

  package struct Trigger: Sendable, Equatable {
    package var name: String
    /// The tables that its program writes.
    package var written: [String]
  }

  /// The captured file, by its path in the report's folder.
  package var evidence: String
  /// The original's path as the report names it; `nil` for what was no file.
  var source: String?
  /// True when it contains the rows of a transaction that was still open.
  package var isUncommitted: Bool
  /// The schema as SQLite reports it.
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
  /// The names for rows of so many values; `nil` where they are of another schema.
  func columns(count: Int) -> [String]? {
    for known in [stored, columns] where known.count == count { return known.map { $0.name } }
    return nil
  }
}
