import ExhibitSQLite

/// The columns that two states of a table share, and how to match rows.
struct ComparedColumns {
  /// How a row of the later state is matched to an earlier one.
  enum Identity: Equatable {
    /// By rowid, or by the key of a table `WITHOUT ROWID`.
    case stored
    case key(old: [Int], new: [Int])
    /// Not at all, since the primary key changed.
    case none
  }

  let old: TableLayout?
  let new: TableLayout?
  let shared: [(old: Int, new: Int)]
  let changes: DatabaseChanges.ColumnChanges
  let identity: Identity
  /// True when equal records have equal values.
  let isTold: Bool

  /// - Parameter isSameTree: True for an unchanged root page; columns may then be renamed.
  init(_ old: TableLayout?, _ new: TableLayout?, isSameTree: Bool) {
    (self.old, self.new) = (old, new)
    guard let old, let new else {
      (shared, changes, identity, isTold) = ([], .init(), .stored, true)
      return
    }
    (shared, changes) = Self.pair(old, new, isSameTree: isSameTree)
    isTold =
      old.encoding == new.encoding && old.isWithoutRowid == new.isWithoutRowid
      && old.keyValues == new.keyValues
      && shared.allSatisfy { pair in
        let (before, after) = (old.columns[pair.old], new.columns[pair.new])
        return before.position == after.position && before.isReal == after.isReal
          && before.missing.isSame(as: after.missing)
      }
    identity = Self.identity(old, new, shared, isTold: isTold)
  }

  var names: [String] { (new ?? old)?.columns.map(\.name) ?? [] }

  private static func pair(
    _ old: TableLayout, _ new: TableLayout, isSameTree: Bool
  ) -> ([(old: Int, new: Int)], DatabaseChanges.ColumnChanges) {
    let names = Dictionary(old.columns.enumerated().map { (SchemaName($1.name), $0) }) { first, _ in first }
    let later = Set(new.columns.map { SchemaName($0.name) })
    var changes = DatabaseChanges.ColumnChanges()
    var shared: [(old: Int, new: Int)] = []
    for (index, column) in new.columns.enumerated() {
      if let former = names[SchemaName(column.name)] {
        shared.append((former, index))
      } else if isSameTree, old.columns.count <= new.columns.count, index < old.columns.count,
        !later.contains(SchemaName(old.columns[index].name)), old.columns[index].isSame(as: column)
      {
        shared.append((index, index))
        changes.renamed.append(.init(from: old.columns[index].name, to: column.name))
      } else {
        changes.added.append(column.name)
      }
    }
    let kept = Set(shared.map(\.old))
    changes.dropped = old.columns.indices.filter { !kept.contains($0) }.map { old.columns[$0].name }
    return (shared, changes)
  }

  private static func identity(
    _ old: TableLayout, _ new: TableLayout, _ shared: [(old: Int, new: Int)], isTold: Bool
  ) -> Identity {
    let later = Dictionary(shared.map { ($0.old, $0.new) }) { first, _ in first }
    let isSameKey = old.primaryKey.map { later[$0] } == new.primaryKey.map { Optional($0) }
    let key = Identity.key(old: old.primaryKey, new: new.primaryKey)
    switch (old.isWithoutRowid, new.isWithoutRowid) {
    case (true, true): return !isSameKey ? .none : isTold ? .stored : key
    case (false, false):
      guard isSameKey, !old.primaryKey.isEmpty else { return .stored }
      return old.rowidColumn != nil && new.rowidColumn != nil ? .stored : key
    default: return isSameKey && !old.primaryKey.isEmpty ? key : .none
    }
  }
}

extension TableLayout.Column {
  /// True when only the name may differ.
  fileprivate func isSame(as other: Self) -> Bool {
    type.lowercased() == other.type.lowercased() && position == other.position && isReal == other.isReal
      && isGenerated == other.isGenerated
  }
}

extension DatabaseValue {
  /// True for the same type and bytes.
  func isSame(as other: DatabaseValue) -> Bool {
    switch (self, other) {
    case (.text(let text, let whole), .text(let others, let othersWhole)):
      whole == othersWhole && text.utf8.elementsEqual(others.utf8)
    case (.real(let value), .real(let others)): value.bitPattern == others.bitPattern
    default: self == other
    }
  }

  func hash(bytesInto hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(2)
      hasher.combine(value.bitPattern)
    case .text(var text, let whole):
      hasher.combine(3)
      hasher.combine(text.utf8.count)
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(whole)
    case .blob(let bytes, let whole):
      hasher.combine(4)
      hasher.combine(bytes)
      hasher.combine(whole)
    }
  }

  /// True when other bytes may be shown as this text.
  var mayHideBytes: Bool {
    guard case .text(let text, _) = self else { return false }
    return text.unicodeScalars.contains("\u{FFFD}")
  }
}
