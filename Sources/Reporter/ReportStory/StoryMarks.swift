import Collector
import ReportInspection
import ReportModel

extension StoryBuilder {
  /// By place of a step, for steps before the failure.
  func marks(at places: [Int]) -> [Int: [StoryMark]] {
    var marks: [Int: [StoryMark]] = [:]
    let triggers = writesOfTriggers
    for place in places {
      let found = self.marks(ofStepAt: place, triggers)
      if !found.isEmpty { marks[place] = found }
    }
    for (place, mark) in staleReads(places) { marks[place, default: []].append(mark) }
    for drop in lostObjects {
      marks[drop.place, default: []].append(
        .tookAlong(drop.texts, table: drop.table, madeAgain: drop.madeAgain))
    }
    for (place, mark) in strangers(places) { marks[place, default: []].append(mark) }
    return marks
  }

  /// By trigger name in lower case.
  private var writesOfTriggers: [String: [String]] {
    var triggers: [String: [String]] = [:]
    for schema in schemas {
      for trigger in schema.triggers { triggers[trigger.name.lowercased()] = trigger.written }
    }
    for text in texts {
      if case .create("TRIGGER", let name) = text.kind {
        triggers[name.lowercased()] = text.trigger?.writes.map(\.table)
      }
    }
    return triggers
  }

  private var hasChanges: Bool { recorded.withoutChanges == nil }

  private func marks(ofStepAt place: Int, _ triggers: [String: [String]]) -> [StoryMark] {
    let (step, text) = (steps[place], texts[place])
    if let error = step.error {
      return failures.contains(where: error.isTold(byTextIn:)) ? [] : [.swallowedError]
    }
    guard !step.isRunning else { return [] }
    var marks: [StoryMark] = []
    if changedNothing(step, text) { marks.append(.changedNothing) }
    if text.kind == .select, step.isReadOnly, step.rows == 0, !text.readsSchema,
      !text.isHousekeeping
    {
      marks.append(.readNothing)
    }
    return marks + idleTriggers(step, triggers)
  }

  private func changedNothing(_ step: RecordedStory.Step, _ text: StatementText) -> Bool {
    // The count of a write to a view leaves out what its triggers do.
    guard text.isWrite, text.isConditional, step.changes.isEmpty, step.unkept == 0 else { return false }
    return step.changed.map { $0 == 0 } ?? (hasChanges && !step.isWithheld && step.untold == nil)
  }

  private static let mostOfTriggers = 20

  private func idleTriggers(_ step: RecordedStory.Step, _ triggers: [String: [String]]) -> [StoryMark] {
    guard hasChanges, !step.isWithheld, step.tellsRows, !step.triggers.isEmpty else { return [] }
    let busy = Set(step.changes.filter { $0.depth > 0 }.map { $0.table.lowercased() })
    var seen: Set<String> = []
    var marks: [StoryMark] = []
    for trigger in step.triggers where marks.count < Self.mostOfTriggers && seen.insert(trigger).inserted {
      // A module writes when it chooses to, and often untold.
      let idle = (triggers[trigger.lowercased()] ?? []).filter {
        !busy.contains($0.lowercased()) && !layouts.isVirtual($0)
      }
      marks += Set(idle).sorted().map { .triggerChangedNothing(trigger: trigger, table: $0) }
    }
    return Array(marks.prefix(Self.mostOfTriggers))
  }

  // MARK: - Transactions that are older than a commit

  /// Reads in a transaction that had read the file before another connection's commit.
  private func staleReads(_ places: [Int]) -> [(Int, StoryMark)] {
    let commits = commits(places)
    guard !commits.isEmpty else { return [] }
    let tables = tablesOfFiles
    var began: [Int: [Int: Int]] = [:]
    var found: [(Int, StoryMark)] = []
    for place in places {
      let database = databaseOfStep[place]
      // Neither BEGIN nor EXPLAIN begins a snapshot.
      guard let group = transactions.transaction(ofStepAt: place), steps[place].error == nil,
        texts[place].kind == .select || texts[place].isWrite,
        !texts[place].names.isDisjoint(with: tables[database])
      else { continue }
      let start = began[group]?[database] ?? steps[place].number
      began[group, default: [:]][database] = start
      guard steps[place].isReadOnly, texts[place].kind == .select else { continue }
      let later = commits.last {
        $0.connection != steps[place].connection && $0.database == database
          && start < $0.step && $0.step < steps[place].number
      }
      if let later { found.append((place, .staleRead(commit: later.step, connection: later.connection))) }
    }
    return found
  }

  /// By database, in lower case: captured tables, and those that steps changed.
  private var tablesOfFiles: [Set<String>] {
    let changed = Dictionary(grouping: changedTables, by: \.database)
    return databases.list.indices.map { database in
      let names = (changed[database] ?? []).map(\.name) + layouts.captured(database).flatMap(\.tables.keys)
      return Set(names.map { $0.lowercased() })
    }
  }

  /// Steps at which a write to a file was committed.
  private func commits(_ places: [Int]) -> [(step: Int, connection: Int, database: Int)] {
    guard Set(places.map { steps[$0].connection }).count > 1 else { return [] }
    var wrote: [Int: Set<Int>] = [:]
    var commits: [(step: Int, connection: Int, database: Int)] = []
    for place in places {
      guard let index = transactions.groupOfStep[place] else { continue }
      let (step, group) = (steps[place], transactions.groups[index])
      if step.changed != 0, step.error == nil, texts[place].isWrite,
        databases.list[databaseOfStep[place]].path != nil
      {
        wrote[index, default: []].insert(databaseOfStep[place])
      }
      guard group.state == .single || group.state == .committed && group.steps.last == place,
        let written = wrote.removeValue(forKey: index)
      else { continue }
      for database in written {
        commits.append((step.number, step.connection, database))
      }
    }
    return commits
  }

  // MARK: - Statements about another database

  /// A single write to one database amid work on another.
  private func strangers(_ places: [Int]) -> [(Int, StoryMark)] {
    let told = places.filter { texts[$0].isWrite || texts[$0].kind == .select && !texts[$0].readsSchema }
    let uses = Dictionary(grouping: told) { databaseOfStep[$0] }.mapValues(\.count)
    return told.indices.dropFirst(2).compactMap { index in
      let around = databaseOfStep[told[index - 1]]
      guard texts[told[index]].isWrite, databaseOfStep[told[index]] != around,
        uses[databaseOfStep[told[index]]] == 1, databaseOfStep[told[index - 2]] == around,
        index + 1 == told.count || databaseOfStep[told[index + 1]] == around
      else { return nil }
      return (told[index], .otherDatabase(around: around))
    }
  }
}
