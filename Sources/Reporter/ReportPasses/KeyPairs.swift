import Collector
import ExhibitSQLite
import ReportCauses
import ReportModel
import ReportStory

/// Maps keys that the database generated in the pass to those of the same rows in the failed run.
///
/// Keys differ when other tests made rows before, though statements name rows by them.
struct KeyPairs {
  /// By table in lower case, without ambiguous keys; empty when all are equal.
  private var keys: [String: [Int64: Int64]] = [:]
  private let columns: KeyColumns

  /// The failed run's keys map to themselves.
  init(ofFailed columns: KeyColumns) { self.columns = columns }

  /// Rows correspond by their content without keys and varying parts, then by order unless their numbers differ.
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

  func renamed(_ key: Int64, in table: String) -> Int64 { keys[table.lowercased()]?[key] ?? key }

  /// A step's literals with mapped keys and without moments.
  func literals(of step: ToldSteps.Step) -> [String] {
    let named = Named(by: step, self)
    return step.literals.map { Self.shape($0, named) }
  }

  /// A step's statement with values, mapped in the same way.
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
    // Other numbers are no moments.
    guard literal.utf8.count >= 10, let number = Double(literal), Renaming.mayBeMoment(number) else {
      return literal
    }
    return "moment"
  }

  /// The tables whose keys a step may name: of changed rows and their parents, else all named ones.
  private struct Named {
    private(set) var tables: Set<String> = []
    private let pairs: KeyPairs

    init(by step: ToldSteps.Step, _ pairs: KeyPairs) {
      self.pairs = pairs
      guard !pairs.keys.isEmpty else { return }
      let columns = pairs.columns
      for change in step.written {
        let table = change.table.name
        if change.told.operation != .insert { tables.insert(table.lowercased()) }
        tables.formUnion(columns.parents(of: table.lowercased()))
      }
      guard step.written.isEmpty else { return }
      tables = step.touched
      for table in step.touched { tables.formUnion(columns.parents(of: table)) }
    }

    /// The mapped key, unless ambiguous.
    func renamed(_ number: Int64) -> Int64? {
      let found = Set(tables.compactMap { pairs.keys[$0]?[number] })
      return found.count == 1 ? found.first : nil
    }
  }

  /// A changed row's table and values without its key and moments, with mapped foreign keys.
  func content(_ change: ToldSteps.Change) -> [String] { columns.content(change, of: self) }
}

/// Which columns hold generated keys.
struct KeyColumns {
  /// By table name; a pass has no captured schema.
  private var columns: [String: [String]] = [:]
  private var keys: [String: Set<String>] = [:]
  private var references: [String: [String: String]] = [:]
  /// All referenced tables by table in lower case, a cache.
  private var parents: [String: Set<String>] = [:]

  init(_ failed: ToldSteps, _ passed: ToldSteps) {
    // Of equally named tables, the first database's.
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

  func parent(of column: Int, in table: String) -> String? {
    guard let references = references[table], let name = columns[table]?[safe: column] else { return nil }
    return references[name]
  }

  /// Parents by table, all in lower case.
  fileprivate func parents(of table: String) -> Set<String> { parents[table] ?? [] }

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
