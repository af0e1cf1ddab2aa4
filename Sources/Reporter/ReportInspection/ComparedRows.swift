import ExhibitSQLite

/// Reads rows of a table in two states and compares them.
struct ComparedRows {
  /// Longer values are compared by digest.
  private static let comparedBytes = 4096
  /// The limit for values in different encodings, whose digests do not compare.
  private static let decodedBytes = 8 << 20

  let columns: ComparedColumns
  private let limits: InspectionLimits
  private let keptBytes: Int

  init(_ columns: ComparedColumns, limits: InspectionLimits) {
    self.columns = columns
    self.limits = limits
    let shown = max(
      columns.old?.storedBytes(of: limits.cellBytes) ?? 0, columns.new?.storedBytes(of: limits.cellBytes) ?? 0
    )
    keptBytes = max(shown, columns.hasSameEncoding ? Self.comparedBytes : Self.decodedBytes)
  }

  func changedColumns(from old: StoredRow, to new: StoredRow) throws -> [(old: Int, new: Int)] {
    guard let before = columns.old, let after = columns.new else { return [] }
    let (former, later) = (
      try before.values(of: old, keeping: keptBytes), try after.values(of: new, keeping: keptBytes)
    )
    var digests: (old: [DatabaseValue], new: [DatabaseValue])?
    return try columns.shared.filter { pair in
      guard former[pair.old].isSame(as: later[pair.new]) else { return true }
      guard later[pair.new].mayHideBytes, columns.hasSameEncoding else { return false }
      let known = try digests ?? (before.values(of: old, keeping: 0), after.values(of: new, keeping: 0))
      digests = known
      return !known.old[pair.old].isSame(as: known.new[pair.new])
    }
  }

  /// A hash that is equal for rows with the same key.
  func key(_ row: StoredRow, isNew: Bool) throws -> Int {
    guard case .key(let old, let new) = columns.identity else { return 0 }
    return try hash(of: isNew ? new : old, in: row, isNew: isNew, isKey: true)
  }

  /// A hash that is equal for rows with the same values.
  func digest(_ row: StoredRow, isNew: Bool) throws -> Int {
    try hash(of: columns.shared.map { isNew ? $0.new : $0.old }, in: row, isNew: isNew)
  }

  private func hash(of indexes: [Int], in row: StoredRow, isNew: Bool, isKey: Bool = false) throws -> Int {
    guard let layout = isNew ? columns.new : columns.old else { return 0 }
    let values = try layout.values(of: row, keeping: keptBytes)
    var hasher = Hasher()
    for column in indexes {
      values[column].hash(bytesInto: &hasher)
      // Keys that contain NULL are not unique.
      if isKey, values[column] == .null { hasher.combine(row.rowid) }
    }
    let hiding = indexes.filter { values[$0].mayHideBytes }
    if !hiding.isEmpty, columns.hasSameEncoding {
      let digests = try layout.values(of: row, keeping: 0)
      for column in hiding { digests[column].hash(bytesInto: &hasher) }
    }
    return hasher.finalize()
  }

  /// True when both states have the same rows in order, one of them with rowids from 1 without gaps.
  ///
  /// `VACUUM` does this to tables without a primary key.
  ///
  /// - Throws: `DamagedPage`, `SystemError`.
  func areNumberedAnew(_ pair: TablePair, _ old: DatabaseState, _ new: DatabaseState) throws -> Bool {
    guard let before = pair.old?.rootPage, let after = pair.new?.rootPage else { return false }
    let (former, later) = (
      try order(of: before, in: old, isNew: false), try order(of: after, in: new, isNew: true)
    )
    return former.digest == later.digest && (former.hasNoGap || later.hasNoGap)
  }

  private func order(
    of root: UInt32, in state: DatabaseState, isNew: Bool
  ) throws -> (digest: Int, hasNoGap: Bool) {
    var (hasher, count, hasNoGap) = (Hasher(), Int64(0), true)
    try state.forEachRow(of: root) { row in
      count += 1
      hasNoGap = hasNoGap && row.rowid == count
      hasher.combine(try digest(row, isNew: isNew))
      return true
    }
    return (hasher.finalize(), hasNoGap)
  }

  // MARK: - As they are shown

  func added(_ row: StoredRow) throws -> DatabaseChanges.Row {
    .init(operation: .insert, cells: try cells(row, columns.new))
  }

  func removed(_ row: StoredRow) throws -> DatabaseChanges.Row {
    let former = try cells(row, columns.old)
    guard let new = columns.new else { return .init(operation: .delete, cells: former) }
    var cells = [DatabaseValue](repeating: .null, count: new.columns.count)
    for pair in columns.shared { cells[pair.new] = former[pair.old] }
    return .init(operation: .delete, cells: cells)
  }

  func changed(
    _ old: StoredRow, _ new: StoredRow, _ changed: [(old: Int, new: Int)]
  ) throws -> DatabaseChanges.Row {
    let (former, later) = (try cells(old, columns.old), try cells(new, columns.new))
    var before = [DatabaseValue?](repeating: nil, count: later.count)
    for column in changed { before[column.new] = former[column.old] }
    return .init(operation: .update, cells: later, before: before)
  }

  private func cells(_ row: StoredRow, _ layout: TableLayout?) throws -> [DatabaseValue] {
    try layout?.cells(of: row, limit: limits.cellBytes, blobLimit: limits.blobBytes) ?? []
  }
}

extension ComparedColumns {
  /// True when texts can be compared by bytes.
  var hasSameEncoding: Bool { old == nil || new == nil || old?.encoding == new?.encoding }
}
