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

  /// `NSAttributeType.UUIDAttributeType`.
  private static let typeOfUUIDs: Int64 = 1100

  private static let (mostBytes, mostEntities, mostProperties) = (16 * 1024 * 1024, 2000, 2000)

  /// Reads the content of `Z_MODELCACHE`.
  ///
  /// - Returns: `nil` for bytes that hold no model.
  init?(cached bytes: [UInt8]) {
    guard let unpacked = inflated(bytes, most: Self.mostBytes),
      let archive = BinaryPropertyList(unpacked).flatMap(KeyedArchive.init),
      let root = archive.root, let entities = archive.member("NSEntities", of: root)
    else { return nil }
    for entity in archive.values(of: entities).prefix(Self.mostEntities) {
      guard let name = archive.text("NSEntityName", of: entity),
        let properties = archive.member("NSProperties", of: entity)
      else { continue }
      let all = archive.values(of: properties).prefix(Self.mostProperties)
      relationships[name] = all.compactMap { Relationship($0, in: archive) }
      identifiers[name] = all.filter { archive.integer("NSAttributeType", of: $0) == Self.typeOfUUIDs }
        .compactMap { archive.text("NSPropertyName", of: $0) }
    }
    if relationships.isEmpty { return nil }
  }
}

extension CoreDataModel.Relationship {
  fileprivate init?(_ property: Int, in archive: KeyedArchive) {
    guard archive.className(of: property) == "NSRelationshipDescription",
      archive.node("NSIsTransient", of: property).map({ if case .bool(true) = $0 { true } else { false } })
        != true,
      let name = archive.text("NSPropertyName", of: property),
      let most = archive.integer("NSMaxCount", of: property),
      let entity = archive.member("NSDestinationEntity", of: property),
      let destination = archive.text("NSEntityName", of: entity)
        ?? archive.text("_NSDestinationEntityName", of: property)
    else { return nil }
    self.init(name: name, destination: destination, isToMany: most != 1)
  }
}
