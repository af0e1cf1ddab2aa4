import Collector
import ExhibitSQLite
package import ReportInspection
import ReportStory

/// The differences between two databases that a user names.
package struct DatabasePair {
  package let before: NamedDatabase
  package let after: NamedDatabase
  package var settings: [Setting]
  package var schema: [SchemaChange] = []
  /// `nil` where rows are not compared.
  package var changes: DatabaseChanges?
  /// Sentences about what could not be compared, besides rows.
  package var problems: [String] = []

  /// With what their headers say alone.
  package init(before: NamedDatabase, after: NamedDatabase) {
    (self.before, self.after) = (before, after)
    settings = Self.settings(of: before, after)
  }

  /// A number that the header of both holds.
  package struct Setting: Equatable {
    var name: String
    var before: String
    var after: String
    /// True when the app sets it; false when it is a matter of the file's layout.
    var isContent: Bool
  }

  var differingSettings: [Setting] { settings.filter { $0.before != $0.after } }

  package var isDifferent: Bool {
    !schema.isEmpty || differingSettings.contains(where: \.isContent)
      || changes?.tables.contains { table in
        table.fate != .kept || table.formerName != nil
          || [table.added, table.removed, table.changed].contains { ($0 ?? 0) > 0 }
      } == true
  }

  /// True when all was compared.
  package var isWhole: Bool {
    problems.isEmpty && [before, after].allSatisfy { !$0.hasChanged && $0.files.wal != .foreign }
      && changes.map { $0.problems.isEmpty && $0.tables.allSatisfy { $0.problem == nil } } ?? true
  }

  /// Leaves names and types of the schemas, for readers who may not see values.
  package mutating func removeLiterals(names: Set<String>) {
    schema.removeLiterals(names: names)
    changes?.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
  }

  /// The settings in the headers of two databases.
  private static func settings(of before: NamedDatabase, _ after: NamedDatabase) -> [Setting] {
    func setting(_ name: String, _ value: (NamedDatabase) -> String, isContent: Bool = false) -> Setting {
      Setting(name: name, before: value(before), after: value(after), isContent: isContent)
    }
    let encodings = ["none yet", "UTF-8", "UTF-16le", "UTF-16be"]
    return [
      setting("application_id", { String($0.header.applicationID) }, isContent: true),
      setting("auto_vacuum", { $0.header.isAutoVacuum ? "on" : "off" }),
      setting("encoding", { encodings[Int(min($0.header.encoding, 3))] }),
      setting("journal_mode", { $0.isInWALMode ? "wal" : "rollback" }),
      setting("page_size", { String($0.header.pageSize) }),
      setting("user_version", { String($0.header.userVersion) }, isContent: true),
    ]
  }
}
