import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportStory

/// The keys that the database gave to rows of the pass, with those that it gave to the same rows in the failed run.
///
/// Where other tests have made rows before, all keys are others. Without them a statement is told from others of its kind
/// by the rows that it names, and these by their keys.
struct KeyPairs {
  /// By table, in lower case: of the pass's keys those of the failed run.
  ///
  /// Has none for a key that two rows had in turn. Empty where all are the same.
  private var keys: [String: [Int64: Int64]] = [:]
  private let columns: KeyColumns

  /// Keys of the failed run stand for themselves.
  init(ofFailed columns: KeyColumns) { self.columns = columns }

  /// Rows are the same that have the same content beside keys and what varies; those that are alike in it by their order,
  /// unless one run made more of them.
  init(_ failed: ToldSteps, _ passed: ToldSteps, _ columns: KeyColumns) {
    self.columns = columns
    let (rows, others) = (Self.rows(failed, columns), Self.rows(passed, columns))
    var several: [String: Set<Int64>] = [:]
    for (content, made) in rows {
      guard let madeThen = others[content], made.count == madeThen.count, let name = content.first else {
        continue
      }
      let table = name.lowercased()
      for (key, other) in zip(made, madeThen) {
        if keys[table]?[other] ?? key != key { several[table, default: []].insert(other) }
        keys[table, default: [:]][other] = key
      }
    }
    for (table, reused) in several { for key in reused { keys[table]?[key] = nil } }
    if keys.values.allSatisfy({ pairs in pairs.allSatisfy { $0 == $1 } }) { keys = [:] }
  }

  /// The keys of the rows that a story inserts, by their content.
  private static func rows(_ told: ToldSteps, _ columns: KeyColumns) -> [[String]: [Int64]] {
    var rows: [[String]: [Int64]] = [:]
    for step in told.steps {
      for change in step.written where change.told.operation == .insert {
        guard let key = change.told.key else { continue }
        rows[columns.content(change, of: nil), default: []].append(key)
      }
    }
    return rows
  }

  /// The failed run's key of a row of a table.
  func renamed(_ key: Int64, in table: String) -> Int64 { keys[table.lowercased()]?[key] ?? key }

  /// The literals of a step, with the failed run's keys, and without what varies.
  func literals(of step: ToldSteps.Step) -> [String] {
    let named = Named(by: step, self)
    return step.literals.map { Self.shape($0, named) }
  }

  /// The statement of a step with its values, so.
  func asked(by step: ToldSteps.Step) -> String {
    let (sql, named) = (step.asked, Named(by: step, self))
    var (text, end) = ("", sql.startIndex)
    for literal in SQLToken.literals(in: sql, names: []) where !literal.isComment {
      text += sql[end..<literal.place.lowerBound]
      text += Self.shape(String(sql[literal.place]), named)
      end = literal.place.upperBound
    }
    return text + sql[end...]
  }

  private static func shape(_ literal: String, _ named: Named) -> String {
    guard literal.utf8.first?.isDigit == true else { return VaryingText(literal).shape }
    if !named.tables.isEmpty, let number = Int64(literal), let key = named.renamed(number) {
      return String(key)
    }
    // No other number may be a moment.
    guard literal.utf8.count >= 10, let number = Double(literal), Renaming.mayBeMoment(number) else {
      return literal
    }
    return "moment"
  }

  /// The keys that a step may name: of rows that it changed, and of those that these refer to; where it changed none, those of
  /// all tables that it names.
  private struct Named {
    private(set) var tables: Set<String> = []
    private let pairs: KeyPairs

    init(by step: ToldSteps.Step, _ pairs: KeyPairs) {
      self.pairs = pairs
      guard !pairs.keys.isEmpty else { return }
      let columns = pairs.columns
      for change in step.written {
        let table = change.table.name
        // The key of a new row is given by nobody.
        if change.told.operation != .insert { tables.insert(table.lowercased()) }
        tables.formUnion(columns.parents(of: table.lowercased()))
      }
      guard step.written.isEmpty else { return }
      tables = step.touched
      for table in step.touched { tables.formUnion(columns.parents(of: table)) }
    }

    /// The failed run's key for a number; `nil` where it is none, or the key of several rows.
    func renamed(_ number: Int64) -> Int64? {
      let found = Set(tables.compactMap { pairs.keys[$0]?[number] })
      return found.count == 1 ? found.first : nil
    }
  }

  /// The table of a change and the row's values, without its own key and moments, and with the failed run's keys of others.
  func content(_ change: ToldSteps.Change) -> [String] { columns.content(change, of: self) }
}

/// The columns that hold keys that the database gave.
struct KeyColumns {
  /// By the name of the table; of a pass no file is there that tells them.
  private var columns: [String: [String]] = [:]
  private var keys: [String: Set<String>] = [:]
  /// By table and column the table to whose rows it refers.
  private var references: [String: [String: String]] = [:]
  /// By table all such tables, in lower case: each change of a row asks for them.
  private var parents: [String: Set<String>] = [:]

  init(_ failed: ToldSteps, _ passed: ToldSteps) {
    // Of tables of one name in several databases the first database's.
    func sorted<Value>(_ tables: [StoryTable: Value]) -> [(key: StoryTable, value: Value)] {
      tables.sorted { ($1.key.database, $1.key.name) < ($0.key.database, $0.key.name) }
    }
    for (table, names) in sorted(failed.columns) { columns[table.name] = names }
    for (table, names) in sorted(failed.keys) { keys[table.name] = names }
    for (table, found) in sorted(passed.references) + sorted(failed.references) {
      for reference in found { references[table.name, default: [:]][reference.column] = reference.parent }
    }
    for (name, found) in references {
      parents[name.lowercased(), default: []].formUnion(found.values.map { $0.lowercased() })
    }
  }

  /// The table to whose rows a column refers.
  func parent(of column: Int, in table: String) -> String? {
    guard let references = references[table], let name = columns[table]?[safe: column] else { return nil }
    return references[name]
  }

  /// The tables to whose rows a table refers; all names are in lower case.
  fileprivate func parents(of table: String) -> Set<String> { parents[table] ?? [] }

  /// - Parameter pairs: What stands for the keys of other rows; `nil` where they are left out.
  fileprivate func content(_ change: ToldSteps.Change, of pairs: KeyPairs?) -> [String] {
    let values = change.told.new.isEmpty ? change.told.old : change.told.new
    let name = change.table.name
    return [name]
      + values.enumerated().map { column, value in
        switch value {
        case .text(let text, _): VaryingText(text).shape
        case .integer(let number):
          if change.isRowID(.integer(number)) && mayBeKey(column, in: name) {
            "key"
          } else if let parent = parent(of: column, in: name) {
            pairs.map { "\($0.renamed(number, in: parent))" } ?? "key"
          } else {
            Renaming.mayBeMoment(Double(number)) ? "moment" : "\(number)"
          }
        case .real(let number): Renaming.mayBeMoment(number) ? "moment" : "\(number)"
        case .blob(let bytes, _): bytes.count == 16 ? "identifier" : "\(bytes)"
        case .null: "null"
        case nil: "?"
        }
      }
  }

  private func mayBeKey(_ column: Int, in table: String) -> Bool {
    guard let name = columns[table]?[safe: column], let keys = keys[table], !keys.isEmpty else { return true }
    return keys.contains(name)
  }
}
