import ExhibitSQLite
import Foundation

/// The objects of two schemas in pairs.
struct SchemaPairs {
  /// Tables with a tree, in the later schema's order, then dropped ones.
  private(set) var tables: [TablePair] = []
  private(set) var virtualTables: [TablePair] = []
  /// Indexes, views and triggers, without consequences of renamed tables.
  private(set) var otherObjects: [SchemaChange] = []

  /// Pairs tables by name.
  ///
  /// A table counts as renamed if it has the same root page and columns, or the only equal declaration. Shadow tables
  /// follow their virtual tables.
  init(_ old: ComparedDatabase, _ new: ComparedDatabase) {
    virtualTables = Self.pairs(
      old.schema.filter(\.isVirtualTable), new.schema.filter(\.isVirtualTable)
    ) { former, later in
      former.module != nil && former.module == later.module ? 1 : 0
    }
    let owners = Self.renamed(virtualTables)
    let hasTree: (SchemaEntry) -> Bool = { $0.isTable && $0.rootPage > 0 }
    tables = Self.pairs(
      old.schema.filter(hasTree), new.schema.filter(hasTree),
      laterName: { name in
        guard let owner = old.shadows[name], let later = owners[owner] else { return name }
        return name.renamed(from: owner, to: later)
      },
      likeness: { former, later in
        if old.shadows[SchemaName(former.name)] ?? new.shadows[SchemaName(later.name)] != nil { return 0 }
        if former.rootPage == later.rootPage {
          return Self.haveSameColumns(former, later, (old.state.encoding, new.state.encoding)) ? 2 : 0
        }
        return former.declaration != nil && former.declaration == later.declaration ? 1 : 0
      })
    otherObjects = RenamedTables(tables + virtualTables)
      .applied(to: Self.otherObjects(old.schema, new.schema))
  }

  private static func renamed(_ pairs: [TablePair]) -> [SchemaName: SchemaName] {
    var names: [SchemaName: SchemaName] = [:]
    for pair in pairs {
      if let old = pair.old, let new = pair.new { names[SchemaName(old.name)] = SchemaName(new.name) }
    }
    return names
  }

  private static let renameLimit = 100

  /// - Parameter likeness: The certainty that one is the other, renamed; 0 for none.
  private static func pairs(
    _ old: [SchemaEntry], _ new: [SchemaEntry], laterName: (SchemaName) -> SchemaName = { $0 },
    likeness: (SchemaEntry, SchemaEntry) -> Int
  ) -> [TablePair] {
    var former = Dictionary(old.map { (laterName(SchemaName($0.name)), $0) }) { first, _ in first }
    var pairs = new.map { TablePair(old: former.removeValue(forKey: SchemaName($0.name)), new: $0) }
    var left = old.filter { former[laterName(SchemaName($0.name))] == $0 }
    guard left.count <= renameLimit, pairs.count(where: { $0.old == nil }) <= renameLimit else {
      return pairs + left.map { TablePair(old: $0, new: nil) }
    }
    for level in [2, 1] {
      for index in pairs.indices where pairs[index].old == nil {
        guard let entry = pairs[index].new else { continue }
        let alike = left.filter { likeness($0, entry) == level }
        let rivals = pairs.filter { pair in
          pair.old == nil && alike.count == 1 && pair.new.map { likeness(alike[0], $0) == level } ?? false
        }
        guard alike.count == 1, rivals.count == 1 else { continue }
        pairs[index].old = alike[0]
        left.removeAll { $0 == alike[0] }
      }
    }
    return pairs + left.map { TablePair(old: $0, new: nil) }
  }

  private static func haveSameColumns(
    _ old: SchemaEntry, _ new: SchemaEntry, _ encodings: (DatabaseState.Encoding, DatabaseState.Encoding)
  ) -> Bool {
    guard let before = try? TableLayout(old, encoding: encodings.0),
      let after = try? TableLayout(new, encoding: encodings.1)
    else { return false }
    return before.columns == after.columns && before.isWithoutRowid == after.isWithoutRowid
      && before.primaryKey == after.primaryKey
  }

  private static func otherObjects(_ old: [SchemaEntry], _ new: [SchemaEntry]) -> [SchemaChange] {
    func entries(_ schema: [SchemaEntry]) -> [DatabaseInspection.SchemaEntry] {
      schema.filter { !$0.isTable }.map {
        .init(type: $0.type, name: $0.name, table: $0.tableName, sql: $0.sql)
      }
    }
    return schemaChanges(from: entries(old), to: entries(new))
  }
}

extension TablePair {
  var name: String { latest?.name ?? "" }

  var formerName: String? {
    guard let old, let new, SchemaName(old.name) != SchemaName(new.name) else { return nil }
    return old.name
  }

  var fate: DatabaseChanges.Table.Fate {
    old == nil ? .created : new == nil ? .dropped : old?.sql == new?.sql ? .kept : .redefined
  }

  var isDefinedAnew: Bool { fate != .kept || old?.name != new?.name }
}

extension SchemaEntry {
  fileprivate var module: Substring? {
    guard let sql, let using = sql.range(of: "USING", options: .caseInsensitive) else { return nil }
    return sql[using.upperBound...]
  }

  fileprivate var declaration: Substring? {
    // A name with parentheses is quoted; skip it.
    guard let sql, !name.contains("("), let start = sql.firstIndex(of: "(") else { return nil }
    return sql[start...]
  }
}
