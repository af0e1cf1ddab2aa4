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
  /// What the model of the store is known by: a hash of each entity, in hexadecimal.
  package private(set) var versionHashes: [String: String] = [:]

  private static let mostEntities = 2000

  /// Reads the entities of a store.
  ///
  /// - Returns: `nil` for any other database, and for one whose entities cannot be read.
  init?(_ connection: InspectionConnection, _ schema: DatabaseSchema, _ limits: InspectionLimits) {
    guard Self.isStore(schema.tables.keys) else { return nil }
    connection.allow(steps: limits.tableSteps)
    var entities: [Int64: Entity] = [:]
    do {
      let statement = try connection.prepare(
        "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY LIMIT \(Self.mostEntities)")
      while try statement.step() {
        guard case .integer(let number) = statement.cell(at: 0),
          case .text(let name, _) = statement.cell(at: 1)
        else { continue }
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
    model = Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", connection).flatMap(
      CoreDataModel.init(cached:))
    if let metadata = Self.blob("SELECT Z_PLIST FROM Z_METADATA LIMIT 1", connection) {
      versionHashes = Self.versionHashes(metadata)
    }
  }

  /// - Returns: `nil` also where it cannot be read: older stores have no such table.
  private static func blob(_ query: String, _ connection: InspectionConnection) -> [UInt8]? {
    guard let statement = try? connection.prepare(query), (try? statement.step()) == true,
      case .blob(let bytes, nil) = statement.cell(at: 0, limit: mostMetadata, blobLimit: mostMetadata)
    else { return nil }
    return bytes
  }

  private static let mostMetadata = 8 * 1024 * 1024

  private static func versionHashes(_ metadata: [UInt8]) -> [String: String] {
    guard let list = BinaryPropertyList(metadata), case .dictionary(let members)? = list.node(list.top),
      let place = members.first(where: { list.text($0.key) == "NSStoreModelVersionHashes" })?.value,
      case .dictionary(let hashes)? = list.node(place)
    else { return [:] }
    var found: [String: String] = [:]
    for (key, value) in hashes.prefix(mostEntities) {
      guard let name = list.text(key), case .data(let bytes)? = list.node(value) else { continue }
      found[name] = bytes.map { padded(String($0, radix: 16), to: 2, with: "0") }.joined()
    }
    return found
  }

  /// The names of all entities, by their numbers.
  package var names: [(number: Int64, name: String)] {
    entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value.name) }
  }

  /// The name of an entity.
  package func name(of entity: Int64) -> String? { entities[entity]?.name }

  /// The numbers of an entity and of those above it, its root last.
  ///
  /// A damaged store may have an entity above itself.
  func line(of entity: Int64) -> [Int64] {
    var line = [entity]
    while let parent = line.last.flatMap({ entities[$0]?.parent }), !line.contains(parent),
      entities[parent] != nil
    {
      line.append(parent)
    }
    return line
  }

  /// The table of an entity, as Core Data names it.
  func table(of entity: Int64) -> String? {
    line(of: entity).last.flatMap { entities[$0] }.map { "Z" + $0.name.uppercased() }
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
    column == "Z_ENT" || table == "ACHANGE" && column == "ZENTITY"
      || table == "Z_PRIMARYKEY" && column == "Z_SUPER"
      || column.wholeMatch(of: /Z[0-9]+_.+/) != nil
  }

  /// The entity after whose number a table of a to-many relationship, or a column of it, is named: 12 in `Z_12AUTHORS`.
  static func number(inName name: String) -> Int64? {
    name.wholeMatch(of: /Z_([0-9]+).+/).flatMap { Int64($0.1) }
  }
}
