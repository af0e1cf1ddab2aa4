import ExhibitSQLite
import ExhibitSystem
import Foundation
import TestSupport
import Testing

/// The states of a WAL and the changes between them are what SQLite read after each transaction.
///
/// In short some random histories; thousands with `EXHIBIT_LONG_TESTS=1`. `EXHIBIT_WAL_SEED` repeats one.
@Suite struct WALStatesTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let seeds: [UInt64] =
    variables["EXHIBIT_WAL_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? Array(1...(LongTests.areAsked ? 1000 : 4))

  @Test(arguments: seeds)
  func everyStateAndEveryChangeIsTold(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder("live.db")
    let story = try WALStory(path, seed: seed)
    // A reader of the first state keeps checkpoints from writing into the database.
    let reader = try TestConnection(path, "BEGIN; SELECT * FROM sqlite_schema")
    try story.run(60)
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: folder("copy.db\(end)"))
    }
    reader.close()
    story.connection.close()
    let states = try #require(
      try WALStates(database: InputFile(path: folder("copy.db")), wal: InputFile(path: folder("copy.db-wal")))
    )
    #expect(states.transactions.count > 20)
    try check(states, story, seed)
    let whole = try TestConnection(folder("copy.db"))
    let last = try DatabaseState(states.pages(after: states.transactions.count))
    #expect(try StateTruth(whole) == StateTruth(last), "seed \(seed)")
  }

  private func check(_ states: WALStates, _ story: WALStory, _ seed: UInt64) throws {
    let difference = try PageDifference(DatabaseState(states.pages(after: 0)))
    var before = try #require(story.truths[0])
    #expect(try StateTruth(difference.state) == before)
    for transaction in states.transactions {
      let end = transaction.frames.upperBound
      let place = "seed \(seed), \(transaction): \(story.statements[end]?.prefix(600) ?? "")"
      let after = try #require(story.truths[end], "\(place)")
      let state = try DatabaseState(states.pages(after: transaction.number))
      #expect(try StateTruth(state) == after, "\(place)")
      try check(difference, state, states.pagesWritten(by: transaction), before, after, place)
      before = after
    }
  }

  private func check(
    _ difference: PageDifference, _ state: DatabaseState, _ pages: [UInt32], _ before: StateTruth,
    _ after: StateTruth, _ place: String
  ) throws {
    var told: [TablePair: ToldChanges] = [:]
    let changes = try difference.advance(
      to: state, changed: .some(pages), keyColumns: { StateTruth.keyColumns($0.name) }
    ) { pair, change in
      try told[pair, default: ToldChanges()].add(change, pair)
    }
    var seen: Set<String> = []
    for table in changes.tables {
      #expect(table.problem == nil, "\(place)")
      let old = table.pair.old.flatMap { before.tables[$0.name] } ?? TableTruth()
      let new = table.pair.new.flatMap { after.tables[$0.name] } ?? TableTruth()
      seen.formUnion([table.pair.old?.name, table.pair.new?.name].compactMap(\.self))
      let found = told[table.pair] ?? ToldChanges()
      #expect(found.counts == [table.added, table.removed, table.changed], "\(place)")
      #expect(found == ToldChanges(from: old, to: new), "\(place) \(table)")
    }
    for name in Set(before.tables.keys).union(after.tables.keys) where !seen.contains(name) {
      #expect((before.tables[name] == after.tables[name]) == true, "\(name) \(place)")
    }
  }
}

/// The rows that were told to differ.
struct ToldChanges: Equatable {
  private var removed: [[DatabaseValue]: [DatabaseValue]] = [:]
  private var added: [[DatabaseValue]: [DatabaseValue]] = [:]
  private(set) var counts = [0, 0, 0]

  init() {}

  /// What two truths do not have in common.
  init(from old: TableTruth, to new: TableTruth) {
    removed = old.rows.filter { new.rows[$0.key] != $0.value }
    added = new.rows.filter { old.rows[$0.key] != $0.value }
  }

  mutating func add(_ change: RowChange, _ pair: TablePair) throws {
    let oldKey = pair.old.flatMap { StateTruth.keyColumns($0.name) }
    let newKey = pair.new.flatMap { StateTruth.keyColumns($0.name) }
    switch change {
    case .added(let row):
      counts[0] += 1
      add(try TableTruth.keyAndValues(row, newKey), nil)
    case .removed(let row):
      counts[1] += 1
      add(nil, try TableTruth.keyAndValues(row, oldKey))
    case .changed(let old, let new):
      counts[2] += 1
      let (before, after) = (
        try TableTruth.keyAndValues(old, oldKey), try TableTruth.keyAndValues(new, newKey)
      )
      #expect(before.key == after.key)
      // A column that was added is NULL whether the record has it or not.
      if before.values != after.values { add(after, before) }
    }
  }

  private mutating func add(
    _ new: (key: [DatabaseValue], values: [DatabaseValue])?,
    _ old: (key: [DatabaseValue], values: [DatabaseValue])?
  ) {
    if let new { #expect(added.updateValue(new.values, forKey: new.key) == nil) }
    if let old { #expect(removed.updateValue(old.values, forKey: old.key) == nil) }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.removed == right.removed && left.added == right.added
  }
}
