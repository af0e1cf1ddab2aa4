import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportPlaces
import ReportStory

/// Matches the steps of a failed run and a pass.
///
/// Steps match by statement, stack functions and database. In each database, connections that only read are matched
/// separately, since their order to writers is arbitrary.
struct StepMatch {
  struct Pair {
    var failed: Int?
    var passed: Int?
    /// True when their values were ignored.
    var isLoose = false

    var isAlone: Bool { failed == nil || passed == nil }
  }

  private(set) var pairs: [Pair] = []
  /// Databases of the failed run by those of the pass.
  let databases: [Int: Int]
  /// True when both sides have stacks.
  let usesPlaces: Bool
  var lone: (failed: Set<Int>, passed: Set<Int>) {
    (
      Set(failed.databases.indices).subtracting(databases.values),
      Set(passed.databases.indices).subtracting(databases.keys)
    )
  }

  private let failed: ToldSteps
  private let passed: ToldSteps
  private let keys: (failed: StepKeys, passed: StepKeys)
  let keyPairs: (failed: KeyPairs, passed: KeyPairs)

  init(_ failed: ToldSteps, _ passed: ToldSteps) {
    (self.failed, self.passed) = (failed, passed)
    databases = Self.databases(failed.databases, passed.databases)
    let columns = KeyColumns(failed, passed)
    keyPairs = (KeyPairs(ofFailed: columns), KeyPairs(failed, passed, columns))
    var names = Numbering<String>()
    usesPlaces = [failed, passed].allSatisfy { told in
      told.steps.contains { $0.stack?.frames.isEmpty == false }
    }
    let own = Dictionary(uniqueKeysWithValues: failed.databases.indices.map { ($0, $0) })
    let keyed = (
      failed: StepKeys(failed, databases: own, usesPlaces: usesPlaces, keyPairs.failed, &names),
      passed: StepKeys(passed, databases: databases, usesPlaces: usesPlaces, keyPairs.passed, &names)
    )
    keys = keyed
    for lane in Set(keyed.failed.lanes + keyed.passed.lanes).sorted() {
      let one = failed.steps.indices.filter { keyed.failed.lanes[$0] == lane }
      let two = passed.steps.indices.filter { keyed.passed.lanes[$0] == lane }
      pairs += match(one, two, level: 0, isOpen: true)
    }
    order()
  }

  /// Matches by name, then by order.
  private static func databases(_ failed: [StoryDatabase], _ passed: [StoryDatabase]) -> [Int: Int] {
    var (found, free): ([Int: Int], [Int]) = ([:], Array(failed.indices))
    for index in passed.indices {
      guard let place = free.firstIndex(where: { failed[$0].name == passed[index].name }) else { continue }
      found[index] = free.remove(at: place)
    }
    for (index, other) in zip(passed.indices.filter({ found[$0] == nil }), free) { found[index] = other }
    return found
  }

  /// Aligns by the strictest keys, then the gaps by looser ones.
  private func match(_ one: [Int], _ two: [Int], level: Int, isOpen: Bool) -> [Pair] {
    guard level < StepKeys.levels, !one.isEmpty, !two.isEmpty else {
      return one.map { Pair(failed: $0, passed: nil) } + two.map { Pair(failed: nil, passed: $0) }
    }
    let alignment = Alignment(
      one.map { keys.failed.key($0, level) }, two.map { keys.passed.key($0, level) }, isOpen: isOpen)
    var (matched, rest): ([Pair], (failed: [Int], passed: [Int])) = ([], ([], []))
    for pair in alignment.pairs {
      if let first = pair.first, let second = pair.second {
        matched += match(rest.failed, rest.passed, level: level + 1, isOpen: false)
        rest = ([], [])
        matched.append(Pair(failed: one[first], passed: two[second], isLoose: level > 0))
      } else {
        if let first = pair.first { rest.failed.append(one[first]) }
        if let second = pair.second { rest.passed.append(two[second]) }
      }
    }
    return matched + match(rest.failed, rest.passed, level: level + 1, isOpen: isOpen)
  }

  /// Sorts by the failed run; steps of the pass follow their predecessors.
  private mutating func order() {
    var places = [Int](repeating: -1, count: passed.steps.count)
    for pair in pairs {
      if let first = pair.failed, let second = pair.passed { places[second] = first }
    }
    var before = -1
    for index in places.indices {
      if places[index] < 0 { places[index] = before } else { before = max(before, places[index]) }
    }
    pairs.sort { one, two in
      let places = (one.failed ?? places[one.passed ?? 0], two.failed ?? places[two.passed ?? 0])
      if places.0 != places.1 { return places.0 < places.1 }
      if (one.failed == nil) != (two.failed == nil) { return one.failed != nil }
      return one.passed ?? -1 < two.passed ?? -1
    }
  }
}

struct StepKeys {
  /// With values and written rows; with values; statement and functions; statement; function, read or write, and table.
  static let levels = 5

  private var keys: [[Int]] = []
  /// The database, and whether the connection only reads.
  private(set) var lanes: [Int] = []

  /// - Parameters:
  ///   - databases: Databases of the failed run.
  ///   - keyPairs: The mapping of keys.
  init(
    _ told: ToldSteps, databases: [Int: Int], usesPlaces: Bool, _ keyPairs: KeyPairs,
    _ names: inout Numbering<String>
  ) {
    let writers = Set(told.steps.filter { !$0.recorded.isReadOnly }.map(\.recorded.connection))
    var (stacks, texts): ([Int: Int], [String: Int]) = ([:], [:])
    for step in told.steps {
      let stack = (usesPlaces ? step.recorded.stack : nil).map { number in
        let named = stacks[number] ?? names.number("f " + step.functions)
        stacks[number] = named
        return named
      }
      let text = texts[step.sql] ?? names.number("s " + step.bareStatement.lowercased())
      texts[step.sql] = text
      let statement = names.number("\(stack ?? -1) \(text)")
      let values = keyPairs.asked(by: step)
      // Without a stack the table stands for the purpose.
      let target = (step.text.target ?? (stack == nil ? step.firstTable : nil) ?? "").lowercased()
      keys.append([
        names.number("\(statement) \(Self.written(by: step, keyPairs)) \(values)"),
        names.number("v \(statement) \(values)"), statement,
        names.number("t \(text)"),
        // A rewritten statement; other kinds only match by text.
        names.number(
          "k \(stack ?? -1) \(step.text.isWrite ? "write" : "\(step.text.kind)") \(target) \(step.text.kind == .other ? text : 0)"
        ),
      ])
      let database = databases[step.database] ?? told.databases.count + step.database
      lanes.append(2 * database + (writers.contains(step.recorded.connection) ? 0 : 1))
    }
  }

  func key(_ step: Int, _ level: Int) -> Int { keys[step][level] }

  /// Values of the first changed rows without varying parts.
  private static func written(by step: ToldSteps.Step, _ keyPairs: KeyPairs) -> String {
    step.written.lazy.filter { $0.told.depth == 0 }.prefix(2).map { change in
      let key = change.told.key.map { String(keyPairs.renamed($0, in: change.table.name)) }
      return (keyPairs.content(change) + [key ?? ""]).joined(separator: ",")
    }.joined(separator: ";")
  }
}
