/// Tables whose rows no capture for this test may have.
package struct ExcludedTables: LogPayload {
  package static let kind = "tablesExcluded"

  package var tables: [String]

  package init(_ tables: [String]) {
    self.tables = tables
  }

  package func write(to text: inout JSONText) {
    text.array("tables", tables) { $0.element($1) }
  }
}
