import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// What may have caused a failure, by each mechanism, and what is too near to nothing to be said.
@Suite struct CausesTests {
  private static let stock = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE movement (id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item, delta INTEGER);
    CREATE TABLE stock (id INTEGER PRIMARY KEY, units INTEGER);
    """

  // MARK: - Triggers that did not run

  /// Inserts of movements, of which those in `without` change no stock.
  private func movements(_ count: Int, without: Set<Int>, _ message: String, missing: Int = 0) throws
    -> [Explanation]
  {
    try why(message, Self.stock) { story in
      if missing > 0 {
        story = WrittenStory(missing: missing)
      }
      for number in 1...count {
        story.step("INSERT INTO movement(item_id, delta) VALUES (?, ?)", changed: 1, triggers: ["count"])
        story.change(.insert, "movement", number, new: "[\(number),3,\(number + 100)]")
        if !without.contains(number) {
          story.change(.update, "stock", 1, old: "[1,\(number)]", new: "[1,\(number + 1)]", depth: 1)
        }
      }
      story.read("SELECT sum(units) FROM stock", 5000)
    }
  }

  /// Two connections of one shared cache, or rows that a connection did not hear of.
  @Test(arguments: [true, false]) func whatAConnectionDidNotHearIsNoRowThatWasNotThere(isShared: Bool) throws
  {
    let found = try why(unequal(5000, 5003), Self.stock) { story in
      story.database(2, "/tmp/other.sqlite")
      for number in 1...40 {
        let isLast = number == 40
        story.step(
          "INSERT INTO movement(item_id, delta) VALUES (?, ?)", on: isLast && isShared ? 2 : 1, changed: 1)
        if !isLast || isShared { story.change(.insert, "movement", number, new: "[\(number),3,3]") }
      }
      story.read("SELECT sum(delta) FROM movement", 5000)
    }
    #expect(found.allSatisfy { !$0.text.contains("changed no row") && !$0.text.contains("changed none") })
  }

  @Test func theMembersThatDidLessAreNamedWithWhatEqualsTheDifference() throws {
    let found = try movements(40, without: [7, 9], unequal(5000, 5216))
    let first = try #require(found.first)
    #expect(first.certainty == .likely && first.steps == [7, 9])
    #expect(first.text.contains("2 of 40 runs of “INSERT INTO movement(item_id, delta) VALUES (?, ?)”"))
    #expect(first.text.contains("changed no row of stock"))
    #expect(first.text.contains("movement.delta of these is 216 in all, the difference"))
    #expect(first.rows?.rows.count == 2)
  }

  @Test func membersThatAreNotRareAreNamedOnlyForTheDifference() throws {
    #expect(try movements(40, without: [7, 9], unequal(5000, 5001)).count == 1)
    #expect(try movements(30, without: [7, 9], unequal(5000, 5001)).isEmpty)
    #expect(try movements(30, without: [7, 9], unequal(5000, 5216)).count == 1)
    #expect(try movements(40, without: [], unequal(5000, 5216)).isEmpty)
    #expect(try movements(19, without: [7], unequal(5000, 5107)).isEmpty)
  }

  @Test func aStoryWithAGapSaysNothingOfAll() throws {
    #expect(try movements(40, without: [7, 9], unequal(5000, 5216), missing: 3).isEmpty)
  }

  // MARK: - Removed rows

  private static let members = """
    CREATE TABLE member (id INTEGER PRIMARY KEY, number TEXT UNIQUE);
    CREATE TABLE voucher (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member ON DELETE CASCADE, cents INTEGER);
    """

  private func removal(_ sql: String, _ difference: Int) throws -> [Explanation] {
    try why(unequal(100, 100 + difference), Self.members) { story in
      story.step(sql, changed: 1)
      story.change(.delete, "member", 1, old: #"[1,"M-1"]"#)
      story.change(.delete, "voucher", 5, old: "[5,1,30]", depth: 1)
      story.change(.delete, "voucher", 6, old: "[6,1,40]", depth: 1)
      if sql.hasPrefix("INSERT") { story.change(.insert, "member", 2, new: #"[2,"M-1"]"#) }
      story.read("SELECT sum(cents) FROM voucher", 100)
    }
  }

  @Test func rowsThatREPLACERemovesByTheWayAreCertain() throws {
    let first = try #require(try removal("INSERT OR REPLACE INTO member VALUES (?, ?)", 70).first)
    #expect(first.certainty == .certain)
    #expect(first.text.contains("also removed 2 rows of voucher"))
    #expect(first.text.contains("voucher.cents of these is −70 in all, the difference"))
    #expect(try removal("INSERT OR REPLACE INTO member VALUES (?, ?)", 12).first?.certainty == .certain)
  }

  /// Each row comes back, or another one for it.
  @Test func rowsThatAreReplacedOneByOneAreAskedFor() throws {
    for (old, new) in [([1, 2], [1, 2]), ([1, 2], [3, 4]), ([1], [2])] {
      let found = try why(unequal(1, 2), Self.members) { story in
        story.step("INSERT OR REPLACE INTO member VALUES (?, ?), (?, ?)", changed: 2)
        for key in old { story.change(.delete, "member", key, old: #"[\#(key),"M"]"#) }
        for key in new { story.change(.insert, "member", key, new: #"[\#(key),"M"]"#) }
        story.read("SELECT count(*) FROM member", 1)
      }
      #expect(found.isEmpty)
    }
  }

  /// It was declared so: it is told where it equals the difference alone.
  @Test func aDELETEThatCascadesIsNoCauseByItself() throws {
    #expect(try removal("DELETE FROM member WHERE id = ?", 12).isEmpty)
    #expect(try removal("DELETE FROM member WHERE id = ?", 70).first?.text.contains("cascade") == true)
  }

  @Test func rowsAreCountedTimesANumberOfTheQuery() throws {
    let found = try why(
      unequal(500, 590), Self.members + "CREATE TABLE bonus (member_id INTEGER, cents INTEGER);"
    ) {
      $0.step("INSERT OR REPLACE INTO member VALUES (?, ?)", changed: 1)
      $0.change(.delete, "member", 1, old: #"[1,"M-1"]"#)
      $0.change(.delete, "voucher", 5, old: "[5,1,null]", depth: 1)
      $0.change(.delete, "voucher", 6, old: "[6,1,null]", depth: 1)
      $0.change(.insert, "member", 2, new: #"[2,"M-1"]"#)
      $0.step(
        "INSERT INTO bonus SELECT m.id, 45 * (SELECT count(*) FROM voucher v WHERE v.member_id = m.id) FROM member m",
        changed: 1)
      $0.change(.insert, "bonus", 1, new: "[2,500]")
      $0.read("SELECT sum(cents) FROM bonus", 500)
    }
    #expect(found.first?.text.contains("2 rows of voucher, times 45 as the query says") == true)
  }

  // MARK: - Other connections

  private static let account = "CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER);"

  /// - Parameter look: Reads on the connection whose update comes last; the other one's comes between.
  private func updates(
    _ sql: String, readBetween: Bool = false, look: (inout WrittenStory) -> Void = CausesTests.ofTheRow,
    again: (inout WrittenStory) -> Void = { _ in }
  ) throws -> [Explanation] {
    try why(unequal(130, 150), Self.account) { story in
      story.database(2, "/tmp/shop.sqlite")
      look(&story)
      story.read("SELECT cents FROM account WHERE id = 1", 100, on: 2)
      story.step("UPDATE account SET cents = ? WHERE id = 1", on: 2, changed: 1)
      story.change(.update, "account", 1, old: "[1,100]", new: "[1,120]")
      if readBetween { story.read("SELECT cents FROM account WHERE id = 1", 120, on: 1) }
      again(&story)
      story.step(sql, on: 1, changed: 1)
      story.change(.update, "account", 1, old: "[1,120]", new: "[1,130]")
      story.read("SELECT sum(cents) FROM account", 130)
    }
  }

  @Test func anUpdateThatAnotherConnectionOverwritesIsLost() throws {
    let first = try #require(try updates("UPDATE account SET cents = ? WHERE id = 1").first)
    #expect(first.certainty == .certain && first.steps == [4, 1, 3])
    #expect(first.text.contains("1 update of account.cents was lost"))
    #expect(first.text.contains("20 in all, the difference"))
  }

  @Test func anUpdateThatSeesTheOtherOneIsNotLost() throws {
    #expect(
      try updates("UPDATE account SET cents = cents + ? WHERE id = 1").allSatisfy {
        !$0.text.contains("lost")
      })
    #expect(
      try updates("UPDATE account SET cents = (SELECT sum(cents) FROM entry) WHERE id = 1").allSatisfy {
        !$0.text.contains("lost")
      })
    #expect(
      try updates("UPDATE account SET cents = ? WHERE id = 1", readBetween: true).allSatisfy {
        !$0.text.contains("lost")
      })
  }

  private static func ofTheRow(_ story: inout WrittenStory) {
    story.read("SELECT cents FROM account WHERE id = 1", 100, column: "cents")
  }

  @Test func theSameRowHasToBeReadAndWritten() throws {
    let update = "UPDATE account SET cents = ? WHERE id = 1"
    func isLost(
      _ look: (inout WrittenStory) -> Void = Self.ofTheRow, again: (inout WrittenStory) -> Void = { _ in }
    ) throws -> Bool {
      try updates(update, look: look, again: again).contains { $0.text.contains("lost") }
    }
    func row(_ id: Int, _ cents: Int) -> (inout WrittenStory) -> Void {
      {
        $0.step(
          "SELECT * FROM account WHERE cents > 0", rows: 1, results: "[[\(id),\(cents)]]",
          columns: #"["id","cents"]"#)
      }
    }
    #expect(try isLost(row(1, 100)))
    #expect(try !isLost(row(2, 100)))
    #expect(try !isLost(row(100, 5)))
    #expect(try !isLost { $0.read("SELECT count(*) FROM account", 100) })
    #expect(try !isLost { $0.read("SELECT cents FROM account WHERE id = 2", 100, column: "cents") })
    #expect(try !isLost { $0.read("SELECT cents FROM account WHERE cents > 5", 100, column: "cents") })
    #expect(try !isLost(again: { $0.read("SELECT amount FROM accounts WHERE number = 1", 120) }))
    #expect(
      try !isLost(again: {
        $0.step(
          "UPDATE account SET cents = cents RETURNING cents", rows: 1, results: "[[120]]",
          columns: #"["cents"]"#)
      }))
    #expect(try !isLost(again: { $0.step("INSERT INTO aside SELECT cents FROM account", changed: 1) }))
  }

  private func read(begunBefore: Bool) throws -> [Explanation] {
    try why(unequal(100, 120), Self.account) { story in
      story.database(2, "/tmp/shop.sqlite")
      func begin() {
        story.step("BEGIN", on: 2)
        story.read("SELECT count(*) FROM account", 1, on: 2)
      }
      if begunBefore { begin() }
      story.step("UPDATE account SET cents = 120 WHERE id = 1", on: 1, changed: 1)
      story.change(.update, "account", 1, old: "[1,100]", new: "[1,120]")
      if !begunBefore { begin() }
      story.read("SELECT sum(cents) FROM account", 100, on: 2)
    }
  }

  @Test func aReadInATransactionOlderThanACommitDoesNotSeeIt() throws {
    let first = try #require(try read(begunBefore: true).first)
    #expect(first.certainty == .certain)
    #expect(first.text.contains("1 change of account by A statement in step 3"))
    #expect(first.text.contains("account.cents of these is 20 in all, the difference"))
    #expect(try read(begunBefore: false).isEmpty)
  }

  @Test(arguments: ["SELECT 1", "SELECT last_insert_rowid()", "SELECT count(*) FROM noSuch"])
  func aReadOfNothingInTheFileBeginsNoSnapshot(first: String) throws {
    let found = try why(unequal(100, 120), Self.account) { story in
      story.database(2, "/tmp/shop.sqlite")
      story.step("BEGIN", on: 2)
      if first.contains("noSuch") {
        story.step(first, on: 2, error: "no such table: noSuch", code: 1)
      } else {
        story.read(first, 1, on: 2)
      }
      story.step("UPDATE account SET cents = 120 WHERE id = 1", on: 1, changed: 1)
      story.change(.update, "account", 1, old: "[1,100]", new: "[1,120]")
      story.read("SELECT sum(cents) FROM account", 100, on: 2)
    }
    #expect(!found.contains { $0.text.contains("when its transaction began") })
  }

  // MARK: - Another database

  private func settlement(_ update: String, schema: String) throws -> [Explanation] {
    try why(unequal(90, 60), "CREATE TABLE voucher (id INTEGER PRIMARY KEY, cents INTEGER, used TEXT);") {
      story in
      story.database(2, "/tmp/archive.sqlite")
      story.database(2, "/tmp/shop.sqlite", schema: "live")
      story.step(update, on: 2, changed: 1)
      story.change(.update, "voucher", 4, old: "[4,30,null]", new: #"[4,30,"x"]"#, schema: schema)
      story.read("SELECT sum(cents) FROM voucher WHERE used IS NULL", 90)
    }
  }

  @Test func anUnqualifiedNameThatWentElsewhereIsNamedWithBothFiles() throws {
    let update = "UPDATE voucher SET used = 'x' WHERE id IN (SELECT voucher_id FROM live.redemption)"
    let first = try #require(try settlement(update, schema: "main").first)
    #expect(first.certainty == .certain)
    #expect(first.text.contains("1 row of archive.sqlite, not of shop.sqlite, attached as live"))
    let qualified = update.replacing("UPDATE voucher", with: "UPDATE live.voucher")
    #expect(try settlement(qualified, schema: "live").isEmpty)
  }

  // MARK: - What is chosen

  @Test func atMostThreeSentencesAreTold() {
    let found = (1...9).map { Explanation(.likely, [.text("\($0)")], weight: Double($0)) }
    #expect(Causes.chosen(found).map(\.text) == ["9", "8", "7"])
    let alike = [1.0, 2.0].map { Explanation(.likely, [.text("\($0)")], weight: $0, about: [4]) }
    #expect(Causes.chosen(alike).map(\.text) == ["2.0"])
  }

  @Test func withoutRowsNoValueIsTold() {
    let told = Explanation(
      .certain,
      [
        .statement("UPDATE t SET a = 'secret'"), .text(" in "), .step(3), .values("; secret is 9"),
        .text("."),
      ],
      rows: RelatedRows(
        table: StoryTable(database: 0, name: "t"), title: "t", columns: ["a"], rows: [[.text("secret")]]),
      weight: 1)
    let bare = told.withoutValues(["t", "a"])
    #expect(bare.text == "“UPDATE t SET a = ?” in step 3." && bare.rows == nil)
  }

  // MARK: - Hostile stories

  /// A change whose rows are of two lengths.
  @Test func changesThatContradictThemselvesAreNoUpdate() throws {
    for new in ["[]", "[1]", "[1,2,3]"] {
      let found = try why(unequal(130, 150), Self.account) { story in
        story.database(2, "/tmp/shop.sqlite")
        story.read("SELECT cents FROM account WHERE id = 1", 0, on: 1)
        story.step("UPDATE account SET cents = ? WHERE id = 1", on: 2, changed: 1)
        story.change(.update, "account", 1, old: "[1,0]", new: new)
        story.step("UPDATE account SET cents = ? WHERE id = 1", on: 1, changed: 1)
        story.change(.update, "account", 1, old: "[1,5]", new: "[1,6]")
        story.read("SELECT sum(cents) FROM account LIMIT 1 WHERE cents", 130)
      }
      #expect(found.isEmpty)
    }
  }
}
