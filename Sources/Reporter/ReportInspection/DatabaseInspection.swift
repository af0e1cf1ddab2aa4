package import ExhibitSQLite
import ReportModel

/// The view of a captured database for a reader who does not open it.
package struct DatabaseInspection: Sendable, Equatable {
  package var pageSize: Int
  package var pages = 0
  /// Pages that hold nothing any more.
  package var freePages = 0
  package var encoding: String
  package var userVersion: Int
  /// `ok`, or the first lines of what `quick_check` found.
  package var check: String
  package var tables: [Table]
  /// Schema objects that are no tables: indexes, views, triggers.
  package var otherSchema: [SchemaEntry]
  package var schema = DatabaseSchema()
  package var foreignKeys = ForeignKeyCheck()
  /// The parts that hang on functions and collations of the app, in sentences for the reader; the file is sound even so.
  package var ofTheApp: [String] = []
  /// The parts not read, in sentences for the reader.
  package var problems: [String]
  /// True when time ran out before all was read, so another machine may show more.
  package var isCutByTime = false

  package struct SchemaEntry: Sendable, Equatable {
    package var type: String
    package var name: String
    /// Whose index or trigger it is; of a table or view its own name.
    package var table = ""
    package var sql: String?
    /// Tells statements apart whose literals were taken out; `nil` of a whole one.
    package var withheld: Int?
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    package var kind: DatabaseSchema.Table.Kind = .ordinary
    package var sql: String?
    /// As of `SchemaEntry`.
    package var withheld: Int?
    package var columns: [String]
    /// As the schema declares them; empty for a column without a type.
    package var types: [String] = []
    /// The number of columns not shown.
    package var omittedColumns = 0
    /// `nil` when it could not be counted.
    package var rowCount: Int?
    /// The first rows, at most 50, in the table's own order.
    package var rows: [[DatabaseValue]]
    /// The bytes of texts that are no UTF-8, which `rows` has with U+FFFD in them.
    package var undecoded: [CellIndex: [UInt8]] = [:]
    /// The reason for missing rows, in a sentence for the reader.
    package var problem: String?

    /// True when SQLite or a module keeps it, and the app does not.
    package var isOfSQLite: Bool { kind == .shadow || name.isOfSQLite }

    /// Indices into `rows`, and into the row.
    package struct CellIndex: Sendable, Hashable {
      package var row: Int
      package var column: Int

      package init(row: Int, column: Int) {
        self.row = row
        self.column = column
      }
    }
  }
}

extension DatabaseInspection {
  /// The check as a reader needs it named: SQLite leaves CHECK constraints out where a database is read-only.
  package var checkName: String {
    let hasConstraint = tables.contains { table in
      SQLToken.all(in: table.sql ?? "").contains { $0.folded == "CHECK" }
    }
    return hasConstraint ? "quick_check without CHECK constraints" : "quick_check"
  }
}
