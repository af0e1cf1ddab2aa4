import Foundation
import TestSupport

/// A store in the layout of Core Data, with the model that it keeps.
package enum SampleStore {
  /// Authors with books, some of which are novels; books and shelves refer to each other many to many.
  private static let schema = """
    CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZBORN TIMESTAMP, ZID BLOB);
    CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZPAGES INTEGER, ZTITLE VARCHAR);
    CREATE TABLE ZSHELF (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2SHELVES (Z_2BOOKS INTEGER, Z_4SHELVES INTEGER, Z_FOK_4SHELVES INTEGER, PRIMARY KEY (Z_2BOOKS, Z_4SHELVES));
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 2), (2, 'Book', 0, 3), (3, 'Novel', 2, 0), (4, 'Shelf', 0, 1);
    INSERT INTO ZAUTHOR VALUES (1, 1, 1, 'Ada', 757413000.0, x'0102030405060708090a0b0c0d0e0f10'), (2, 1, 1, 'Ben', NULL, NULL);
    INSERT INTO ZBOOK VALUES (1, 2, 1, 1, 210, 'One'), (2, 3, 1, 2, 99, 'Two'), (3, 2, 1, NULL, 7, 'Three');
    INSERT INTO ZSHELF VALUES (1, 4, 1, 'A');
    INSERT INTO Z_2SHELVES VALUES (1, 1, 512), (2, 1, 1024);
    """

  /// A model of these entities, as Core Data keeps it in a store.
  package static func model(relationships: Bool = true) throws -> String {
    let python = """
      import plistlib, zlib
      objects = ["$null"]
      def add(object):
          objects.append(object)
          return plistlib.UID(len(objects) - 1)
      classes = {}
      def of(name):
          if name not in classes: classes[name] = add({"$classname": name, "$classes": [name, "NSObject"]})
          return classes[name]
      entities = {name: {} for name in ("Author", "Book", "Novel", "Shelf")}
      places = {name: add(entity) for name, entity in entities.items()}
      def relationship(name, destination, most):
          kind = "NSRelationshipDescription" if \(relationships ? "True" : "False") else "NSFetchedPropertyDescription"
          return add({"$class": of(kind), "NSPropertyName": add(name), "NSMaxCount": most,
                      "NSDestinationEntity": places[destination]})
      def attribute(name, kind):
          return add({"$class": of("NSAttributeDescription"), "NSPropertyName": add(name), "NSAttributeType": kind})
      def properties(**all):
          return add({"$class": of("NSMutableDictionary"), "NS.keys": [add(name) for name in all],
                      "NS.objects": list(all.values())})
      book = dict(author=relationship("author", "Author", 1), shelves=relationship("shelves", "Shelf", 0),
                  title=attribute("title", 700))
      kept = {"Author": properties(books=relationship("books", "Book", 0), id=attribute("id", 1100)),
              "Book": properties(**book), "Novel": properties(**book),
              "Shelf": properties(books=relationship("books", "Book", 0))}
      for name, entity in entities.items():
          entity.update({"$class": of("NSEntityDescription"), "NSEntityName": add(name), "NSProperties": kept[name]})
      values = add({"$class": of("NSArray"), "NS.objects": list(places.values())})
      root = add({"$class": of("NSManagedObjectModel"),
                  "NSEntities": add({"$class": of("NSKnownKeysDictionary1"), "values": values})})
      data = plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root},
                             "$objects": objects}, fmt=plistlib.FMT_BINARY)
      packed = zlib.compressobj(wbits=-15)
      print((packed.compress(data) + packed.flush()).hex())
      """
    return try Command([ThisPackage.python, "-c", python]).run().output.trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// Makes the store.
  package static func sql() throws -> String {
    schema + "INSERT INTO Z_MODELCACHE VALUES (x'\(try model())');"
  }
}
