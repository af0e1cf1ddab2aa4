/// The rows of one database that a test is known to have written, as they were at its failure.
package struct WrittenRows: Sendable, Equatable {
  /// A write of a row by the test.
  package struct Writing: Sendable, Equatable {
    /// The number of the last step that wrote it; `nil` where only two states are known.
    package var step: Int?
    /// The columns that were changed; `nil` of a row that was inserted.
    package var columns: Set<String>?
    /// The number of the step that inserted it; `nil` where none is known.
    package var insertedAt: Int?

    package init(step: Int? = nil, columns: Set<String>? = nil, insertedAt: Int? = nil) {
      (self.step, self.columns, self.insertedAt) = (step, columns, insertedAt)
    }

    /// True when the test wrote this column's value.
    func concerns(_ name: String) -> Bool { columns?.contains(name) ?? true }
  }

  /// By table and key.
  package var rows: [String: [RowKey: Writing]] = [:]
  /// By table: the last step that deleted rows of it or gave them other keys.
  package var deleted: [String: Int] = [:]
  /// By trigger: the last step in which its program ran.
  package var triggers: [String: Int] = [:]
  /// The last step before the failure that changed rows; `nil` where no steps are known.
  package var lastStep: Int?

  /// True when the test may have written more than is known, so that no row can be ruled out.
  package var isPartial = false

  package init() {}

  /// True when nothing is known of what the test wrote.
  var isEmpty: Bool { rows.isEmpty && deleted.isEmpty && triggers.isEmpty && !isPartial }

  /// Notes that a step changed a row.
  ///
  /// - Parameters:
  ///   - columns: The columns that it changed; `nil` for an insert.
  ///   - isInsert: True where it is known to be one.
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
