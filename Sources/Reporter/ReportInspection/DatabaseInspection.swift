package import ExhibitSQLite
import ReportModel

/// The content of a captured database, as shown in the report.
package struct DatabaseInspection: Sendable, Equatable {
  package var pageSize: Int
  package var pages = 0
  package var freePages = 0
  package var encoding: String
  package var userVersion: Int
  /// `ok`, or the first lines of `quick_check`.
  package var check: String
  package var tables: [Table]
  package var otherSchema: [SchemaEntry]
  package var schema = DatabaseSchema()
  package var foreignKeys = ForeignKeyCheck()
  /// What it is to Core Data, if anything.
  package var coreData: CoreDataStore?
  /// Sentences on what needs functions or collations of the app; these are no damage.
  package var ofTheApp: [String] = []
  package var problems: [String]
  package var isCutByTime = false

  package struct SchemaEntry: Sendable, Equatable {
    package var type: String
    package var name: String
    /// The table of an index or trigger, or its own name.
    package var table = ""
    package var sql: String?
    /// Distinguishes statements whose literals were removed.
    package var withheld: Int?
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    package var kind: DatabaseSchema.Table.Kind = .ordinary
    package var sql: String?
    package var withheld: Int?
    package var columns: [String]
    /// Declared types, possibly empty.
    package var types: [String] = []
    package var omittedColumns = 0
    package var rowCount: Int?
    /// The first rows in the table's own order.
    package var rows: [[DatabaseValue]]
    /// The bytes of texts that are no UTF-8, which `rows` has with U+FFFD in them.
    package var undecoded: [CellIndex: [UInt8]] = [:]
    /// What property lists among the values hold, a member a line.
    package var propertyLists: [CellIndex: [String]] = [:]
    /// The reason for missing rows, in a sentence for the reader.
    package var problem: String?

    /// Keeps the columns that tell most of the rows: the first, then those with different values, with one, with none.
    mutating func keepColumns(atMost most: Int) {
      guard columns.count > most else { return }
      let kept = columnsByContent.prefix(most).sorted()
      columns = kept.map { columns[$0] }
      types = kept.filter(types.indices.contains).map { types[$0] }
      rows = rows.map { row in kept.filter(row.indices.contains).map { row[$0] } }
      let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
      func moved<Value>(_ cells: [CellIndex: Value]) -> [CellIndex: Value] {
        Dictionary(
          uniqueKeysWithValues: cells.compactMap { index, value in
            places[index.column].map { (CellIndex(row: index.row, column: $0), value) }
          })
      }
      (undecoded, propertyLists) = (moved(undecoded), moved(propertyLists))
    }

    /// All columns, those first that tell most of the rows.
    package var columnsByContent: [Int] {
      let order = columns.indices.map { column in
        // The first one names the rows.
        let values = rows.lazy.filter { $0.indices.contains(column) }.map {
          $0[column] == .null ? nil : $0[column]
        }
        return (column == 0 ? 0 : columnDullness(Array(values)), column)
      }
      return order.sorted { $0 < $1 }.map(\.1)
    }

    /// True when SQLite or a module maintains it.
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
  /// The check's name.
  ///
  /// SQLite skips CHECK constraints in read-only databases.
  package var checkName: String {
    let hasConstraint = tables.contains { table in
      SQLToken.all(in: table.sql ?? "").contains { $0.folded == "CHECK" }
    }
    return hasConstraint ? "quick_check without CHECK constraints" : "quick_check"
  }
}
