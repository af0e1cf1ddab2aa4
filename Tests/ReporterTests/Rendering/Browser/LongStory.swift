import Collector
import Foundation

@testable import Reporter

/// A run whose only test took ten thousand steps; what decides about it stands far from the end, also in the middle of
/// what repeats itself.
struct LongStory {
  static let test = TestCaseID.store("testLong")
  private static let run = "artifacts/runs/r"

  let folder: TemporaryFolder
  private var written: WrittenStory
  private var sql = """
    CREATE TABLE orders(id INTEGER PRIMARY KEY, amount);
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT);

    """

  init() throws {
    folder = try TemporaryFolder()
    written = WrittenStory(path: folder.path + "/shop.sqlite")
    tell()
  }

  /// The story: 3,000 rows of which one has a text for a number, a value of the message, 400 reads of nothing, reads
  /// of an old state, and reads up to the end.
  private mutating func tell() {
    written.database(2, folder.path + "/shop.sqlite")
    written.step("CREATE TABLE orders(id INTEGER PRIMARY KEY, amount)")
    written.step("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)")
    written.baseline()
    for key in 1...3000 { insert(key, key == 1500 ? "\"12\"" : "\(1000 + key)") }
    written.step("UPDATE orders SET amount = 143 WHERE id = 77", changed: 1)
    written.change(.update, "orders", 77, old: "[77,1077]", new: "[77,143]")
    sql += "UPDATE orders SET amount = 143 WHERE id = 77;\n"
    for number in 1...400 { written.step("SELECT \(number) FROM orders WHERE id = -\(number)", rows: 0) }
    written.step("BEGIN", on: 2)
    written.step("SELECT max(id) FROM orders", on: 2, rows: 1, results: "[[3000]]")
    for key in 3001...3020 {
      insert(key, "\(1000 + key)")
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
    written.issue(0)
    written.end()
  }

  private mutating func insert(_ key: Int, _ amount: String) {
    written.insert("orders", key, "[\(key),\(amount)]")
    sql += "INSERT INTO orders VALUES (\(key), \(amount.replacing("\"", with: "'")));\n"
  }

  /// Writes the run and has `reporter report` make its report.
  ///
  /// - Returns: The report's folder, in `folder`.
  func report() throws -> String {
    try folder.write(
      "{\"format\":\"1.1\",\"run\":\"r\",\"start\":1,\"package\":\"\(folder.path)\"}",
      to: "\(Self.run)/run.json")
    try folder.write(written.bytes, to: "\(Self.run)/evidence/t/story.jsonl")
    _ = try folder.makeFolder("\(Self.run)/evidence/t")
    try folder.database("\(Self.run)/evidence/t/shop.sqlite", "BEGIN;\n\(sql)COMMIT;")
    var log = try WrittenLog()
    try log.start(Self.test)
    try log.fail(Self.test, "XCTAssertEqual failed: (\"143\") is not equal to (\"95\")")
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .database, name: "shop.sqlite", path: "evidence/t/shop.sqlite", bytes: 8192,
        source: folder.path + "/shop.sqlite",
        database: DatabaseCapture(method: .immutable, wal: .absent, databaseBytes: 8192, walBytes: 0)))
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .story, name: "story.jsonl", path: "evidence/t/story.jsonl", bytes: written.bytes.count))
    try log.finish(Self.test, .failed)
    try log.end()
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
    let result = try ReporterProcess.run(
      ["report", "artifacts", "--output", "out", "--single-file"], in: folder.path)
    guard result.status == 0 else { throw Refused(errors: result.errors) }
    return folder("out")
  }

  struct Refused: Error {
    var errors: String
  }
}
