import Collector
import ReportInspection
import ReportModel
import ReportPlaces

/// Tells the steps of a test by the lines of its function.
struct TestLines {
  private static let mostCalled = 12
  private static let mostWrites = 20
  private static let mostNotes = 3
  private static let mostRuns = 2

  let test: TestCaseID
  /// The last steps of the set-up and before the failure.
  let baseline: Int
  let failure: Int
  /// The place of the first failure.
  let failed: SourceReference?
  let step: (Int) -> (recorded: RecordedStory.Step, text: StatementText)
  /// True where changes were not taken back before the failure.
  let stands: (Int) -> Bool
  let net: ([Int], Bool) -> ChangeSummary
  /// True where the database was locked and the statement ran later.
  let isRetried: (Int) -> Bool
  /// What went with tables that these steps dropped.
  let lost: ([Int]) -> [String]

  fileprivate struct Visited {
    var kind: TestLine.Kind
    var times = 0
    var places: [Int] = []
    var called: [String: Int] = [:]
    var calls: [(place: Place, places: [Int], counted: Int, rows: Int)] = []
    var counted = 0
  }

  /// - Parameter counted: Overwritten steps before the others.
  /// - Returns: None where no step has a place.
  func lines(
    of steps: [(number: Int, stack: CallStack?)], after counted: [(RecordedStory.Overwritten, CallStack?)]
  ) -> [TestLine] {
    guard steps.contains(where: { $0.stack?.frames.isEmpty == false }) else { return [] }
    var visited: [Visited] = []
    var known: [String: Int] = [:]
    var last: String?
    func visit(_ kind: TestLine.Kind, _ key: String) -> Int {
      let index = known[key, default: visited.count]
      if index == visited.count { visited.append(Visited(kind: kind)) }
      known[key] = index
      return index
    }
    for (overwritten, stack) in counted {
      let (kind, inner) = self.kind(of: (overwritten.last, stack))
      let line = visit(kind, Self.key(kind))
      visited[line].counted += overwritten.steps
      if let inner { visited[line].add(inner, overwritten) }
    }
    for (index, step) in steps.enumerated() where step.number <= failure {
      let (kind, inner) = self.kind(of: step)
      let key = Self.key(kind)
      let line = visit(kind, key)
      if last != key { visited[line].times += 1 }
      last = key
      visited[line].places.append(index)
      if let inner { visited[line].add(inner, index) }
    }
    return ordered(visited.map { line($0, steps) })
  }

  private func kind(of step: (number: Int, stack: CallStack?)) -> (kind: TestLine.Kind, inner: Place?) {
    let frames = step.stack?.frames ?? []
    let place = step.stack?.place
    if step.number <= baseline { return (.setUp, place) }
    guard let stack = step.stack, let own = stack.frames(of: test) else {
      return (frames.contains(where: \.place.isSetUp) ? .setUp : .elsewhere, place)
    }
    return (.line(frames[own.lowerBound].place), stack.telling < own.lowerBound ? place : nil)
  }

  private static func key(_ kind: TestLine.Kind) -> String {
    switch kind {
    case .setUp: "set-up"
    case .elsewhere: "elsewhere"
    case .line(let place): "\(place.file ?? ""):\(place.line ?? 0)"
    }
  }

  private func line(_ visited: Visited, _ steps: [(number: Int, stack: CallStack?)]) -> TestLine {
    var line = TestLine(
      kind: visited.kind, times: visited.times, steps: visited.places.count + visited.counted,
      counted: visited.counted)
    line.first = visited.places.first.map { steps[$0].number }
    line.last = visited.places.last.map { steps[$0].number }
    line.failures = failures(visited.places)
    if visited.kind != .setUp {
      let changes = net(visited.places, true)
      line.sentence = changes.sentence
      let columns = changes.tables.flatMap { table in
        table.columnNotes.map { "\(table.table.name).\($0)" }
      }
      let made = Set(changes.tables.filter { $0.fate == .created }.map { $0.table.name.lowercased() })
      // What fills its own new tables is a set-up.
      line.writes = writes(
        visited.places.filter { place in
          let text = step(place).text
          let target = text.target?.lowercased() ?? ""
          return text.kind != .insert || !made.contains(target)
            || text.readsTable && text.names.intersection(made) == [target]
        })
      line.notes =
        lost(visited.places)
        + unlikeRuns(visited.places).prefix(Self.mostRuns) + columns.prefix(Self.mostNotes)
    }
    line.called = visited.calls.prefix(Self.mostCalled).map { call in
      let rows = call.rows > 0 ? "\(grouped(call.rows)) rows changed that are only counted" : ""
      let isAll = visited.kind != .setUp && call.places.count == visited.places.count
      let changes = call.places.isEmpty ? "" : isAll ? line.sentence : net(call.places, false).sentence
      let sentences = [changes, rows].filter { !$0.isEmpty }
      return TestLine.Called(
        place: call.place, steps: call.places.count + call.counted,
        first: call.places.first.map { steps[$0].number },
        last: call.places.last.map { steps[$0].number }, sentence: sentences.joined(separator: ", "),
        failures: failures(call.places))
    }
    line.omittedCalled = max(0, visited.calls.count - Self.mostCalled)
    return line
  }

  /// `12 of 36 “UPDATE invoice” changed 2 or 3 rows`.
  private func unlikeRuns(_ places: [Int]) -> [String] {
    let writes = places.filter(stands).map(step).filter {
      $0.text.isWrite && $0.recorded.error == nil && $0.recorded.changed != nil
    }
    return writes.groups { $0.recorded.sql }.filter { $0.map(\.recorded).changeUnlikeRows }.compactMap {
      runs in
      let counts = runs.compactMap(\.recorded.changedRows)
      let alike = counts.groups { $0 }.sorted { $0.count > $1.count }
      guard alike[0].count > alike[1].count, let usual = alike[0].first else { return nil }
      let others = counts.filter { $0 != usual }
      guard let least = others.min(), let most = others.max() else { return nil }
      let rows =
        least == most ? "\(least == 0 ? "no" : grouped(least))" : "\(grouped(least)) to \(grouped(most))"
      return
        "\(grouped(others.count)) of \(grouped(counts.count)) “\(runs[0].text.name)” changed \(rows) \(most == 1 || most == 0 ? "row" : "rows"), the others \(usual == 0 ? "none" : grouped(usual))"
    }
  }

  private func writes(_ places: [Int]) -> [TestLine.Write] {
    let writes = places.filter(stands).map(step).filter {
      $0.text.isWrite && !$0.recorded.isWithheld && $0.recorded.error == nil && $0.recorded.changed != nil
    }
    let all = writes.groups { Self.form(of: $0) }.map { runs in
      let isOne = runs.allSatisfy { $0.recorded.sql == runs[0].recorded.sql }
      return TestLine.Write(
        sql: isOne ? runs[0].recorded.sql : Self.form(of: runs[0]), runs: runs.count,
        rows: runs.reduce(0) { $0 + ($1.recorded.changedRows ?? 0) },
        isUnlike: runs.map(\.recorded).changeUnlikeRows)
    }
    return Array(all.filter { $0.rows > 0 }.prefix(Self.mostWrites))
  }

  /// The statement without values.
  private static func form(of step: (recorded: RecordedStory.Step, text: StatementText)) -> String {
    StatementText.withoutLiterals(step.recorded.sql, names: step.text.names)
  }

  private func failures(_ places: [Int]) -> TestLine.Failures? {
    let failures = places.compactMap { step($0).recorded.error }
    let alike = failures.groups { $0.message }
    // Of as many, the first.
    guard let most = alike.reversed().max(by: { $0.count <= $1.count }) else { return nil }
    return TestLine.Failures(
      steps: failures.count, most: most[0], mostSteps: most.count,
      isRetried: places.allSatisfy { step($0).recorded.error == nil || isRetried($0) })
  }

  /// The set-up first, what is off the test's stack behind its lines, the failing line last.
  private func ordered(_ lines: [TestLine]) -> [TestLine] {
    var (setUp, own, others): ([TestLine], [TestLine], [TestLine]) = ([], [], [])
    for line in lines {
      switch line.kind {
      case .setUp: setUp.append(line)
      case .line: own.append(line)
      case .elsewhere: others.append(line)
      }
    }
    return setUp + own.filter { !isFailed($0) } + others + failedLine(among: own)
  }
}

extension TestLines {
  private func isFailed(_ line: TestLine) -> Bool {
    guard let failed, let place = line.place else { return false }
    return place.file == failed.file && place.line == failed.line
  }

  /// Also where it did nothing.
  private func failedLine(among lines: [TestLine]) -> [TestLine] {
    guard let failed, failed.line != nil, let like = lines.first?.place else { return [] }
    var place = like
    (place.file, place.line) = (failed.file, failed.line)
    var line = lines.first(where: isFailed) ?? TestLine(kind: .line(place))
    line.isFailure = true
    return [line]
  }
}

extension TestLines.Visited {
  mutating func add(_ place: Place, _ step: Int) { calls[call(at: place)].places.append(step) }

  mutating func add(_ place: Place, _ counted: RecordedStory.Overwritten) {
    let index = call(at: place)
    calls[index].counted += counted.steps
    calls[index].rows += counted.rows
  }

  private mutating func call(at place: Place) -> Int {
    let key = "\(place.file ?? place.symbol):\(place.line ?? 0)"
    if let index = called[key] { return index }
    called[key] = calls.count
    calls.append((place, [], 0, 0))
    return calls.count - 1
  }
}

extension Place {
  /// True for XCTest's set-up functions and a suite's initialiser.
  var isSetUp: Bool {
    let function = name.function.split(separator: ".").last ?? ""
    return ["setUp()", "setUpWithError()"].contains(function) || function.hasPrefix("init(")
  }
}
