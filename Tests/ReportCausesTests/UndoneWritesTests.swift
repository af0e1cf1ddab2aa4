import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// Rows that a statement which failed took with it.
@Suite struct UndoneWritesTests {
  /// Twenty savepoints of two bookings, of which one fails behind a booking.
  private func bookings(_ other: Int, failing: Set<Int>, goesOn: Bool = true) throws -> [Explanation] {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    return try why(unequal(700, other), schema) { story in
      for number in 1...20 {
        story.step("SAVEPOINT a")
        story.insert("booking", number, "[\(number),100,145]")
        if failing.contains(number) {
          story.step("INSERT INTO booking VALUES (?)", error: "room is taken")
          story.step("ROLLBACK TO a")
        }
        story.step("RELEASE a", staysIn: false)
      }
      if goesOn { story.read("SELECT sum(ends - starts) FROM booking", 700) }
    }
  }

  @Test func rowsThatGoWithAFailedStatementAreNamed() throws {
    let first = try #require(try bookings(701, failing: [3, 9]).first)
    #expect(first.certainty == .likely)
    #expect(first.text.contains("failed in step 9 and 1 other step (room is taken)"))
    #expect(
      first.text.contains(
        "then “ROLLBACK TO a” took back 2 earlier changes, 2 of them in booking, and the test went on"))
    let met = try #require(try bookings(790, failing: [3, 9]).first)
    #expect(met.certainty == .certain)
    #expect(met.text.contains("booking.ends − starts of these is 90 in all, the difference"))
  }

  /// A savepoint in the savepoint, kept or not, goes with it.
  @Test func whatASavepointInsideHeldIsTakenBackToo() throws {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    let found = try why(unequal(700, 835), schema) { story in
      story.step("SAVEPOINT a")
      story.insert("booking", 1, "[1,100,145]")
      story.step("SAVEPOINT b")
      story.insert("booking", 2, "[2,100,145]")
      story.step("RELEASE b")
      story.step("SAVEPOINT c")
      story.insert("booking", 3, "[3,100,145]")
      story.step("INSERT INTO booking VALUES (?)", error: "room is taken")
      story.step("ROLLBACK TO a")
      story.step("RELEASE a", staysIn: false)
      story.read("SELECT sum(ends - starts) FROM booking", 700)
    }
    #expect(found.first?.text.contains("took back 3 earlier changes, 3 of them in booking") == true)
  }

  @Test func whatAStatementOrRollbackTakesBackIsCounted() throws {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    let found = try why(unequal(700, 790), schema) { story in
      story.step("BEGIN")
      story.insert("booking", 1, "[1,100,145]")
      story.insert("booking", 2, "[2,100,145]")
      story.step("INSERT OR ROLLBACK INTO booking VALUES (?)", error: "room is taken", staysIn: false)
      story.insert("booking", 3, "[3,100,145]")
      story.step("ROLLBACK", error: "cannot rollback - no transaction is active", staysIn: false)
      story.read("SELECT sum(ends - starts) FROM booking", 700)
    }
    let text = try #require(found.first?.text)
    #expect(text.contains("failed in step 4 (room is taken) and took back 2 earlier changes"), "\(text)")
  }

  @Test func rollbacksOfManyAreMeant() throws {
    #expect(try bookings(701, failing: Set(1...8)).isEmpty)
    #expect(try bookings(701, failing: []).isEmpty)
  }
}
