import FixtureSQLite
import Foundation
import Testing

/// None of them names Attach.
@Suite(.serialized) struct LinkedTests {
  @Test func passes() throws { try Notes().add("kept") }

  @Test func failsWithItsDatabaseOpen() throws {
    let notes = try Notes()
    notes.add("one")
    notes.add("two")
    #expect(notes.count == 3)
  }

  @Test func failsWhenItsDatabaseIsClosed() throws {
    let path = NSTemporaryDirectory() + "closed-\(UUID()).db"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Notes(at: path).add("closed")
    #expect(Bool(false), "after the close")
  }

  @Test func throwsAnError() throws {
    let notes = try Notes()
    notes.add("thrown")
    throw Notes.Refused()
  }

  @Test func requires() throws {
    let notes = try Notes()
    notes.add("required")
    try #require(notes.count == 2)
  }

  @Test(arguments: [1, 2, 3]) func adds(count: Int) throws {
    let notes = try Notes()
    for number in 0..<count { notes.add("note \(number)") }
    #expect(notes.count != 2)
  }

  @Test("Two arguments", arguments: ["a", "b"], [1, 2]) func pairs(text: String, number: Int) throws {
    let notes = try Notes()
    notes.add(text)
    if text == "b", number == 2 { throw Notes.Refused() }
  }

  @Test(.disabled("not today")) func disabled() {}

  @Test func isKnown() throws {
    let notes = try Notes()
    withKnownIssue { #expect(notes.count == 1) }
  }

  @Test func failsLater() async throws {
    let notes = try Notes()
    await Task.yield()
    notes.add("later")
    #expect(notes.count == 0)
  }

  @Test func failsInADetachedTask() async {
    await Task.detached { Issue.record("nobody's") }.value
  }

  @Suite struct Inner {
    @Test func failsInASuite() throws {
      let notes = try Notes()
      notes.add("inner")
      Issue.record("said by hand")
    }
  }
}

final class Notes {
  struct Refused: Error {}

  private var db: OpaquePointer?

  init(at path: String = ":memory:") throws {
    guard sqlite3_open(path, &db) == SQLITE_OK else { throw Refused() }
    execute("CREATE TABLE note (text TEXT)")
  }

  deinit { sqlite3_close(db) }

  func add(_ text: String) { execute("INSERT INTO note VALUES ('\(text)')") }

  var count: Int {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(db, "SELECT count(*) FROM note", -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return -1 }
    return Int(sqlite3_column_int64(statement, 0))
  }

  private func execute(_ sql: String) { sqlite3_exec(db, sql, nil, nil, nil) }
}
