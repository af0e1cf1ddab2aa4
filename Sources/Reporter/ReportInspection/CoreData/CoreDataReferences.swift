extension CoreDataStore {
  /// A column that has the keys of rows of another table, though no foreign key says so.
  package struct Reference: Hashable, Sendable {
    package var table: String
    package var column: String
    /// The other table, whose `Z_PK` it is.
    package var parent: String
    /// The entities that have the relationship, by `Z_ENT`; empty where all rows do.
    var entities: [Int64] = []
  }

  /// The columns of to-one relationships, which the model tells, and those of the tables of to-many ones.
  package func references(in schema: DatabaseSchema) -> [Reference] {
    (toOne(schema) + joins(schema)).filter { schema.tables[$0.parent] != nil }
      .sorted { ($0.table, $0.column, $0.parent) < ($1.table, $1.column, $1.parent) }
  }

  private func toOne(_ schema: DatabaseSchema) -> [Reference] {
    let numbers = Dictionary(entities.map { ($0.value.name, $0.key) }) { first, _ in first }
    var found: [Reference: Set<Int64>] = [:]
    for (name, relationships) in model?.relationships ?? [:] {
      guard let entity = numbers[name], let table = table(of: entity) else { continue }
      for relationship in relationships where !relationship.isToMany {
        guard let parent = numbers[relationship.destination].flatMap(self.table(of:)) else { continue }
        let column = "Z" + relationship.name.uppercased()
        found[Reference(table: table, column: column, parent: parent), default: []].insert(entity)
      }
    }
    return found.map { reference, entities in
      var reference = reference
      reference.entities = entities.sorted()
      return reference
    }
    .filter { $0.isNamedAlone(in: schema) }
  }

  private func joins(_ schema: DatabaseSchema) -> [Reference] {
    schema.tables.values.filter { Self.number(inName: $0.name) != nil }.flatMap { table in
      table.columns.compactMap { column in
        // The other column of a relationship to its own entity is called REFLEXIVE; stores of Photos lack rows of it.
        Self.number(inName: column.name).flatMap(self.table(of:)).map {
          Reference(table: table.name, column: column.name, parent: $0)
        }
      }
    }
  }
}

extension CoreDataStore.Reference {
  /// True when the table has no column of that name with a number behind it: nobody says which of them is whose.
  fileprivate func isNamedAlone(in schema: DatabaseSchema) -> Bool {
    let alike = schema.tables[table]?.columns.map(\.name).filter { name in
      name.hasPrefix(column) && name.dropFirst(column.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
    return alike == [column]
  }
}
