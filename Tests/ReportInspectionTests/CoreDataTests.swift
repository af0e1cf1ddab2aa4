import ExhibitSQLite
import ExhibitSystem
import Foundation
import ReportTestSupport
import TestSupport
import Testing

@testable import ReportInspection

/// Stores of Core Data, made in the layout that was seen in those of iOS and macOS.
@Suite struct CoreDataTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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
  static func model() throws -> String {
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
          return add({"$class": of("NSRelationshipDescription"), "NSPropertyName": add(name), "NSMaxCount": most,
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

  private func store(_ changes: String = "") throws -> String {
    try folder.database(
      "Store.sqlite", Self.schema + "INSERT INTO Z_MODELCACHE VALUES (x'\(Self.model())');" + changes)
  }

  private func findings(_ path: String) -> [Finding] {
    examineDatabase(at: path, inspectDatabase(at: path, rows: true), rows: true).findings
  }

  @Test func aSoundStoreHasNoFinding() throws {
    let path = try store()
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(inspection.coreData?.model?.relationships["Novel"]?.count == 2)
    #expect(findings(path) == [])
    #expect(examineDatabase(at: path, inspection, rows: true).unexamined == [])
  }

  @Test(arguments: [
    (
      "UPDATE ZBOOK SET ZAUTHOR = 9 WHERE Z_PK = 2", Finding.Kind.brokenForeignKey,
      "ZBOOK.ZAUTHOR refers to no row of ZAUTHOR in row 2 (9)."
    ),
    (
      "DELETE FROM ZSHELF", .brokenForeignKey,
      "Z_2SHELVES.Z_4SHELVES refers to no row of ZSHELF in row 1 (1) and 1 more row."
    ),
    (
      "UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK = 1", .unknownEntity,
      "ZBOOK.Z_ENT is the number of no entity in row 1 (77)."
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'", .spentKey,
      "Z_PRIMARYKEY counts keys of Book from 1, and ZBOOK has greater ones in row 3 and 1 more row."
    ),
  ])
  func whatCoreDataPromisesIsLookedAt(change: String, kind: Finding.Kind, sentence: String) throws {
    let found = try findings(store(change))
    #expect(found.map(\.sentence) == [sentence])
    #expect(found.map(\.kind) == [kind])
    #expect(found.allSatisfy { !$0.isFolded })
  }

  /// Nobody says which of the columns is whose.
  @Test func columnsOfOneNameAreLeftOut() throws {
    #expect(try findings(store("ALTER TABLE ZBOOK ADD ZAUTHOR1 INTEGER; UPDATE ZBOOK SET ZAUTHOR = 9")) == [])
  }

  @Test(arguments: ["x''", "x'00'", "NULL", "'text'", "zeroblob(5000)", "x'9d5709'"])
  func aModelThatCannotBeReadIsNone(content: String) throws {
    let path = try store("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)")
    #expect(inspectDatabase(at: path, rows: true).coreData?.model == nil)
    #expect(findings(path) == [])
  }

  @Test func entitiesThatStandAboveThemselvesEndNothing() throws {
    let path = try store(
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_ENT = 2; INSERT INTO ZBOOK VALUES (9, 9, 1, 9, 9, 'x')")
    #expect(findings(path).contains { $0.kind == .unknownEntity })
  }

  @Test func valuesAreExplained() throws {
    let inspection = try inspectDatabase(at: store(), rows: true)
    let reading = ValueReading(inspection)
    func note(_ cell: DatabaseValue, _ column: String, _ table: String) -> String? {
      reading.note(on: cell, column: column, of: table)
    }
    #expect(note(.real(757_413_000), "ZBORN", "ZAUTHOR") == "2025-01-01 08:30:00 UTC")
    #expect(note(.integer(3), "Z_ENT", "ZBOOK") == "Novel")
    #expect(note(.integer(4), "Z12_PLACE", "ZBOOK") == "Shelf", "what a relationship refers to")
    #expect(note(.integer(1), "Z_2BOOKS", "Z_2SHELVES") == nil, "the key of a row")
    #expect(note(.integer(2), "ZENTITY", "ACHANGE") == "Book")
    #expect(note(.integer(0), "ZCHANGETYPE", "ACHANGE") == "inserted")
    #expect(note(.integer(-1), "ZCHANGETYPE", "ACHANGE") == nil)
    let id = DatabaseValue.blob(Array(1...16))
    #expect(note(id, "ZID", "ZAUTHOR") == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(note(id, "ZOTHER", "ZAUTHOR") == nil, "the model does not say that it is a UUID")
  }
}
