package import Collector
import ExhibitSQLite
import Foundation
import ReportPlaces

@testable import ReportInspection
@testable import ReportModel
@testable import ReportStory

/// A `story.jsonl` as a test process writes it, line by line.
struct WrittenStory {
  var lines: [String]
  var number = 0
  /// Seconds that passed between steps, beyond a tenth for each.
  var pause = 0.0
  private var open: Set<Int> = []

  /// - Parameter path: What connection 1 has open; `nil` in memory.
  init(path: String? = "/tmp/shop.sqlite", missing: Int = 0, more: String = "") {
    lines = [
      #"{"kind":"story","format":"1.4","test":{"module":"Shop","suite":["Orders"],"name":"testShip"},"steps":"trace","missing":\#(missing)\#(more)}"#
    ]
    database(1, path)
  }

  mutating func database(_ connection: Int, _ path: String?, schema: String = "main") {
    let path = path.map { #","path":"\#($0)""# } ?? ""
    lines.append(
      #"{"kind":"database","connection":\#(connection),"schema":"\#(schema)"\#(path),"number":0,"after":\#(number)}"#
    )
  }

  /// One statement; where it leaves its connection is told by its first word, or said.
  @discardableResult mutating func step(
    _ sql: String, on connection: Int = 1, rows: Int? = nil, changed: Int? = nil, error: String? = nil,
    code: Int = 2067, triggers: [String] = [], results: String? = nil, columns: String? = nil,
    more: String = "",
    staysIn: Bool? = nil
  ) -> Int {
    number += 1
    let before = open.contains(connection)
    var after = before
    if sql.hasPrefix("BEGIN") || sql.hasPrefix("SAVEPOINT") { after = true }
    if sql == "COMMIT" || sql == "ROLLBACK" { after = false }
    after = staysIn ?? after
    if after { open.insert(connection) } else { open.remove(connection) }
    let isRead = sql.hasPrefix("SELECT")
    var line =
      #"{"kind":"step","number":\#(number),"time":\#(pause + Double(number) / 10),"connection":\#(connection),"sql":"\#(sql)""#
    if isRead { line += #","readOnly":true"# }
    line += #","transaction":{"before":\#(before),"after":\#(after)}"#
    if let rows { line += ",\"rows\":\(rows)" }
    if let changed { line += ",\"changed\":\(changed)" }
    if let error { line += #","error":{"code":\#(code),"message":"\#(error)"}"# }
    if !triggers.isEmpty { line += ",\"triggers\":[\"\(triggers.joined(separator: "\",\""))\"]" }
    if let columns { line += ",\"columns\":\(columns)" }
    if let results { line += ",\"results\":\(results)" }
    lines.append(line + more + "}")
    return number
  }

  /// A change of the last step.
  mutating func change(
    _ operation: RowOperation, _ table: String, _ key: Int?, old: String? = nil,
    new: String? = nil,
    depth: Int = 0, schema: String = "main", more: String = ""
  ) {
    var line =
      #"{"kind":"change","step":\#(number),"operation":"\#(operation)","schema":"\#(schema)","table":"\#(table)""#
    if depth > 0 { line += ",\"depth\":\(depth)" }
    if let key { line += ",\"key\":\(key)" }
    line += more
    if let old { line += ",\"old\":\(old)" }
    if let new { line += ",\"new\":\(new)" }
    lines.append(line + "}")
  }

  mutating func insert(_ table: String, _ key: Int, _ row: String) {
    step("INSERT INTO \(table) VALUES (?)", changed: 1)
    change(.insert, table, key, new: row)
  }

  /// The calls that led to steps, whose `more` names it: offsets in the file `/tests`, innermost first.
  mutating func stack(_ number: Int, _ offsets: [Int]) {
    let code = #"{"kind":"code","code":0,"path":"/tests","size":1,"changedAt":1}"#
    if !lines.contains(code) { lines.append(code) }
    let frames = offsets.map { "0,\($0)" }.joined(separator: ",")
    lines.append(#"{"kind":"stack","stack":\#(number),"frames":[\#(frames)]}"#)
  }

  mutating func baseline() { lines.append(#"{"kind":"baseline","after":\#(number)}"#) }
  mutating func issue(_ ordinal: Int) {
    lines.append(#"{"kind":"issue","after":\#(number),"issue":\#(ordinal)}"#)
  }
  mutating func closed(_ connection: Int) {
    lines.append(#"{"kind":"closed","connection":\#(connection),"after":\#(number)}"#)
  }
  mutating func end() { lines.append(#"{"kind":"end"}"#) }

  var bytes: Data { Data(lines.map { $0 + "\n" }.joined().utf8) }

  /// What the reporter makes of it.
  func story(
    failing messages: [String] = ["XCTAssertTrue failed"], at location: SourceReference? = nil,
    schemas: [CapturedSchema] = [], inspections: [String: DatabaseInspection] = [:],
    places: CodePlaces = CodePlaces()
  ) throws -> Story {
    let file = StoryFile(bytes)
    guard let recorded = file.story, file.problems.isEmpty else { throw Unreadable(problems: file.problems) }
    let issues = messages.map {
      TestIssue(message: $0, location: location, severity: .error, isKnown: false)
    }
    return StoryBuilder.story(
      of: recorded, issues: issues, schemas: schemas, inspections: inspections, places: places)
  }

  struct Unreadable: Error {
    var problems: [StoryFile.Problem]
  }
}

extension StoryBuilder {
  /// What the reporter makes of a recorded story.
  static func story(
    of recorded: RecordedStory, issues: [TestIssue], schemas: [CapturedSchema] = [],
    inspections: [String: DatabaseInspection] = [:], places: CodePlaces = CodePlaces()
  ) -> Story {
    StoryBuilder(
      recorded, issues: issues, schemas: schemas, inspections: inspections, path: { $0 }, places: places
    ).story()
  }
}

extension Story {
  /// The groups of the main part that are not folded.
  var groups: [StoryGroup] { items.compactMap(\.only) }

  func marks(_ number: Int) -> [StoryMark] { self[step: number]?.marks ?? [] }
}

extension RecordedStory.Step: CustomStringConvertible {
  /// Its line, for tests that look for a value in all of a story.
  package var description: String {
    var lines = StoryLines()
    lines.write(self)
    return String(decoding: lines.bytes, as: UTF8.self)
  }
}

extension CapturedSchema {
  /// What a file says of itself.
  init(of file: String, evidence: String, source: String?, isUncommitted: Bool) {
    let inspection = inspectDatabase(at: file, rows: false)
    self.init(inspection.schema, evidence: evidence, source: source, isUncommitted: isUncommitted)
  }

  /// The schema of a shop with orders and their lines.
  static let shop = {
    func table(_ name: String, _ columns: String, isVirtual: Bool = false, hasRowid: Bool = true) -> Table {
      let columns = columns.split(separator: " ").enumerated().map {
        DatabaseSchema.Column(String($1), keyPlace: $0 == 0 && !isVirtual ? 1 : 0)
      }
      return Table(name, kind: isVirtual ? .virtual : .ordinary, hasRowid: hasRowid, columns: columns)
    }
    var schema = CapturedSchema(
      DatabaseSchema([
        table("orders", "id state placed_at"), table("orderLine", "id article"),
        table("stock", "article count", hasRowid: false), table("note", "title body", isVirtual: true),
      ]), source: "/tmp/shop.sqlite")
    schema.triggers = [Trigger(name: "log", written: ["history"]), Trigger(name: "check", written: [])]
    return schema
  }()
}
