import ExhibitSQLite
import ExhibitSystem
import Foundation
import TestSupport
import Testing

/// Mutated databases and WALs: reading ends with a reason, soon, and takes no more memory than the file.
///
/// In short some hundred; 20,000 with `EXHIBIT_LONG_TESTS=1`. `EXHIBIT_WAL_SEED` begins with another number.
@Suite(.serialized) struct DamagedPagesTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let rounds = LongTests.areAsked ? 10_000 : 60
  private static let first = variables["EXHIBIT_WAL_SEED"].flatMap { UInt64($0) } ?? 1

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bound(_ round: UInt64, _ body: () throws -> Void) rethrows {
    let start = ProcessorTime.now
    let before = peakBytes()
    try body()
    #expect(ProcessorTime.now - start < .seconds(120), "seed \(round)")
    #expect(peakBytes() - before < 100 << 20, "seed \(round)")
  }

  /// Of this process, since it began.
  private func peakBytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
  }

  @Test func aPageThatCannotBeReadIsFreedOnce() {
    struct Unreadable: Error {}
    for _ in 0..<100 {
      #expect(throws: Unreadable.self) { try DatabasePage(1, pageSize: 4096) { _ in throw Unreadable() } }
    }
  }

  @Test func aMutatedDatabaseIsReadOrSaidToBeDamaged() throws {
    let files = try (UInt64(1)...4).map { seed in
      let path = folder("\(seed).db")
      let story = try WALStory(path, seed: seed)
      story.connection.close()
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    var damages = 0
    for round in Self.first..<Self.first + UInt64(Self.rounds) {
      let whole = Int(round) % files.count + 1
      var mutation = PageMutation(seed: round)
      try folder.write(
        mutation.mutated(files[whole - 1], pageSize: pageSize(of: files[whole - 1])), to: "mutated.db")
      bound(round) {
        damages += readAll("mutated.db")
        damages += compare("mutated.db", "\(whole).db") + compare("\(whole).db", "mutated.db")
      }
    }
    #expect(damages > Self.rounds / 4)
  }

  @Test func aMutatedWALIsReadOrSaidToBeDamaged() throws {
    let story = try WALStory(folder("live.db"), seed: 11)
    let reader = try TestConnection(folder("live.db"), "BEGIN; SELECT * FROM sqlite_schema")
    try story.run(25)
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder("live.db\(end)"), toPath: folder("copy.db\(end)"))
    }
    reader.close()
    story.connection.close()
    let wal = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("copy.db-wal"))))
    var (damages, steps) = (0, 0)
    for round in Self.first..<Self.first + UInt64(Self.rounds) {
      var mutation = PageMutation(seed: round)
      try folder.write(mutation.mutatedWAL(wal), to: "mutated-wal")
      bound(round) {
        let found = walk("copy.db", "mutated-wal")
        damages += found.damages
        steps += found.steps
      }
    }
    #expect(damages > Self.rounds / 8)
    #expect(steps > 5 * Self.rounds)
  }

  private func pageSize(of bytes: [UInt8]) -> Int { DatabaseHeader(bytes)?.pageSize ?? 4096 }

  /// - Returns: how many damages were told.
  private func readAll(_ name: String) -> Int {
    var damages = 0
    do {
      let state = try DatabaseState(FilePages(InputFile(path: folder(name))))
      for entry in try state.schema() where entry.rootPage > 0 {
        do {
          try state.forEachRow(of: entry.rootPage) { row in
            _ = try row.values(keeping: 1000)
            return true
          }
        } catch is DamagedPage { damages += 1 }
      }
    } catch is DamagedPage { return damages + 1 } catch { Issue.record("\(error)") }
    return damages
  }

  private func compare(_ old: String, _ new: String) -> Int {
    do {
      let pages = try (FilePages(InputFile(path: folder(old))), FilePages(InputFile(path: folder(new))))
      let difference = try PageDifference(DatabaseState(pages.0))
      return try advance(difference, DatabaseState(pages.1), .between(pages.0, pages.1))
    } catch is DamagedPage { return 1 } catch { Issue.record("\(error)") }
    return 0
  }

  private func advance(
    _ difference: PageDifference, _ state: DatabaseState, _ changed: ChangedPages
  ) throws -> Int {
    var unreadable = 0
    let changes = try difference.advance(
      to: state, changed: changed, keyColumns: { StateTruth.keyColumns($0.name) }
    ) { _, change in
      switch change {
      case .added(let row), .removed(let row), .changed(_, let row):
        do { _ = try row.values(keeping: 1000) } catch is DamagedPage { unreadable += 1 }
      }
    }
    return unreadable + changes.tables.filter { $0.problem != nil }.count
  }

  private func walk(_ database: String, _ wal: String) -> (damages: Int, steps: Int) {
    var (damages, steps) = (0, 0)
    do {
      let states = try WALStates(
        database: InputFile(path: folder(database)), wal: InputFile(path: folder(wal)))
      guard let states else { return (1, 0) }
      let difference = try PageDifference(DatabaseState(states.pages(after: 0)))
      for transaction in states.transactions {
        let state = try DatabaseState(states.pages(after: transaction.number))
        damages += try advance(difference, state, .some(states.pagesWritten(by: transaction)))
        steps += 1
      }
    } catch is DamagedPage { damages += 1 } catch { Issue.record("\(error)") }
    return (damages, steps)
  }
}
