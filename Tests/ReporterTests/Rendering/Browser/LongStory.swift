import ExhibitSQLite

@testable import ReportStory
@testable import ReportTestSupport

/// A run whose only test took ten thousand steps; what decides about it stands far from the end, also in the middle of
/// what repeats itself.
struct LongStory {
  private let path: String
  private var sql = """
    CREATE TABLE orders(id INTEGER PRIMARY KEY, amount);
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT);

    """

  /// - Returns: The run; its report is not made yet.
  static func run() throws -> WrittenRun {
    var run = try WrittenRun(message: "XCTAssertEqual failed: (\"143\") is not equal to (\"95\")")
    var story = LongStory(path: run.database)
    try run.story { story.tell(&$0) }
    try run.database("BEGIN;\n\(story.sql)COMMIT;")
    return run
  }

  /// The story: 3,000 rows of which one has a text for a number, a value of the message, 400 reads of nothing, reads
  /// of an old state, and reads up to the end.
  private mutating func tell(_ written: inout WrittenStory) {
    written.database(2, path)
    written.step("CREATE TABLE orders(id INTEGER PRIMARY KEY, amount)")
    written.step("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)")
    written.baseline()
    for key in 1...3000 { insert(&written, key, key == 1500 ? "\"12\"" : "\(1000 + key)") }
    written.step("UPDATE orders SET amount = 143 WHERE id = 77", changed: 1)
    written.change(.update, "orders", 77, old: "[77,1077]", new: "[77,143]")
    sql += "UPDATE orders SET amount = 143 WHERE id = 77;\n"
    // The last of them found something at another time.
    for number in 1...400 {
      written.step(
        number == 400 ? "SELECT count(*) FROM orders" : "SELECT \(number) FROM orders WHERE id = -\(number)",
        rows: 0)
    }
    written.step("BEGIN", on: 2)
    written.step("SELECT max(id) FROM orders", on: 2, rows: 1, results: "[[3000]]")
    for key in 3001...3020 {
      insert(&written, key, "\(1000 + key)")
      if key == 3010 { written.step("SELECT count(*) FROM orders", on: 2, rows: 1, results: "[[3000]]") }
    }
    written.step("COMMIT", on: 2)
    for number in 1...3200 {
      written.step("SELECT \(number) FROM person WHERE id = 1", rows: 1, results: "[[\(number + 5000)]]")
      written.step("PRAGMA p\(number)")
    }
    written.step("INSERT INTO person VALUES (1, 'Ada')", changed: 1)
    written.change(.insert, "person", 1, new: #"[1,"Ada"]"#)
    sql += "INSERT INTO person VALUES (1, 'Ada');\n"
    written.step("SELECT id FROM person", rows: 1, results: "[[1]]")
  }

  private mutating func insert(_ written: inout WrittenStory, _ key: Int, _ amount: String) {
    written.insert("orders", key, "[\(key),\(amount)]")
    sql += "INSERT INTO orders VALUES (\(key), \(amount.replacing("\"", with: "'")));\n"
  }
}
