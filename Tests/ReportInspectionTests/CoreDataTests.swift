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

  private func store(_ changes: String = "") throws -> String {
    try folder.database("Store.sqlite", SampleStore.sql() + changes)
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

  /// What was not read is not unknown.
  @Test(arguments: ["('seven', 'Seven', 0, 0)", "(7, x'00', 0, 0)", "(7, NULL, 0, 0)"])
  func entitiesThatAreNotReadAreNoFinding(row: String) throws {
    let path = try store(
      """
      DROP TABLE Z_PRIMARYKEY; CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 2), (2, 'Book', 0, 3), (3, 'Novel', 2, 0), (4, 'Shelf', 0, 1), \(row);
      UPDATE ZBOOK SET Z_ENT = 7 WHERE Z_PK = 1;
      """)
    #expect(!findings(path).contains { $0.kind == .unknownEntity })
  }

  @Test func moreEntitiesThanAreReadAreNoFinding() throws {
    let more = (5..<2600).map { "(\($0), 'E\($0)', 0, 0)" }.joined(separator: ", ")
    let path = try store(
      "INSERT INTO Z_PRIMARYKEY VALUES \(more); UPDATE ZBOOK SET Z_ENT = 2500 WHERE Z_PK = 1")
    #expect(findings(path) == [])
  }

  @Test func aModelWithoutRelationshipsIsOne() throws {
    let path = try store("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(SampleStore.model(relationships: false))'")
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(inspection.coreData?.model?.identifiers["Author"] == ["id"])
    #expect(examineDatabase(at: path, inspection, rows: true).unexamined == [])
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

  /// Each is read once, whatever refers to it how often; what takes longer is no model, which is said.
  @Test func hostileModelsTakeNoTime() throws {
    let python = """
      import plistlib, zlib
      from plistlib import UID
      members = dict(("key%d" % number, UID(0)) for number in range(20000))
      objects = ["$null", {"$class": UID(2), "NSEntities": UID(3)}, {"$classname": "NSManagedObjectModel"},
                 {"values": UID(4)}, {"NS.objects": [UID(5)] * 2000}, {"NSEntityName": UID(6), "NSProperties": UID(7)}, "E",
                 {"NS.objects": [UID(number) for number in range(8, 108)] * 20}]
      objects += [dict(members, NSPropertyName=UID(6)) for number in range(100)]
      data = plistlib.dumps({"$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": objects},
                            fmt=plistlib.FMT_BINARY)
      packed = zlib.compressobj(wbits=-15)
      print((packed.compress(data) + packed.flush()).hex())
      """
    let model = try Command([ThisPackage.python, "-c", python]).run().output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    let chain = (5..<2000).map { "(\($0), 'E\($0)', \($0 + 1), 0)" }.joined(separator: ", ")
    let time = try ProcessorTime.of {
      let path = try store(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(model)'; INSERT INTO Z_PRIMARYKEY VALUES \(chain);")
      let inspection = inspectDatabase(at: path, rows: true)
      #expect(inspection.coreData?.model == nil)
      #expect(
        examineDatabase(at: path, inspection, rows: true).unexamined.contains {
          $0.contains("cannot be read")
        })
    }
    #expect(time < .seconds(20))
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
