import ExhibitSQLite
import ExhibitSystem
import ReportInspection

/// The rows of a captured database, read when they are asked for.
///
/// The file is untrusted.
final class CapturedRows {
  private let file: String
  private let schema: CapturedSchema
  private let limits = InspectionLimits()
  private lazy var opened = Result { () throws(SQLiteError) in
    try InspectionConnection(path: file, limits: limits)
  }

  private static let valueBytes = 1 << 20
  static let keysAtOnce = 50

  init(_ file: String, _ schema: CapturedSchema) {
    (self.file, self.schema) = (file, schema)
  }

  private struct Layout {
    var table: CapturedSchema.Table
    var order: [String]

    /// All that is read of a row: the rowid, if it has one, and the values that are stored.
    var columns: String {
      ((table.hasRowid ? order : []) + table.stored.map { SQLText.name($0.name) }).joined(separator: ", ")
    }
  }

  private func layout(_ table: String) -> Layout? {
    guard let table = schema.declared[table], !table.isVirtual else { return nil }
    if table.hasRowid { return table.rowid.map { Layout(table: table, order: [$0]) } }
    return table.key.isEmpty ? nil : Layout(table: table, order: table.keyNames.map(SQLText.name))
  }

  private func rows(
    _ layout: Layout, _ condition: String, isDescending: Bool = false, upTo count: Int,
    _ isWanted: (RowKey) -> Bool = { _ in true }
  ) throws(SQLiteError) -> [StateAnswer.Row] {
    let connection = try opened.get()
    connection.allow(steps: limits.tableSteps)
    let order = layout.order.map { $0 + (isDescending ? " DESC" : "") }.joined(separator: ", ")
    let statement = try connection.prepare(
      "SELECT \(layout.columns) FROM \(SQLText.name(layout.table.name))\(condition) ORDER BY \(order)")
    var rows: [StateAnswer.Row] = []
    while rows.count < count, try statement.step() {
      let values = values(layout, of: statement)
      let key =
        layout.table.hasRowid
        ? RowKey.rowid(Int64(statement.integer(at: 0)))
        : RowKey(values: layout.table.key.map { values[$0] })
      if let key, isWanted(key) { rows.append(.init(key: key, values: values)) }
    }
    return rows
  }

  private func values(_ layout: Layout, of statement: InspectionStatement) -> [DatabaseValue?] {
    let first = layout.table.hasRowid ? layout.order.count : 0
    return layout.table.stored.indices.map { index in
      statement.cell(at: Int32(index + first), limit: Self.valueBytes, blobLimit: Self.valueBytes)
    }
  }

  // MARK: - Single rows

  /// Those of the rows that are there.
  func rows(of keys: [RowKey], in table: String) throws(SQLiteError) -> [RowKey: [DatabaseValue?]] {
    guard let layout = layout(table), !keys.isEmpty else { return [:] }
    if layout.table.hasRowid { return try rows(of: keys, layout) }
    var found: [RowKey: [DatabaseValue?]] = [:]
    for start in stride(from: 0, to: keys.count, by: Self.keysAtOnce) {
      let some = keys[start..<min(keys.count, start + Self.keysAtOnce)]
      let conditions = some.map { key in
        switch key {
        case .rowid(let number): "\(layout.order[0]) = \(number)"
        case .values(let values):
          "("
            + zip(layout.order, values).map { "\($0) IS \(SQLText.literal($1))" }.joined(separator: " AND ")
            + ")"
        }
      }
      let condition = " WHERE " + conditions.joined(separator: " OR ")
      for row in try rows(layout, condition, upTo: .max) { found[row.key] = row.values }
    }
    return found
  }

  /// The rows with these rowids: one statement finds each.
  private func rows(of keys: [RowKey], _ layout: Layout) throws(SQLiteError) -> [RowKey: [DatabaseValue?]] {
    let connection = try opened.get()
    let statement = try connection.prepare(
      "SELECT \(layout.columns) FROM \(SQLText.name(layout.table.name)) WHERE \(layout.order[0]) = ?")
    var found: [RowKey: [DatabaseValue?]] = [:]
    for key in keys {
      guard case .rowid(let number) = key else { continue }
      connection.allow(steps: limits.tableSteps)
      try statement.restart(with: number)
      if try statement.step() { found[key] = values(layout, of: statement) }
    }
    return found
  }

  /// The row whose primary key reads so, whatever its types.
  func row(withKey texts: [String], in table: String) throws(SQLiteError) -> RowKey? {
    guard let layout = layout(table), !texts.isEmpty, layout.table.key.count == texts.count else {
      return nil
    }
    let conditions = zip(layout.table.keyNames, texts).map { column, text in
      "CAST(\(SQLText.name(column)) AS TEXT) = \(SQLText.text(text))"
    }
    return try rows(layout, " WHERE " + conditions.joined(separator: " AND "), upTo: 1).first?.key
  }

  /// True also where it cannot be read.
  func has(_ key: RowKey, in table: String) -> Bool {
    (try? rows(of: [key], in: table)[key] != nil) ?? true
  }

  /// True when the file holds other rows than some steps left; false where it cannot be read.
  func contradicts(_ left: [RowKey: [DatabaseValue?]?], in table: String) -> Bool {
    guard let layout = layout(table), let captured = try? rows(of: Array(left.keys), in: table) else {
      return false
    }
    let keyColumn = layout.table.key.count == 1 ? layout.table.key[0] : nil
    for (key, row) in left {
      switch (row, captured[key]) {
      case (nil, nil): continue
      case (let row?, let found?): if !ToldValue.isSame(row, found, key: keyColumn) { return true }
      default: return true
      }
    }
    return false
  }

  // MARK: - Pages

  /// Rows behind a key or before it, in the key's order.
  ///
  /// - Parameter key: `nil` for the beginning, or the end.
  func page(
    of table: String, behind key: RowKey?, isDescending: Bool = false, upTo count: Int,
    _ isWanted: (RowKey) -> Bool
  ) throws(SQLiteError) -> [StateAnswer.Row] {
    guard let layout = layout(table) else { return [] }
    if case .rowid(let number)? = key, layout.table.hasRowid {
      let sign = isDescending ? "<" : ">"
      return try rows(
        layout, " WHERE \(layout.order[0]) \(sign) \(number)", isDescending: isDescending, upTo: count,
        isWanted)
    }
    var isBehind = key == nil
    return try rows(layout, "", isDescending: isDescending, upTo: count) { other in
      defer { isBehind = isBehind || other == key }
      return isBehind && isWanted(other)
    }
  }
}

extension SQLText {
  fileprivate static func literal(_ value: DatabaseValue) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .text(let text, _): return SQLText.text(text)
    case .blob(let bytes, _):
      return "x'\(hexadecimal(bytes))'"
    }
  }
}
