import Collector
import ExhibitSQLite
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportStory
@testable import ReportTestSupport

/// Which rows a recorded story says that the test wrote.
@Suite struct StoryWritesTests {
  private func writes(
    uncommitted: Bool = false, _ write: (inout WrittenStory) -> Void
  ) throws -> WrittenRows {
    var story = WrittenStory()
    write(&story)
    var schema = CapturedSchema.shop
    schema.isUncommitted = uncommitted
    let recorded = try #require(StoryFile(story.bytes).story)
    let builder = StoryBuilder(
      recorded, issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)],
      schemas: [schema], inspections: [:], path: { $0 })
    return builder.writtenRows(in: try #require(builder.database(of: schema)), schema)
  }

  @Test func rowsAreToldByKeyWithTheStepThatWroteThemLast() throws {
    let written = try writes { story in
      story.insert("orders", 1, #"[1,"open",null]"#)
      story.step("UPDATE orders SET state = 'paid'", changed: 1)
      story.change(.update, "orders", 1, old: #"[1,"open",null]"#, new: #"[1,"paid",null]"#)
      story.change(.update, "orders", 2, old: #"[2,"open",null]"#, new: #"[2,"paid",null]"#)
      story.step("INSERT INTO stock VALUES ('pen', 3)", changed: 1)
      story.change(.insert, "stock", nil, new: #"["pen",3]"#)
      story.issue(0)
      story.insert("orders", 9, #"[9,"open",null]"#)
    }
    #expect(
      written.rows["orders"] == [
        .rowid(1): .init(step: 2, columns: nil, insertedAt: 1),
        .rowid(2): .init(step: 2, columns: ["state"]),
      ])
    #expect(written.rows["stock"] == [.values([.text("pen")]): .init(step: 3, columns: nil, insertedAt: 3)])
    #expect(written.lastStep == 3 && !written.isPartial)
  }

  @Test func whatWasDeletedIsNoRowAnyMore() throws {
    let written = try writes { story in
      story.insert("orders", 1, #"[1,"open",null]"#)
      story.step("DELETE FROM orders", changed: 1)
      story.change(.delete, "orders", 1, old: #"[1,"open",null]"#)
      story.issue(0)
    }
    #expect(written.rows["orders"] == [:] && written.deleted == ["orders": 2] && written.lastStep == 2)
  }

  @Test(arguments: [true, false])
  func anOpenTransactionIsInTheUncommittedFileAlone(uncommitted: Bool) throws {
    let written = try writes(uncommitted: uncommitted) { story in
      story.step("BEGIN")
      story.insert("orders", 1, #"[1,"open",null]"#)
      story.issue(0)
    }
    #expect(written.rows["orders"]?.isEmpty != uncommitted)
  }

  @Test func whatCameBeforeTheBaselineOrWasRolledBackIsNotTold() throws {
    let written = try writes { story in
      story.insert("orders", 1, #"[1,"open",null]"#)
      story.baseline()
      story.step("BEGIN")
      story.insert("orders", 2, #"[2,"open",null]"#)
      story.step("ROLLBACK")
      story.issue(0)
    }
    #expect(written.isEmpty && written.lastStep == nil)
  }

  @Test func rowsKeepTheirKeysWhereTheirTableIsAltered() throws {
    let written = try writes { story in
      story.insert("new_orders", 1, #"[1,"open",null]"#)
      story.step("DROP TABLE orders")
      story.step("ALTER TABLE new_orders RENAME TO orders")
      story.step("UPDATE orders SET state = 'paid'", changed: 1)
      story.change(.update, "orders", 2, old: #"[2,"open",null]"#, new: #"[2,"paid",null]"#)
      story.step("ALTER TABLE orders RENAME COLUMN state TO status")
      story.issue(0)
    }
    #expect(
      written.rows == [
        "orders": [
          .rowid(1): .init(step: 1, columns: nil, insertedAt: 1), .rowid(2): .init(step: 4, columns: nil),
        ]
      ])
    #expect(!written.isPartial)
  }

  @Test func whatMakesRowsUnknownIsSaid() throws {
    func isPartial(_ write: (inout WrittenStory) -> Void) throws -> Bool {
      try writes { story in
        story.insert("orders", 1, #"[1,"open",null]"#)
        write(&story)
        story.issue(0)
      }.isPartial
    }
    #expect(try isPartial { $0.step("VACUUM") })
    #expect(try isPartial { $0.step("INSERT INTO orders SELECT 1", more: ",\"unkept\":3") })
    #expect(try !isPartial { $0.step("ALTER TABLE orders ADD COLUMN a") })
    #expect(try !isPartial { _ in })
  }
}
