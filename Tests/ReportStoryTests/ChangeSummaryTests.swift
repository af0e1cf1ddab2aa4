import ExhibitSQLite
import ReportInspection
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// What a test changed in all, in one sentence and by table.
@Suite struct ChangeSummaryTests {
  private func summary(_ write: (inout WrittenStory) -> Void) throws -> ChangeSummary {
    var written = WrittenStory()
    written.step("x")
    write(&written)
    written.issue(0)
    return try written.story(schemas: [.shop]).changes
  }

  @Test func theFewStandBeforeTheMany() throws {
    let changes = try summary { story in
      for key in 1...903 {
        story.change(
          .update, "orders", key, old: #"[\#(key),"new","2026-01-01"]"#, new: #"[\#(key),"new","2026-01-02"]"#
        )
      }
      story.change(.insert, "orders", 1000, new: #"[1000,"new","2026-01-02"]"#)
      for key in 1...3 { story.change(.insert, "orderLine", key, new: #"[\#(key),"tea"]"#) }
    }
    #expect(changes.sentence == "+1 orders, +3 orderLine, 903 rows of orders changed in placed_at only")
    let orders = try #require(changes.tables.first)
    #expect(
      orders.groups.map(\.change) == [.init(.insert), .init(.update, columns: [2])]
        && orders.groups.map(\.count) == [1, 903])
    #expect(orders.added == 1 && orders.changed == 903 && orders.removed == 0)
    #expect(orders.columnNotes == ["placed_at: '2026-01-01' → '2026-01-02', 903 rows"])
  }

  @Test func whatIsInsertedAndDeletedCancels() throws {
    let changes = try summary { story in
      story.change(.insert, "orders", 1, new: #"[1,"new",null]"#)
      story.change(.update, "orders", 1, old: #"[1,"new",null]"#, new: #"[1,"paid",null]"#)
      story.change(.delete, "orders", 1, old: #"[1,"paid",null]"#)
    }
    #expect(changes == ChangeSummary())
  }

  @Test func theChangesOfOneRowAreOneFromFirstToLast() throws {
    let changes = try summary { story in
      story.change(.update, "orders", 1, old: #"[1,"new",null]"#, new: #"[1,"paid",null]"#)
      story.change(.update, "orders", 1, old: #"[1,"paid",null]"#, new: #"[1,"sent",null]"#)
      story.change(.update, "orders", 2, old: #"[2,"new",null]"#, new: #"[2,"paid",null]"#)
      story.change(.update, "orders", 2, old: #"[2,"paid",null]"#, new: #"[2,"new",null]"#)
    }
    #expect(changes.sentence == "1 row of orders changed in state only")
    #expect(changes.tables.first?.columnNotes == ["state: 'new' → 'sent'"])
    #expect(changes.tables.first?.groups.first?.rows.first?.key == 1)
  }

  @Test func aRowThatIsReplacedIsChanged() throws {
    let changes = try summary { story in
      story.change(.delete, "orders", 1, old: #"[1,"new",null]"#)
      story.change(.insert, "orders", 1, new: #"[1,"paid",null]"#)
    }
    #expect(changes.sentence == "1 row of orders changed in state only")
  }

  @Test func aChangedKeyIsFollowed() throws {
    let changes = try summary { story in
      story.change(.update, "orders", 1, old: "[1,null,null]", new: "[5,null,null]", more: ",\"newKey\":5")
      story.change(.update, "orders", 5, old: "[5,null,null]", new: #"[5,"paid",null]"#)
    }
    #expect(changes.sentence == "1 row of orders changed in id and state")
  }

  @Test func rowsWithoutRowidAreKnownByTheirPrimaryKey() throws {
    let changes = try summary { story in
      story.change(.update, "stock", nil, old: #"["tea",5]"#, new: #"["tea",4]"#)
      story.change(.update, "stock", nil, old: #"["tea",4]"#, new: #"["tea",3]"#)
      story.change(.insert, "stock", nil, new: #"["milk",1]"#)
      story.change(.delete, "stock", nil, old: #"["milk",1]"#)
    }
    #expect(changes.sentence == "1 row of stock changed in count only")
    #expect(changes.tables.first?.columnNotes == ["count: 5 → 3"])
  }

  @Test func rowsWithoutAnyKnownKeyAreKnownByTheirValues() throws {
    let changes = try summary { story in
      story.change(.update, "unknown", nil, old: #"["tea",5]"#, new: #"["tea",4]"#)
      story.change(.update, "unknown", nil, old: #"["tea",4]"#, new: #"["tea",5]"#)
    }
    #expect(changes.sentence == "")
  }

  @Test func aBlobThatWasWrittenInPlaceIsChanged() throws {
    let changes = try summary { story in
      story.change(.delete, "orders", 1, old: #"[1,"a",{"blob":"00","size":1}]"#, more: ",\"blob\":2")
    }
    #expect(changes.sentence == "1 row of orders changed in placed_at only")
  }

  @Test func columnsAreSummedUpInWords() throws {
    let changes = try summary { story in
      for key in 1...65 {
        let day = key % 28 + 1
        story.change(
          .update, "orders", key, old: #"[\#(key),10,null]"#,
          new: #"[\#(key),\#(key <= 5 ? "\"20\"" : "20"),"2026-02-\#(day < 10 ? "0" : "")\#(day)"]"#)
      }
      for key in 1...4 {
        story.change(.update, "orderLine", key, old: "[\(key),\(key)]", new: "[\(key),\(key * 3)]")
      }
      for key in 1...2 {
        story.change(.update, "stock", nil, old: #"["a\#(key)",\#(key)]"#, new: #"["a\#(key)",\#(key - 2)]"#)
      }
    }
    #expect(
      changes.tables.map(\.columnNotes) == [
        ["state: 65 rows", "state: 5 texts among integers", "placed_at: NULL → date, 65 rows"],
        ["article: +20 in all, 4 rows"], ["count: −2 each, 2 rows"],
      ])
  }

  @Test func tablesThatCameAndWentAreNamed() throws {
    let changes = try summary { story in
      story.step("CREATE TABLE IF NOT EXISTS kept(a)")
      story.step("CREATE TABLE \\\"gone\\\"(a)")
      story.insert("gone", 1, "[1]")
      story.step("DROP TABLE gone")
      story.step("DROP TABLE IF EXISTS main.orders")
    }
    #expect(changes.sentence == "orders dropped, kept created")
  }

  @Test func changesWithoutRoomAreCounted() throws {
    let changes = try summary { story in
      story.step("UPDATE orders SET state = 1", changed: 5000, more: ",\"unkept\":4999")
      story.change(.update, "orders", 1, old: "[1,null,null]", new: "[1,1,null]")
    }
    #expect(changes.sentence == "1 row of orders changed in state only, 4,999 more changes of orders")
  }
}
