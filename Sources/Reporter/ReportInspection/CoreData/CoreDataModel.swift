import ExhibitSystem

/// The managed object model that a store keeps of the app that wrote it last: `Z_MODELCACHE`.
///
/// It is a keyed archive of `NSManagedObjectModel`, deflated without a header. The layout is undocumented; it was seen in
/// stores of iOS and macOS. What is not there, or otherwise, is left out.
struct CoreDataModel: Sendable, Equatable {
  struct Relationship: Sendable, Equatable {
    var name: String
    /// The name of an entity.
    var destination: String
    var isToMany: Bool
  }

  /// The relationships of each entity, by its name; those that it inherits are among them.
  private(set) var relationships: [String: [Relationship]] = [:]
  /// The attributes of each entity that are UUIDs.
  private(set) var identifiers: [String: [String]] = [:]

  private static let (mostBytes, work) = (16 * 1024 * 1024, 10_000_000)

  /// Reads the content of `Z_MODELCACHE`.
  ///
  /// - Returns: `nil` for bytes that hold no model.
  init?(cached bytes: [UInt8]) {
    guard let unpacked = inflated(bytes, most: Self.mostBytes),
      let archive = BinaryPropertyList(unpacked, work: Self.work).flatMap(KeyedArchive.init),
      let root = archive.root, let entities = archive.member("NSEntities", of: root)
    else { return nil }
    // Each object once: a hostile one may be referred to as often as there is room.
    var properties: [Int: Property] = [:]
    var hasEntities = false
    for entity in Set(archive.values(of: entities)) {
      guard let name = archive.text("NSEntityName", of: entity),
        let all = archive.member("NSProperties", of: entity)
      else { continue }
      hasEntities = true
      for object in Set(archive.values(of: all)) {
        let property = properties[object] ?? Property(object, in: archive)
        properties[object] = property
        switch property {
        case .relationship(let relationship): relationships[name, default: []].append(relationship)
        case .identifier(let attribute): identifiers[name, default: []].append(attribute)
        case .other: break
        }
      }
      relationships[name]?.sort { $0.name < $1.name }
    }
    // A part would be a model of which nobody says what it lacks.
    guard hasEntities, archive.list.hasWork else { return nil }
  }
}

private enum Property {
  case relationship(CoreDataModel.Relationship)
  /// An attribute that is a UUID.
  case identifier(String)
  case other

  /// `NSAttributeType.UUIDAttributeType`.
  private static let typeOfUUIDs: Int128 = 1100

  init(_ property: Int, in archive: KeyedArchive) {
    self = .other
    guard let name = archive.text("NSPropertyName", of: property) else { return }
    if archive.integer("NSAttributeType", of: property) == Self.typeOfUUIDs {
      self = .identifier(name)
    } else if archive.className(of: property) == "NSRelationshipDescription",
      !archive.isTrue("NSIsTransient", of: property),
      let most = archive.integer("NSMaxCount", of: property),
      let entity = archive.member("NSDestinationEntity", of: property),
      let destination = archive.text("NSEntityName", of: entity)
        ?? archive.text("_NSDestinationEntityName", of: property)
    {
      self = .relationship(.init(name: name, destination: destination, isToMany: most != 1))
    }
  }
}

extension KeyedArchive {
  fileprivate func isTrue(_ name: String, of object: Int) -> Bool {
    if case .bool(true)? = node(name, of: object) { true } else { false }
  }
}
