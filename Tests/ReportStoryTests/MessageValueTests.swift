import Collector
import ExhibitSQLite
import Testing

@testable import ReportInspection
@testable import ReportStory
@testable import ReportTestSupport

/// Where the values of a failure's message come from.
@Suite struct MessageValueTests {
  private func values(_ message: String) -> [String] { MessageValue.all(in: message).map(\.text) }

  @Test func bothOperandsAndTheirDifferenceAreLookedFor() {
    #expect(
      values(#"XCTAssertEqual failed: ("1250") is not equal to ("1100") - total"#) == [
        "1250", "1100", "-150",
      ])
    #expect(values("Expectation failed: (order.total → 12.5) == 10") == ["12.5", "10", "-2.5"])
    #expect(values(#"Expectation failed: (name → "Narvik \"N\"") == "Oslo""#) == [#"Narvik "N""#, "Oslo"])
    #expect(values(#"XCTAssertEqual failed: ("Optional("ab")") is not equal to ("nil")"#) == ["ab"])
    #expect(
      values(#"XCTAssertGreaterThan failed: ("101") is not greater than ("302")"#) == ["101", "302", "201"])
    #expect(values("Expectation failed: (count → 7) > 100 // few") == ["7"])
    #expect(values("something else 5") == [])
  }

  @Test func numbersAndTextsInComposedValuesAreLookedFor() {
    #expect(
      values(#"XCTAssertEqual failed: ("[Order(id: 417, name: "Ada")]") is not equal to ("[]")"#) == [
        "417", "Ada",
      ])
    #expect(values(#"XCTAssertEqual failed: ("[Delta(by: -417)]") is not equal to ("[]")"#) == ["-417"])
  }

  @Test func aDifferenceThatStandsEverywhereOrAnOperandAgainIsNotLookedFor() {
    #expect(values("Expectation failed: (place → 108) == (better + 1 → 107)") == ["108", "107"])
    #expect(values(#"XCTAssertEqual failed: ("417") is not equal to ("0")"#) == ["417", "0"])
  }

  @Test func numbersWithinUUIDsDatesAndPlacesOfListsAreNotLookedFor() {
    let printed = "[0]: Player(id: UUID(00000000-0000-0000-0000-000000000417), born: 2031-12-24, points: 815)"
    #expect(
      values("Expectation failed: (list → [\(printed)]) == (other → [])") == ["815"])
  }

  private func story(_ message: String, _ write: (inout WrittenStory) -> Void) throws -> Story {
    var written = WrittenStory()
    write(&written)
    written.issue(0)
    return try written.story(failing: [message], schemas: [.shop])
  }

  @Test func aValueIsFoundInReadsAndWrites() throws {
    let story = try story(#"XCTAssertEqual failed: ("417") is not equal to ("Narvik")"#) {
      $0.insert("orders", 417, #"[417,"new",null]"#)
      $0.step("UPDATE orders SET state = ?", changed: 1)
      $0.change(.update, "orders", 417, old: #"[417,"Narvik",null]"#, new: #"[417,"Oslo",null]"#)
      $0.step("SELECT id FROM orders", rows: 1, results: "[[417]]", columns: #"["id"]"#)
    }
    let orders = StoryTable(database: 0, name: "orders")
    #expect(
      story.valuePlaces == [
        .init(value: 0, place: .result(step: 3, row: 0, column: 0)),
        .init(value: 0, place: .change(step: 2, table: orders, key: 417, column: "id", isNew: true)),
        .init(value: 1, place: .change(step: 2, table: orders, key: 417, column: "state", isNew: false)),
        .init(value: 0, place: .change(step: 1, table: orders, key: 417, column: "id", isNew: true)),
      ])
  }

  @Test(arguments: ["1", "-99", "\"\"", "true", "\"ab\""])
  func aValueThatStandsEverywhereIsLookedForWhereTheTestWasOnly(value: String) throws {
    let message = "Expectation failed: (found → \(value)) == expected"
    let cell = value == "true" ? "1" : value
    let story = try story(message) {
      $0.step("SELECT a FROM orders", rows: 2, results: "[[\(cell)],[\(cell)]]")
      $0.insert("orders", 1, "[77777,\(cell),null]")
      $0.step("SELECT b FROM orders", rows: 2, results: "[[\(cell)],[8888]]")
    }
    let places = story.valuePlaces.filter { $0.value == 0 }.map(\.place)
    #expect(places.count == 2 && places.compactMap(\.step) == [3, 2])
  }

  /// SQLite's hooks tell a whole number where a column of REAL values has stored one as that.
  @Test func aRealIsToldAsReadsReturnIt() throws {
    let columns = [DatabaseSchema.Column("id", keyPlace: 1), DatabaseSchema.Column("price", type: "REAL")]
    let orders = CapturedSchema.Table("orders", kind: .ordinary, hasRowid: true, columns: columns)
    var written = WrittenStory()
    written.insert("orders", 1, "[1,417]")
    written.issue(0)
    let story = try written.story(
      failing: [#"XCTAssertEqual failed: ("417.0") is not equal to ("3.0")"#],
      schemas: [CapturedSchema(DatabaseSchema([orders]), source: "/tmp/shop.sqlite")])
    #expect(story[step: 1]?.changes.first?.changes.first?.new == [.integer(1), .real(417)])
    #expect(story.valuePlaces.map(\.place.step) == [1])
  }

  @Test func sumsOfColumnsAreLookedAt() throws {
    let story = try story(#"XCTAssertEqual failed: ("300") is not equal to ("1")"#) {
      $0.step("SELECT total FROM orders", rows: 2, results: "[[100],[200]]")
      $0.step("SELECT total FROM orders", rows: 900, results: "[[100],[200]]")
      $0.step("SELECT 1", rows: 1, results: "[[0]]")
    }
    #expect(story.valuePlaces == [.init(value: 0, place: .resultSum(step: 1, column: 0))])
  }

  @Test func sumsOfCapturedTablesAreLookedAt() throws {
    var written = WrittenStory()
    written.step("SELECT 1")
    written.issue(0)
    let table = DatabaseInspection.Table(
      name: "orders", columns: ["total"], rowCount: 2, rows: [[.integer(100)], [.real(250)]])
    let inspection = DatabaseInspection(
      pageSize: 0, encoding: "", userVersion: 0, check: "ok", tables: [table], otherSchema: [], problems: [])
    var schema = CapturedSchema.shop
    schema.evidence = "evidence/shop.sqlite"
    let story = try written.story(
      failing: [#"XCTAssertEqual failed: ("350") is not equal to ("1")"#], schemas: [schema],
      inspections: ["evidence/shop.sqlite": inspection])
    #expect(
      story.valuePlaces.map(\.place)
        == [.tableSum(table: StoryTable(database: 0, name: "orders"), column: "total")])
  }

  @Test func aValueIsMarkedFiveTimesAtMost() throws {
    let story = try story(#"XCTAssertEqual failed: ("417") is not equal to ("Narvik")"#) {
      for key in 1...20 { $0.insert("orders", key, #"[\#(key),"417",null]"#) }
    }
    #expect(story.valuePlaces.count == 5 && story.valuePlaces.first?.place.step == 20)
  }

  @Test func aDifferenceHasNoSignAndANumberMayBeText() throws {
    let story = try story(#"XCTAssertEqual failed: ("1250") is not equal to ("1100")"#) {
      $0.insert("orders", 1, #"[1,150,"1250"]"#)
    }
    #expect(story.messageValues.map(\.text) == ["1250", "-150"])
    #expect(story.messageValues.last?.role == .difference)
    #expect(story.valuePlaces.map(\.value) == [1, 0])
  }

  @Test func aSmallNumberThatSeveralRowsHaveNamesNoneOfThem() throws {
    let story = try story("Expectation failed: (after → 20) == (before → 22)") {
      $0.step("INSERT INTO orders SELECT * FROM old", changed: 3)
      for key in 18...20 { $0.change(.insert, "orders", key, new: #"[\#(key),2,null]"#) }
      $0.step("SELECT count(*) FROM orders", rows: 1, results: "[[20]]")
    }
    #expect(story.messageValues.map(\.text) == ["20"])
    #expect(story.valuePlaces.map(\.place.step) == [2])
  }

  @Test(arguments: [("SELECT count(*) FROM orders", 1), ("SELECT state FROM orders", 2)])
  func aNumberOfRowsIsLookedForInNoOtherColumn(sql: String, places: Int) throws {
    let story = try story(#"XCTAssertEqual failed: ("274") is not equal to ("640")"#) {
      $0.insert("orders", 1, "[1,274,null]")
      $0.step(sql, rows: 1, results: "[[274]]", columns: #"["n"]"#)
    }
    #expect(story.valuePlaces.count == places && story.valuePlaces.first?.place.step == 2)
  }

  @Test(arguments: [("id", [2, 1]), ("total", [2])])
  func aNumberThatWasNotReadAsAKeyIsNotFoundInKeys(column: String, steps: [Int]) throws {
    let story = try story(#"XCTAssertEqual failed: ("417") is not equal to ("640")"#) {
      $0.insert("orders", 417, "[417,null,null]")
      $0.step("SELECT a FROM orders", rows: 1, results: "[[417]]", columns: "[\"\(column)\"]")
    }
    #expect(story.valuePlaces.compactMap(\.place.step) == steps)
  }

  @Test func whatAPragmaReturnedIsLookedAt() throws {
    let story = try story(#"XCTAssertEqual failed: ("417") is not equal to ("640")"#) {
      $0.step("SELECT a FROM orders", rows: 1, results: "[[1]]", columns: #"["a"]"#)
      $0.step("PRAGMA user_version", rows: 1, results: "[[417]]", columns: #"["user_version"]"#)
    }
    #expect(story.valuePlaces.compactMap(\.place.step) == [2])
    #expect(story.highlights.map(\.last) == [2] && story.ending.last?.step == 2)
  }
}
