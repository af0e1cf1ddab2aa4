import ExhibitSQLite
import ReportModel

/// What makes a database a store of Core Data or SwiftData: its entities, and the model that it keeps.
///
/// The layout is undocumented. Entities are rows of `Z_PRIMARYKEY`; a tree of them has one table, `Z…` after its root.
package struct CoreDataStore: Sendable, Equatable {
  struct Entity: Sendable, Equatable {
    var name: String
    /// `Z_ENT` of the entity above; `nil` for a root.
    var parent: Int64?
    /// The largest key that was given out; of roots.
    var greatestKey: Int64?
  }

  /// By `Z_ENT`.
  private(set) var entities: [Int64: Entity] = [:]
  let model: CoreDataModel?
  /// True when all rows of `Z_PRIMARYKEY` are among the entities.
  private(set) var isWhole = true
  /// True when the store keeps a model that cannot be read.
  let hasUnreadModel: Bool

  private static let (mostEntities, deepest) = (2000, 100)

  /// Reads the entities of a store.
  ///
  /// - Returns: `nil` for any other database, and for one whose entities cannot be read.
  init?(_ connection: InspectionConnection, _ schema: DatabaseSchema, _ limits: InspectionLimits) {
    guard Self.isStore(schema.tables.keys) else { return nil }
    connection.allow(steps: limits.tableSteps)
    var entities: [Int64: Entity] = [:]
    do {
      let statement = try connection.prepare(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY LIMIT \(Self.mostEntities + 1)")
      while try statement.step() {
        guard case .integer(let number) = statement.cell(at: 0),
          case .text(let name, nil) = statement.cell(at: 1), entities.count < Self.mostEntities
        else {
          isWhole = false
          continue
        }
        var entity = Entity(name: name)
        if case .integer(let parent) = statement.cell(at: 2), parent != 0 { entity.parent = parent }
        if case .integer(let greatest) = statement.cell(at: 3) { entity.greatestKey = greatest }
        entities[number] = entity
      }
    } catch {
      // The table is among those that the inspection shows, and says there what cannot be read.
      return nil
    }
    self.entities = entities
    let cached = Self.cachedModel(connection, schema)
    model = cached?.flatMap(CoreDataModel.init(cached:))
    hasUnreadModel = cached != nil && model == nil
  }

  /// The content of `Z_MODELCACHE`.
  ///
  /// - Returns: `nil` where there is none: older stores have no such table; and a blob that is `nil` where it cannot be read.
  private static func cachedModel(_ connection: InspectionConnection, _ schema: DatabaseSchema) -> [UInt8]?? {
    guard schema.tables.keys.contains("Z_MODELCACHE") else { return nil }
    do {
      let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
      guard try statement.step() else { return nil }
      return switch statement.cell(at: 0, limit: mostCached, blobLimit: mostCached) {
      case .null: nil
      case .blob(let bytes, nil): bytes.isEmpty ? nil : .some(bytes)
      default: .some(nil)
      }
    } catch {
      // It is said that it cannot be read.
      return .some(nil)
    }
  }

  private static let mostCached = 8 * 1024 * 1024

  /// The names of all entities, by their numbers.
  package var names: [(number: Int64, name: String)] {
    entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value.name) }
  }

  /// The name of an entity.
  package func name(of entity: Int64) -> String? { entities[entity]?.name }

  /// The table of an entity, as Core Data names it: after the root of its tree.
  ///
  /// A damaged store may have an entity above itself, or thousands above each other.
  func table(of entity: Int64) -> String? {
    var root = entities[entity]
    for _ in 0..<Self.deepest {
      guard let parent = root?.parent.flatMap({ entities[$0] }) else { break }
      root = parent
    }
    return root.map { "Z" + $0.name.uppercased() }
  }

  /// The entities whose rows each table has, by its name.
  var tables: [String: [Int64]] {
    Dictionary(grouping: entities.keys.sorted()) { table(of: $0) ?? "" }
  }

  /// True for the tables of a store.
  static func isStore(_ tables: some Sequence<String>) -> Bool {
    tables.contains("Z_METADATA") && tables.contains("Z_PRIMARYKEY")
  }

  /// True for a table of a store in which Core Data keeps what is no object: keys, the model, persistent history, CloudKit.
  package static func keepsHouse(_ table: String) -> Bool {
    housekeepingNames.contains(table) || housekeepingPrefixes.contains { table.hasPrefix($0) }
  }

  package static let housekeepingNames = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ACHANGE"]
  package static let housekeepingPrefixes = ["ANSCK", "ATRANSACTION"]

  /// The columns of UUIDs that the model tells, by table.
  var identifiers: [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for (number, entity) in entities {
      guard let table = table(of: number), let names = model?.identifiers[entity.name] else { continue }
      columns[table, default: []].formUnion(names.map { "Z" + $0.uppercased() })
    }
    return columns
  }

  /// True for a column that has the number of an entity: a row's own, or of what a relationship refers to, such as
  /// `Z12_AUTHOR`.
  ///
  /// `Z12BOOKS` has keys: of the owner, entity 12, whose to-many relationship has no inverse.
  package static func namesEntity(_ column: String, of table: String) -> Bool {
    if column == "Z_ENT" || table == "ACHANGE" && column == "ZENTITY" { return true }
    if table == "Z_PRIMARYKEY" && column == "Z_SUPER" { return true }
    // Every value asks: a regular expression would be slow.
    guard column.utf8.first == UInt8(ascii: "Z") else { return false }
    let rest = column.utf8.dropFirst()
    let name = rest.drop(while: \.isDigit)
    return name.count < rest.count && name.count > 1 && name.first == UInt8(ascii: "_")
  }

  /// The entity after whose number a table of a to-many relationship, or a column of it, is named: 12 in `Z_12AUTHORS`.
  static func number(inName name: String) -> Int64? {
    name.wholeMatch(of: /Z_([0-9]+).+/).flatMap { Int64($0.1) }
  }
}
