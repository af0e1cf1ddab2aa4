import Attach
import Foundation
import Testing

/// Random statements of which the suite keeps every row that they changed, in the folder `STORY_TRUTH`, and then fails.
@Suite(.attachOnFailure) struct StoryTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let count = variables["STORY_STATEMENTS"].flatMap { Int($0) } ?? 60
  private static let seed = variables["STORY_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(arguments: [
    "memory", "file", "wal", "attached", "threads", "tasks", "utf16", "withoutMutex", "shared cache",
  ])
  func tellsEveryRow(kind: String) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/story-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let seed = Self.seed &* 31 &+ UInt64(kind.utf8.reduce(0) { $0 * 7 % 1000 + Int($1) })
    let databases = try Self.databases(of: kind, in: folder, seed: seed)
    switch kind {
    case "threads":
      for database in databases { Self.start(database) }
      for _ in databases { await Self.waitForOne() }
    case "tasks":
      await withTaskGroup(of: Void.self) { group in
        for database in databases {
          nonisolated(unsafe) let mine = database
          group.addTask { for _ in 0..<Self.count { mine.change() } }
        }
      }
    default:
      for _ in 0..<Self.count { for database in databases { database.change() } }
    }
    Issue.record("after everything")
    for database in databases { try write(database, kind) }
    for database in databases { database.close() }
  }

  private static let ended = AsyncStream<Void>.makeStream()
  private static let waiting = WaitingForThreads()

  private static func start(_ database: RandomDatabase) {
    nonisolated(unsafe) let mine = database
    Thread.detachNewThread {
      for _ in 0..<count { mine.change() }
      ended.continuation.yield()
    }
  }

  private static func waitForOne() async { await waiting.next() }

  private actor WaitingForThreads {
    func next() async {
      var iterator = StoryTests.ended.stream.makeAsyncIterator()
      await iterator.next()
    }
  }

  private static func databases(of kind: String, in folder: String, seed: UInt64) throws -> [RandomDatabase] {
    func name(_ number: Int) -> String { kind.replacingOccurrences(of: " ", with: "") + "\(number)" }
    let wal = "PRAGMA journal_mode = WAL"
    switch kind {
    case "file": return [try RandomDatabase(folder + "/a.db", name: name(0), seed: seed)]
    case "wal":
      return try (0..<2).map {
        try RandomDatabase(folder + "/\($0).db", name: name($0), seed: seed + UInt64($0), setup: wal)
      }
    case "attached":
      return [
        try RandomDatabase(
          folder + "/a.db", attached: folder + "/b.db", name: name(0), seed: seed)
      ]
    case "threads", "tasks":
      return try (0..<3).map {
        try RandomDatabase(folder + "/\($0).db", name: name($0), seed: seed + UInt64($0), setup: wal)
      }
    case "utf16":
      return [
        try RandomDatabase(
          ":memory:", name: name(0), seed: seed,
          setup: "SELECT 'a text before the encoding is known'; PRAGMA encoding = 'UTF-16be'")
      ]
    case "withoutMutex":
      return [try RandomDatabase(":memory:", name: name(0), seed: seed, flags: 0x8000)]
    case "shared cache":
      return [try RandomDatabase("file:\(name(0))?mode=memory&cache=shared", name: name(0), seed: seed)]
    default: return [try RandomDatabase(":memory:", name: name(0), seed: seed)]
    }
  }

  private struct Truth: Encodable {
    var first: [String]
    var lines: [RandomDatabase.Line]
  }

  private func write(_ database: RandomDatabase, _ kind: String) throws {
    guard let folder = Self.variables["STORY_TRUTH"] else { return }
    try JSONEncoder().encode(Truth(first: database.first, lines: database.lines)).write(
      to: URL(fileURLWithPath: folder + "/" + kind + "-" + database.name + ".json"))
  }
}
