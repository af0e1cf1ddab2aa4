import Collector
import ReportModel
import ReportPlaces

extension StoryBuilder {
  private static let most = 60
  private static let mostRows = 2

  private struct RunKey: Hashable {
    var sql: String
    var database: Int
    var place: Place?
  }

  /// Each distinct statement at each place once, in the order in which they first ran.
  ///
  /// - Parameters:
  ///   - places: The steps between the set-up and the failure.
  ///   - named: The numbers of steps that a reader needs.
  /// - Returns: The last ones, and the number of those before them.
  func statementRuns(
    _ places: [Int], naming named: Set<Int>, _ marks: [Int: [StoryMark]]
  ) -> (runs: [StatementRuns], omitted: Int) {
    func weight(_ place: Int, _ isOdd: Bool) -> Int {
      let step = steps[place]
      if step.error != nil { return 4 }
      if named.contains(step.number) { return 3 }
      if isOdd, isIdleWrite(place) { return 2 }
      return step.rows ?? 0 > 0 || step.changedRows ?? 0 > 0 ? 1 : 0
    }
    func isIdleWrite(_ place: Int) -> Bool { texts[place].isWrite && steps[place].changedRows == 0 }
    var order: [RunKey] = []
    var alike: [RunKey: [Int]] = [:]
    for place in places where !texts[place].isHousekeeping && !texts[place].opensOrKeeps {
      let key = RunKey(
        sql: steps[place].sql, database: databaseOfStep[place],
        place: steps[place].stack.flatMap { callStacks[$0]?.place })
      if alike[key] == nil { order.append(key) }
      alike[key, default: []].append(place)
    }
    let runs = order.suffix(Self.most).compactMap { key -> StatementRuns? in
      guard let places = alike[key], let first = places.first else { return nil }
      let isOdd = places.count(where: isIdleWrite) * 2 < places.count
      guard
        let last = places.indices.max(by: {
          (weight(places[$0], isOdd), $0) < (weight(places[$1], isOdd), $1)
        })
      else { return nil }
      var example = step(at: places[last])
      example.marks = marks[places[last]] ?? []
      example.keepRows(Self.mostRows)
      var runs = StatementRuns(example: example, first: steps[first].number)
      runs.isUnlike = texts[first].isWrite && places.map { steps[$0] }.changeUnlikeRows
      for place in places {
        let (rows, changed) = (steps[place].rows ?? 0, steps[place].changedRows ?? 0)
        if steps[place].error == nil, changed > 0, transactions.undone[place] != nil, !isUndoneLater(place) {
          runs.undone += 1
        }
        runs.times += 1
        runs.rows += rows
        runs.changed += changed
        if steps[place].error != nil { runs.failed += 1 } else if rows + changed == 0 { runs.idle += 1 }
      }
      return runs
    }
    return (runs, order.count - runs.count)
  }
}

/// Of fewer runs nobody knows what is usual.
private let leastCompared = 3

extension [RecordedStory.Step] {
  /// True for runs of one statement that changed different numbers of rows.
  var changeUnlikeRows: Bool {
    count >= leastCompared && Set(compactMap(\.changedRows)).count > 1
  }
}

extension StatementText {
  /// True when it begins a transaction, or ends one that stays.
  fileprivate var opensOrKeeps: Bool {
    switch kind {
    case .begin, .commit, .savepoint, .release: true
    default: false
    }
  }
}

extension StoryStep {
  fileprivate mutating func keepRows(_ count: Int) {
    results = Array(results.prefix(count))
    for index in changes.indices { changes[index].keepRows(count) }
    for index in consequences.indices { consequences[index].keepRows(count) }
  }
}

extension StoryTableChanges {
  fileprivate mutating func keepRows(_ count: Int) {
    omitted += max(0, changes.count - count)
    changes = Array(changes.prefix(count))
  }
}
