import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// A comparison tells what SQLite tells, of random changes and of damaged files.
@Suite struct CompareRandomDatabasesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let schema = """
    CREATE TABLE plain(a, b REAL, c TEXT);
    CREATE TABLE ids(id INTEGER PRIMARY KEY, a, b NUMERIC, c);
    CREATE TABLE texts(a TEXT PRIMARY KEY, b, c);
    CREATE TABLE pairs(a, b, c, PRIMARY KEY(c, a DESC)) WITHOUT ROWID;
    CREATE TABLE made(a INTEGER PRIMARY KEY, b INT, s AS (b || 'x') STORED, v AS (b * 2), c);
    CREATE TABLE strict(a INTEGER PRIMARY KEY, b REAL, c ANY) STRICT;
    CREATE VIRTUAL TABLE words USING fts5(b, c);
    CREATE VIRTUAL TABLE boxes USING rtree(id, b, c);
    CREATE INDEX plainB ON plain(b);
    """

  /// Tables with what tells their rows apart and what is compared.
  private static let tables = [
    ("plain", "rowid", "a, b, c"), ("ids", "id", "a, b, c"), ("texts", "a", "b, c"), ("pairs", "c, a", "b"),
    ("made", "a", "b, s, c"), ("strict", "a", "b, c"), ("words", "rowid", "b, c"), ("boxes", "id", "b, c"),
  ]

  /// Statements at random, the same for the same seed.
  private struct Statements {
    var random: SeededNumbers

    mutating func value() -> String {
      switch random.below(8) {
      case 0: "NULL"
      case 1: "\(random.below(1000) - 500)"
      case 2: "\(random.below(100)).5"
      case 3: "x'\(String(random.below(1 << 20) + (1 << 20), radix: 16).suffix(4))'"
      case 4: "printf('%.*c', \(random.below(9000)), 'w')"
      case 5: "zeroblob(\(random.below(3000)))"
      default: "'text \(random.below(200)) ä'"
      }
    }

    mutating func statement() -> String {
      let key = random.below(300)
      switch random.below(16) {
      case 0: return "INSERT INTO plain VALUES (\(value()), \(value()), \(value()));"
      case 1: return "UPDATE plain SET c = \(value()) WHERE rowid = \(key);"
      case 2: return "DELETE FROM plain WHERE rowid % 40 = \(key % 40);"
      case 3: return "INSERT OR REPLACE INTO ids VALUES (\(key), \(value()), \(value()), \(value()));"
      case 4: return "UPDATE ids SET b = \(value()) WHERE id BETWEEN \(key) AND \(key + 3);"
      case 5: return "INSERT OR REPLACE INTO texts VALUES ('k\(key)', \(value()), \(value()));"
      case 6: return "DELETE FROM texts WHERE a LIKE 'k\(key % 30)%';"
      case 7: return "INSERT OR REPLACE INTO pairs VALUES (\(key), \(value()), 'c\(key % 7)');"
      case 8: return "UPDATE pairs SET b = \(value()) WHERE a = \(key);"
      case 9: return "INSERT OR REPLACE INTO made(a, b, c) VALUES (\(key), \(value()), \(value()));"
      case 10: return "INSERT OR REPLACE INTO strict VALUES (\(key), \(key).25, \(value()));"
      case 11: return "INSERT INTO words VALUES ('word \(key)', \(value()));"
      case 12: return "DELETE FROM words WHERE rowid = \(key);"
      case 13: return "INSERT OR REPLACE INTO boxes VALUES (\(key), \(key), \(key + random.below(9)));"
      case 14: return "DELETE FROM ids WHERE id % 30 = \(key % 30);"
      default: return "UPDATE texts SET a = 'k' || (\(key) + rowid % 3) WHERE a = 'k\(key)' AND 0;"
      }
    }

    mutating func script(_ count: Int) -> String {
      "BEGIN;" + (0..<count).map { _ in statement() }.joined(separator: "\n") + "COMMIT;"
    }
  }

  private func expectTruth(_ old: String, _ new: String, _ seed: UInt64) throws {
    let changes = compareDatabases(new, since: old, rows: true)
    #expect(changes.problems == [] && changes.tables.allSatisfy { $0.problem == nil }, "seed \(seed)")
    for (name, key, columns) in Self.tables {
      let truth = try TrueChanges(name, key: key, columns: columns, from: old, to: new)
      let table = changes.tables.first { $0.name == name }
      #expect(TrueChanges(table) == truth, "\(name), seed \(seed)")
      let shown = min(50, truth.added + truth.removed + truth.changed)
      #expect((table?.rows.count ?? 0) == shown, "\(name), seed \(seed)")
    }
  }

  @Test(arguments: (0..<(LongTests.areAsked ? 300 : 16)).map { UInt64($0) })
  func randomChangesAreToldAsSQLiteTellsThem(seed: UInt64) throws {
    var statements = Statements(random: SeededNumbers(seed: seed))
    let settings = [
      "", "PRAGMA page_size = 512;", "PRAGMA auto_vacuum = FULL;", "PRAGMA encoding = 'UTF-16le';",
    ][Int(seed % 4)]
    let old = try folder.database("old.sqlite", settings + Self.schema + statements.script(600))
    let new = folder("new.sqlite")
    try FileManager.default.copyItem(atPath: old, toPath: new)
    for count in [1, 40, 600] {
      try folder.database("new.sqlite", statements.script(count))
      try expectTruth(old, new, seed)
      try expectTruth(new, old, seed)
    }
    try folder.database("new.sqlite", "VACUUM;")
    // VACUUM numbers the rows of a table without a key anew.
    let changes = compareDatabases(new, since: old, rows: false)
    #expect(changes.problems == [], "seed \(seed)")
    try folder.database("other.sqlite", settings + Self.schema + statements.script(300))
    try expectTruth(old, folder("other.sqlite"), seed)
  }

  @Test func mutatedDatabasesEndNothingAndAreNeverTheSameWhereSQLiteReadsADifference() throws {
    var statements = Statements(random: SeededNumbers(seed: 99))
    let path = try folder.database(
      "a.sqlite", "PRAGMA page_size = 512;" + Self.schema + statements.script(120))
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let truth = try Self.tables.map { try TrueChanges.rows($0.0, $0.1, $0.2, path) }
    var random = SeededNumbers(seed: 7)
    var limits = InspectionLimits()
    limits.totalTime = 600
    var same = 0
    for round in 0..<(LongTests.areAsked ? 50_000 : 300) {
      var mutated = bytes
      for _ in 0...random.below(3) {
        let place =
          random.below(4) == 0 ? random.below(min(2048, mutated.count)) : random.below(mutated.count)
        mutated[place] = random.below(3) == 0 ? 0xff : UInt8(truncatingIfNeeded: random.below(256))
      }
      if random.below(50) == 0 { mutated.removeLast(random.below(mutated.count)) }
      let other = try folder.write(mutated, to: "b.sqlite")
      let (new, old) = round % 2 == 0 ? (other, path) : (path, other)
      let changes = compareDatabases(new, since: old, rows: round % 3 == 0, limits: limits)
      #expect(!changes.isCutByTime, "round \(round)")
      guard changes.isSame, changes.housekeeping.isEmpty else { continue }
      same += 1
      for (index, table) in Self.tables.enumerated() {
        // What SQLite cannot read is no difference that it reads.
        guard let rows = try? TrueChanges.rows(table.0, table.1, table.2, other) else { continue }
        #expect(rows == truth[index], "\(table.0), round \(round)")
      }
    }
    // Else nothing was tried.
    #expect(same > 3)
  }
}

/// Numbers at random, the same for the same seed.
struct SeededNumbers {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(max(1, bound))) }
}
