import Collector
import ExhibitCSQLite
import ExhibitStart
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPlaces
@testable import ReportStory
@testable import ReportTestSupport

/// What is other in each run of a program, and changes nothing of what it does.
struct Noise {
  var seed: UInt64
  /// Seconds since 1970.
  var start: Double
  private(set) var offset = 0

  init(seed: UInt64, start: Double) {
    (self.seed, self.start) = (seed, start)
    offset = Int(first(0) % 50)
  }

  /// The same for the same seed and number, whatever else a program has.
  private func random(_ number: Int) -> SeededGenerator {
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: number))
    _ = random.next()
    return random
  }

  private func first(_ number: Int) -> UInt64 {
    var random = random(number)
    return random.next()
  }

  func uuid(_ name: String) -> String {
    var random = random(Int(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF_FFFF))
    let (one, two) = (random.next(), random.next())
    let hex = Array(
      String(one, radix: 16).suffix(8) + String(two, radix: 16) + "0123456789abcdef0123456789abcdef")
    let parts = [8, 4, 4, 4, 12].reduce(into: (place: 0, parts: [String]())) { found, count in
      found.parts.append(String(hex[found.place..<found.place + count]))
      found.place += count
    }.parts
    return parts.joined(separator: "-").uppercased()
  }

  /// Another moment by less than a second.
  func moment(_ seconds: Int) -> Double { start + Double(seconds) + Double(first(seconds) % 900) / 1000 }

  /// The program with statements written otherwise, reads that do nothing, an index, and independent ones in another order.
  func applied(to actions: [Action]) -> [Action] {
    var found: [Action] = []
    for action in actions {
      var random = random(1000 + action.tag)
      if random.next() % 12 == 0, action.word != "CREATE", action.word != "PRAGMA", !found.isEmpty {
        let table = ["article", "line", "customer", "purchase", "movement"][Int(random.next() % 5)]
        let sql =
          random.next() % 4 == 0
          ? "CREATE INDEX extra\(action.tag) ON \(table) (id)"
          : "SELECT \(seed % 2 == 0 ? "count" : "max")(id) FROM \(table)"
        found.append(Action(tag: -2 * action.tag - Int(seed % 2), sql: sql))
      }
      found.append(respelled(action))
      let count = found.count
      if random.next() % 6 == 0, count > 1, action.tag != actions.last?.tag,
        found[count - 1].isIndependent(of: found[count - 2]), found[count - 2].word != "CREATE"
      {
        found.swapAt(count - 1, count - 2)
      }
    }
    // The schema has to be there before what uses it.
    return found.filter { $0.word == "PRAGMA" } + found.filter { $0.sql.isOfSchema }
      + found.filter { $0.word != "PRAGMA" && !$0.sql.isOfSchema }
  }

  private func respelled(_ action: Action) -> Action {
    var action = action
    if case .each(let others) = action.use { action.use = .each(others.map(respelled)) }
    guard !action.controlsTransaction, !action.sql.isOfSchema else { return action }
    // All that is run at one place is written alike.
    switch first(Int(action.sql.utf8.reduce(5) { $0 &* 31 &+ Int($1) } & 0xFFFF_FFFF)) % 8 {
    case 0 where !action.sql.contains("'"): action.sql = action.sql.replacing(" ", with: "\n  ")
    case 1: action.sql = action.sql.replacing(/FROM (\w+) WHERE/) { "FROM \($0.1) AS t WHERE" }
    case 2: action.sql = action.sql.replacing(/^UPDATE (\w+) SET/) { "UPDATE \($0.1) AS t SET" }
    case 3: action.sql = action.sql.replacing("WHERE", with: "where")
    default: break
    }
    return action
  }
}

extension String {
  fileprivate var isOfSchema: Bool { hasPrefix("CREATE TABLE") || hasPrefix("CREATE TRIGGER") }
}

/// One run of a program in SQLite, and what Exhibit has recorded of it.
final class ProgramRun {
  enum Cell: Hashable {
    case null
    case number(Int64)
    case real(Double)
    case text(String)

    var text: String {
      switch self {
      case .null: "nil"
      case .number(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): text
      }
    }
  }

  /// The tags of the statements, in the order in which they ran.
  private(set) var tags: [Int] = []
  /// What the last read returned.
  private(set) var last: [[Cell]] = []
  private(set) var recorded = RecordedStory()
  let path: String

  private let connection: TestConnection
  private let noise: Noise
  private var known: [String: Cell] = [:]
  private let hidden = Hidden()

  private final class Hidden { var name: String? }

  /// - Parameters:
  ///   - path: The file of the database; in memory nothing is read of what was recorded.
  ///   - hasSchema: True when the tables are there before.
  init(_ actions: [Action], _ noise: Noise, at path: String = ":memory:", hasSchema: Bool) throws {
    (self.noise, self.path) = (noise, path)
    connection = try TestConnection(path, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;")
    if hasSchema {
      try connection.execute(
        "PRAGMA foreign_keys = ON;" + ShopProgram.schema.joined(separator: ";") + ";"
          + ["article", "purchase"].map { "INSERT INTO sqlite_sequence VALUES ('\($0)', \(noise.offset));" }
          .joined())
    }
    offer()
    let (position, before) = (exhibit_trace_position(), exhibit_trace_last_step())
    for action in actions { try run(action) }
    if path != ":memory:" { recorded = try story(from: position, before) }
    connection.close()
  }

  /// Gives SQLite the program's own function.
  private func offer() {
    sqlite3_create_function_v2(
      connection.pointer, "offered", 1, SQLITE_UTF8, Unmanaged.passUnretained(hidden).toOpaque(),
      { context, _, values in
        guard let data = sqlite3_user_data(context) else { return }
        let hidden = Unmanaged<Hidden>.fromOpaque(data).takeUnretainedValue()
        let text = sqlite3_value_text(values?[0]).map { String(cString: $0) }
        sqlite3_result_int(context, text == hidden.name ? 0 : 1)
      }, nil, nil, nil)
  }

  // MARK: - Running

  private func run(_ action: Action) throws {
    tags.append(action.tag)
    hidden.name = action.hidden
    let values = action.given.map(value)
    var sql = action.sql
    if action.isInlined {
      for value in values {
        guard let place = sql.range(of: "?") else { break }
        sql.replaceSubrange(place, with: Self.literal(value))
      }
    }
    let rows = try rows(sql, action.isInlined ? [] : values)
    switch action.use {
    case .nothing: break
    case .key(let name): known[name] = .number(sqlite3_last_insert_rowid(connection.pointer))
    case .row(let name):
      for (place, cell) in (rows.first ?? []).enumerated() { known["\(name).\(place)"] = cell }
    case .each(let actions):
      for row in rows {
        for (place, cell) in row.enumerated() { known["each.\(place)"] = cell }
        for action in actions { try run(action) }
      }
    }
    last = rows
  }

  private func value(_ given: Given) -> Cell {
    switch given {
    case .number(let number): .number(Int64(number))
    case .text(let text): .text(text)
    case .known(let name): known[name] ?? .null
    case .identifier(let name): .text(noise.uuid(name))
    case .moment(let seconds):
      .text(Date(timeIntervalSince1970: noise.moment(seconds)).formatted(.iso8601))
    case .clock(let seconds): .real(noise.moment(seconds))
    }
  }

  private static func literal(_ value: Cell) -> String {
    switch value {
    case .null: "NULL"
    case .number(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    }
  }

  /// The program goes on where SQLite refuses a statement.
  private func rows(_ sql: String, _ values: [Cell]) throws -> [[Cell]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection.pointer, sql, -1, &statement, nil) == SQLITE_OK else {
      throw TestConnection.Refused(message: "\(sql): \(String(cString: sqlite3_errmsg(connection.pointer)))")
    }
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (place, value) in values.enumerated() {
      switch value {
      case .null: sqlite3_bind_null(statement, Int32(place + 1))
      case .number(let number): sqlite3_bind_int64(statement, Int32(place + 1), number)
      case .real(let number): sqlite3_bind_double(statement, Int32(place + 1), number)
      case .text(let text): sqlite3_bind_text(statement, Int32(place + 1), text, -1, transient)
      }
    }
    var rows: [[Cell]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          switch sqlite3_column_type(statement, column) {
          case SQLITE_INTEGER: .number(sqlite3_column_int64(statement, column))
          case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
          case SQLITE_TEXT: .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
          default: .null
          }
        })
    }
    return rows
  }

  // MARK: - What was recorded

  struct NotRecorded: Error {
    var reason: String
  }

  /// Takes the story out of this process's ring.
  private func story(from position: UInt64, _ before: UInt64) throws -> RecordedStory {
    let mark = "SELECT 1 AS m" + UUID().uuidString.replacing("-", with: "")
    try connection.execute(mark)
    var copy: UnsafeMutableRawPointer?
    let count = exhibit_trace_copy(&copy)
    defer { free(copy) }
    let image = try TraceImage(UnsafeRawBufferPointer(start: copy, count: count), from: position)
    let own = image.records.last { record in
      if case .step(let step) = record.content { image.texts[step.text]?.text == mark } else { false }
    }
    guard let own else { throw NotRecorded(reason: "no mark") }
    let subject = TestSteps.Subject(
      test: own.test, ownConnections: [own.connection], stepsBefore: before)
    let story = TestStory(
      TestCaseID(module: "Shop", suite: [], name: "sells()"), subject: subject, withoutChanges: nil,
      isWhole: true)
    let lines = story.lines(from: image) { _ in
      [RecordedStory.Database(connection: own.connection, path: path)]
    }
    guard var recorded = StoryFile(Data(lines ?? [])).story else { throw NotRecorded(reason: "no story") }
    recorded.steps.removeAll { $0.sql == mark }
    guard recorded.steps.count == tags.count else {
      throw NotRecorded(reason: "\(recorded.steps.count) steps of \(tags.count)")
    }
    // The steps of earlier runs are those of the same test.
    (recorded.missing, recorded.overwritten, recorded.opened, recorded.closed) = (0, [], [], [])
    for (place, step) in recorded.steps.enumerated() { step.number = place + 1 }
    return recorded
  }

  /// The tag of a step.
  func tag(_ number: Int) -> Int? {
    recorded.steps.firstIndex { $0.number == number }.map { tags[$0] }
  }

  /// What each action did, by its tag, as the recording has it.
  var effects: [Int: [String]] {
    zip(tags, recorded.steps).reduce(into: [:]) { effects, pair in
      let step = pair.1
      effects[pair.0, default: []].append(
        "\(step.expanded ?? step.sql) \(step.results) \(step.changes) \(String(describing: step.error))")
    }
  }

  /// - Parameter functions: The number of the function of each action by its tag; `nil` where no places are known.
  func told(failing message: String?, functions: ((Int) -> Int)?) throws -> (
    told: ToldSteps, schema: CapturedSchema?
  ) {
    var recorded = recorded
    (recorded.stacks, recorded.code) = ([], [])
    var places: [UInt64: [Place]] = [:]
    for (tag, step) in zip(tags, recorded.steps) {
      step.stack = functions?(tag)
      guard let number = step.stack else { continue }
      if places[UInt64(number)] == nil {
        recorded.stacks.append(.init(number: number, frames: [0, number]))
      }
      places[UInt64(number)] = [
        Place(
          symbol: "f\(number)", name: PlaceName(function: "f\(number)()"), file: "Shop.swift", line: number)
      ]
    }
    recorded.code = [.init(number: 0, path: "/tests", size: 1, changedAt: 1)]
    if message != nil { recorded.issues = [.init(after: recorded.steps.last?.number ?? 0, ordinal: 0)] }
    let schema = message.map { _ in
      CapturedSchema(of: path, evidence: "shop.sqlite", source: path, isUncommitted: false)
    }
    let issue = message.map { TestIssue(message: $0, location: nil, severity: .error, isKnown: false) }
    let code = CodeFile(path: "/tests", size: 1, changedAt: 1)
    let told = StoryBuilder(
      recorded, issues: issue.map { [$0] } ?? [], schemas: schema.map { [$0] } ?? [], inspections: [:],
      path: { $0 }, places: CodePlaces([.init(code: code, places: places)])
    ).toldSteps()
    return (told, schema)
  }
}
