import ExhibitSQLite
package import ReportInspection

extension StateTimeline {
  /// Rows of a table as it was after a step, behind a key or before it.
  ///
  /// With rowids they are in their order. Without, rows come first that are not as captured, then the others by key.
  ///
  /// - Parameters:
  ///   - key: The last row of the page before; `nil` begins.
  ///   - isDescending: True for the rows before the key, the nearest first; only for tables with rowids.
  func page(
    of table: String, _ view: StateView, behind key: RowKey? = nil, isDescending: Bool = false,
    upTo count: Int
  ) -> Result<StateAnswer.Table, StateBound> {
    state(of: table, view).flatMap { state in
      let own = state.rows.compactMap { key, row in row.map { StateAnswer.Row(key: key, values: $0) } }
        .sorted { isDescending ? $1.key < $0.key : $0.key < $1.key }
      // The inspection tells why it cannot be read.
      guard var rows = try? merged(own, state, table, behind: key, isDescending, upTo: count + 1) else {
        return .failure(.unreadable)
      }
      let hasMore = rows.count > count
      if hasMore { rows.removeLast(rows.count - count) }
      return .success(
        StateAnswer.Table(
          name: table, columns: self[table].columns(count: rows.first?.values.count), exists: state.exists,
          rows: rows, leftOut: hasMore ? nil : 0))
    }
  }

  private func merged(
    _ own: [StateAnswer.Row], _ state: TableState, _ table: String, behind key: RowKey?,
    _ isDescending: Bool, upTo count: Int
  ) throws(SQLiteError) -> [StateAnswer.Row] {
    guard self[table].hasRowid else {
      let place = key.flatMap { key in own.firstIndex { $0.key == key } }
      let first = place.map { $0 + 1 } ?? (key == nil ? 0 : own.count)
      let some = Array(own[first...].prefix(count))
      let rest = try captured(
        table, state, behind: place == nil ? key : nil, isDescending: false, upTo: count - some.count)
      return some + rest
    }
    let own = own.filter { row in
      guard let key else { return true }
      return isDescending ? row.key < key : key < row.key
    }
    let captured = try captured(table, state, behind: key, isDescending: isDescending, upTo: count)
    let all = (own.prefix(count) + captured).sorted {
      isDescending ? $1.key < $0.key : $0.key < $1.key
    }
    return Array(all.prefix(count))
  }

  private func captured(
    _ table: String, _ state: TableState, behind key: RowKey?, isDescending: Bool, upTo count: Int
  ) throws(SQLiteError) -> [StateAnswer.Row] {
    guard state.holdsCaptured, count > 0, let file else { return [] }
    return try file.page(of: table, behind: key, isDescending: isDescending, upTo: count) {
      state.rows[$0] == nil
    }
  }
}

extension RowKey: Comparable {
  /// As SQLite compares bytes, whatever a column's collation says.
  package static func < (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.rowid(let one), .rowid(let other)): return one < other
    case (.rowid, .values): return true
    case (.values, .rowid): return false
    case (.values(let one), .values(let other)):
      for (one, other) in zip(one, other) where one != other { return isBefore(one, other) }
      return one.count < other.count
    }
  }

  /// Source: https://www.sqlite.org/datatype3.html#comparison_expressions.
  private static func isBefore(_ one: DatabaseValue, _ other: DatabaseValue) -> Bool {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.text(let one, _), .text(let other, _)): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (.blob(let one, _), .blob(let other, _)): one.lexicographicallyPrecedes(other)
    default:
      if let one = one.number, let other = other.number { one < other } else { rank(one) < rank(other) }
    }
  }

  private static func rank(_ value: DatabaseValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
