/// The rows of a database that a test is known to have written.
package struct WrittenRows: Sendable, Equatable {
  package struct Writing: Sendable, Equatable {
    /// The last step that wrote it, if steps are known.
    package var step: Int?
    /// The changed columns; `nil` for an inserted row.
    package var columns: Set<String>?
    /// The step that inserted it, if known.
    package var insertedAt: Int?

    package init(step: Int? = nil, columns: Set<String>? = nil, insertedAt: Int? = nil) {
      (self.step, self.columns, self.insertedAt) = (step, columns, insertedAt)
    }

    func concerns(_ name: String) -> Bool { columns?.contains(name) ?? true }
  }

  package var rows: [String: [RowKey: Writing]] = [:]
  /// By table, the last step that deleted rows or changed their keys.
  package var deleted: [String: Int] = [:]
  /// By trigger, the last step that fired it.
  package var triggers: [String: Int] = [:]
  /// The last step that changed rows, if steps are known.
  package var lastStep: Int?

  /// True when the test may have written more.
  package var isPartial = false

  package init() {}

  var isEmpty: Bool { rows.isEmpty && deleted.isEmpty && triggers.isEmpty && !isPartial }

  /// Records a step's change of a row.
  ///
  /// - Parameter columns: `nil` for an insert.
  package mutating func note(
    _ key: RowKey, of table: String, step: Int?, columns: Set<String>?, isInsert: Bool = false
  ) {
    let known = rows[table]?[key]
    let all = known == nil ? columns : known?.columns.flatMap { old in columns.map { old.union($0) } }
    rows[table, default: [:]][key] = Writing(
      step: step, columns: all, insertedAt: isInsert ? step : known?.insertedAt)
    lastStep = [lastStep, step].compactMap { $0 }.max()
  }
}
