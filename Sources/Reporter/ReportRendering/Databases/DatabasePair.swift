import Collector
import ExhibitSQLite
package import ReportInspection
import ReportStory

/// The differences between two databases named by the user.
package struct DatabasePair {
  package let before: NamedDatabase
  package let after: NamedDatabase
  package var settings: [Setting]
  package var schema: [SchemaChange] = []
  /// `nil` without a comparison of rows.
  package var changes: DatabaseChanges?
  /// Sentences on what was not compared.
  package var problems: [String] = []

  package init(before: NamedDatabase, after: NamedDatabase) {
    (self.before, self.after) = (before, after)
    settings = Self.settings(of: before, after)
  }

  package struct Setting: Equatable {
    var name: String
    var before: String
    var after: String
    /// True for the app's content; false for file layout.
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

  package var isWhole: Bool {
    problems.isEmpty && [before, after].allSatisfy { !$0.hasChanged && $0.files.wal != .foreign }
      && changes.map { $0.problems.isEmpty && $0.tables.allSatisfy { $0.problem == nil } } ?? true
  }

  /// Removes values from statements.
  package mutating func removeLiterals(names: Set<String>) {
    schema.removeLiterals(names: names)
    changes?.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
  }

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
