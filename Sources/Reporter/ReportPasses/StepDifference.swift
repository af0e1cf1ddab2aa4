import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportStory

/// The differences between corresponding steps of a failed run and a pass.
struct StepDifference {
  enum Kind: Hashable {
    case text
    /// A value given to the statement, by position.
    case value(Int)
    /// A written cell, by table and column.
    case cell(String, Int)
    case database, error, rowsChanged, rowsRead

    var words: String {
      switch self {
      case .text: "text"
      case .value(let place): place < 0 ? "values" : "value \(place + 1)"
      case .cell(let table, let column): column < 0 ? "key of \(table)" : "column \(column + 1) of \(table)"
      case .database: "database"
      case .error: "error"
      case .rowsChanged: "rows changed"
      case .rowsRead: "rows read"
      }
    }
  }

  struct Change {
    /// `line.amount`; `nil` for a parameter.
    var column: String?
    var failed: String
    var passed: String
  }

  private(set) var kinds: Set<Kind> = []
  private(set) var values: [Change] = []
  /// The differing cells that both wrote.
  private(set) var written: [(failed: DatabaseValue, passed: DatabaseValue)] = []
  /// Rows that only one returned, if all are known.
  private(set) var onlyFailed: [[DatabaseValue]] = []
  private(set) var onlyPassed: [[DatabaseValue]] = []
  /// How incompletely recorded rows differ.
  private(set) var untoldRows: UntoldRows?

  enum UntoldRows {
    /// The recorded rows differ, or only in order.
    case other, reordered
    case unknown
  }

  private(set) var tables: Set<StoryTable> = []

  private static let mostCells = 60
  private static let mostPairs = 40_000

  private mutating func note(_ kind: Kind) { kinds.insert(kind) }

  /// - Parameters:
  ///   - databases: Databases of the failed run by those of the pass.
  ///   - told: Steps of the failed run.
  ///   - others: Steps of the pass.
  init(
    _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, databases: [Int: Int], in told: ToldSteps,
    _ others: ToldSteps,
    _ renaming: inout Renaming
  ) {
    if failed.sql != passed.sql, failed.bareStatement != passed.bareStatement { note(.text) }
    if isElsewhere(failed, passed, databases, told, others) { note(.database) }
    if failed.recorded.error != passed.recorded.error,
      !isSame(failed.recorded.error, passed.recorded.error, &renaming)
    {
      note(.error)
    }
    compareChanges(failed, passed, told, &renaming)
    if !kinds.contains(.text) { compareLiterals(failed, passed, &renaming) }
    if !failed.text.isWrite { compareResults(failed, passed, told, &renaming) }
  }

  /// True for different database files, if known.
  private func isElsewhere(
    _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, _ databases: [Int: Int], _ told: ToldSteps,
    _ others: ToldSteps
  ) -> Bool {
    guard let one = told.databases[safe: failed.database], let two = others.databases[safe: passed.database],
      one.path != nil, two.path != nil
    else { return false }
    let names = [one, two].map { VaryingText(String($0.name.split(separator: "/").last ?? "")) }
    // A temporary name says nothing.
    guard names.allSatisfy(\.parts.isEmpty) else { return false }
    return databases[passed.database] != failed.database || names[0] != names[1]
  }

  private func isSame(
    _ error: RecordedStory.Failure?, _ other: RecordedStory.Failure?, _ renaming: inout Renaming
  ) -> Bool {
    guard let error, let other, error.code == other.code else { return false }
    return renaming.isSame(.text(error.message), .text(other.message))
  }

  // MARK: - What it was given

  private mutating func compareLiterals(
    _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, _ renaming: inout Renaming
  ) {
    let (text, other) = (failed.asked, passed.asked)
    guard text != other, (failed.recorded.expanded == nil) == (passed.recorded.expanded == nil) else {
      return
    }
    let (literals, others) = (failed.literals, passed.literals)
    guard literals.count == others.count else { return note(.value(-1)) }
    for (place, pair) in zip(literals, others).enumerated() where pair.0 != pair.1 {
      let (value, otherValue) = (Self.value(pair.0), Self.value(pair.1))
      if renaming.isSame(value, otherValue) || renaming.isSomeKey(value, otherValue) { continue }
      note(.value(place))
      if values.isEmpty || values.allSatisfy({ $0.column == nil }) {
        values.append(Change(column: nil, failed: pair.0, passed: pair.1))
      }
    }
  }

  static func value(_ literal: String) -> DatabaseValue {
    if let number = Int64(literal) { return .integer(number) }
    if let number = Double(literal) { return .real(number) }
    guard literal.hasPrefix("'"), literal.hasSuffix("'"), literal.utf8.count > 1 else {
      return .text(literal)
    }
    return .text(String(literal.dropFirst().dropLast()).replacing("''", with: "'"))
  }

  // MARK: - What it wrote

  private mutating func compareChanges(
    _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, _ told: ToldSteps, _ renaming: inout Renaming
  ) {
    let (changes, others) = (failed.written, passed.written)
    let areAlike =
      changes.count == others.count
      && zip(changes, others).allSatisfy {
        $0.table.name == $1.table.name && $0.told.operation == $1.told.operation
          && $0.told.depth == $1.told.depth
      }
    guard areAlike else {
      note(.rowsChanged)
      var counts: [StoryTable: Int] = [:]
      for change in changes { counts[change.table, default: 0] += 1 }
      for change in others {
        let database = counts.keys.first { $0.name == change.table.name }?.database ?? failed.database
        counts[StoryTable(database: database, name: change.table.name), default: 0] -= 1
      }
      tables.formUnion(counts.filter { $0.value != 0 }.keys)
      if tables.isEmpty { tables.formUnion(counts.keys) }
      return
    }
    if changes.isEmpty, failed.recorded.changed != passed.recorded.changed, failed.recorded.changed != nil,
      passed.recorded.changed != nil
    {
      note(.rowsChanged)
    }
    for (change, other) in zip(changes, others) {
      compare(
        change, other, isGiven: renaming.isGiven(change, of: failed, other, of: passed), told, &renaming)
    }
  }

  private mutating func compare(
    _ change: ToldSteps.Change, _ other: ToldSteps.Change, isGiven: Bool, _ told: ToldSteps,
    _ renaming: inout Renaming
  ) {
    let (table, columns) = (change.table, change.columns)
    let references = told.references[table] ?? []
    let isInsert = change.told.operation == .insert
    if let key = change.told.key, let otherKey = other.told.key {
      let isSame =
        isGiven && key != otherKey
        ? false
        : isInsert
          ? renaming.bind(.integer(key), .integer(otherKey), in: table.name)
          : renaming.isSame(key: .integer(key), .integer(otherKey), in: table.name)
      if !isSame { found(.cell(table.name, -1), in: table, nil, .integer(key), .integer(otherKey)) }
    }
    guard change.told.new.count == other.told.new.count else { return note(.rowsChanged) }
    for (column, pair) in zip(change.told.new, other.told.new).enumerated() {
      guard let value = pair.0, let otherValue = pair.1 else { continue }
      let name = columns.columnName(column)
      if let reference = references.first(where: { $0.column == name }) {
        if renaming.isSame(key: value, otherValue, in: reference.parent)
          || renaming.isSame(value, otherValue) && !renaming.isKnown(value, in: reference.parent)
        {
          continue
        }
      } else if change.isRowID(value), other.isRowID(otherValue) {
        continue
      } else if renaming.isSame(value, otherValue) || value == otherValue {
        continue
      }
      found(.cell(table.name, column), in: table, name, value, otherValue)
    }
  }

  private mutating func found(
    _ kind: Kind, in table: StoryTable, _ column: String?, _ value: DatabaseValue, _ other: DatabaseValue
  ) {
    note(kind)
    tables.insert(table)
    guard values.count < Self.mostCells else { return }
    written.append((value, other))
    values.append(
      Change(
        column: column.map { "\(table.name).\($0)" } ?? "the key in \(table.name)", failed: Self.text(value),
        passed: Self.text(other)))
  }

  static func text(_ value: DatabaseValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text, _): "'\(shortened(text, to: 60))'"
    case .blob(let bytes, let whole): "a blob of \(whole?.bytes ?? bytes.count) bytes"
    }
  }

  // MARK: - What it returned

  static func isOrdered(_ sql: String) -> Bool {
    let words = SQLToken.all(in: sql).outside.map(\.folded)
    return zip(words, words.dropFirst()).contains { $0 == ("ORDER", "BY") }
  }

  private mutating func compareResults(
    _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, _ told: ToldSteps, _ renaming: inout Renaming
  ) {
    let (one, two) = (failed.recorded, passed.recorded)
    guard !one.isWithheld, !two.isWithheld else { return }
    // An unfinished read has an unknown number of rows.
    guard (one.rows == nil) == (two.rows == nil) || one.error != nil || two.error != nil else { return }
    let (rows, others) = (one.results, two.results)
    let domains = told.domains(of: failed)
    let isWhole = rows.count == one.rows ?? rows.count && others.count == two.rows ?? others.count
    if one.rows == two.rows, rows.count == others.count {
      var tried = renaming
      if zip(rows, others).allSatisfy({ isSame($0, $1, domains, &tried) }) {
        renaming = tried
        return
      }
    }
    let isOrdered = Self.isOrdered(failed.sql) && Self.isOrdered(passed.sql)
    if !isWhole, !isOrdered, one.rows == two.rows { return }
    var (rest, left) = (rows, others)
    if rest.count * left.count > Self.mostPairs {
      takeOutEqual(&rest, &left, domains, &renaming)
      guard rest.count * left.count <= Self.mostPairs else {
        untoldRows = .unknown
        return note(.rowsRead)
      }
    }
    for row in rest {
      var found = renaming
      let place = left.firstIndex { other in
        var tried = renaming
        guard isSame(row, other, domains, &tried) else { return false }
        found = tried
        return true
      }
      if let place {
        left.remove(at: place)
        renaming = found
      } else {
        onlyFailed.append(row.map { $0 ?? .null })
      }
    }
    onlyPassed = left.map { $0.map { $0 ?? .null } }
    if !isWhole {
      untoldRows = onlyFailed.isEmpty && onlyPassed.isEmpty ? .reordered : .other
      (onlyFailed, onlyPassed) = ([], [])
    }
    if one.rows == two.rows, onlyFailed.isEmpty, onlyPassed.isEmpty, isWhole, !isOrdered { return }
    note(.rowsRead)
  }

  /// Removes equal rows from both sides.
  private func takeOutEqual(
    _ rows: inout [[DatabaseValue?]], _ others: inout [[DatabaseValue?]], _ domains: [Int: String],
    _ renaming: inout Renaming
  ) {
    var counts: [[DatabaseValue?]: Int] = [:]
    for row in others { counts[row, default: 0] += 1 }
    var taken: [[DatabaseValue?]: Int] = [:]
    rows.removeAll { row in
      guard counts[row, default: 0] > taken[row, default: 0], isSame(row, row, domains, &renaming) else {
        return false
      }
      taken[row, default: 0] += 1
      return true
    }
    others.removeAll { row in
      guard let count = taken[row], count > 0 else { return false }
      taken[row] = count - 1
      return true
    }
  }

  private func isSame(
    _ row: [DatabaseValue?], _ other: [DatabaseValue?], _ domains: [Int: String], _ renaming: inout Renaming
  ) -> Bool {
    guard row.count == other.count else { return false }
    for (column, pair) in zip(row, other).enumerated() {
      guard let value = pair.0, let otherValue = pair.1 else { continue }
      if let domain = domains[column], renaming.isKnown(value, in: domain) {
        if renaming.isSame(key: value, otherValue, in: domain) { continue }
        return false
      }
      if value == otherValue || renaming.isSame(value, otherValue) { continue }
      return false
    }
    return true
  }
}

extension ToldSteps.Step {
  var literals: [String] {
    let sql = asked
    return SQLToken.literals(in: sql, names: []).filter { !$0.isComment }.map { String(sql[$0.place]) }
  }
}

extension ToldSteps.Change {
  func isRowID(_ value: DatabaseValue) -> Bool {
    guard case .integer(let number) = value else { return false }
    return number == told.newKey ?? told.key
  }
}

extension ToldSteps {
  /// Result columns with keys, and the tables they refer to.
  fileprivate func domains(of step: Step) -> [Int: String] {
    var domains: [Int: String] = [:]
    for (place, column) in step.recorded.columns.enumerated() {
      for (table, names) in keys
      where names.contains(column) && step.text.names.contains(table.name.lowercased()) {
        let parent = references[table]?.first { $0.column == column }?.parent
        // The column is ambiguous.
        let domain = parent ?? table.name
        if let known = domains[place], known != domain {
          domains[place] = nil
        } else {
          domains[place] = domain
        }
      }
    }
    return domains
  }
}
