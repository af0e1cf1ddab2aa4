/// A statement with one change.
package struct StatementVariant: Sendable, Hashable {
  /// Without a final semicolon.
  package var sql: String
  package var operatorName: String
  /// How a sentence begins: `With “<=” for “<” in “starts_at < ?”`.
  package var words: String
  /// The same with `?` for literals.
  package var bare: String
  /// The size: 0 an operator, keyword or value, 1 a condition, 2 an order or what is in an aggregate, 3 a clause,
  /// 4 the statement.
  package var rank: Int
  /// How common the corrected slip is, at most 1.
  package var likelihood = 1.0

  package init(sql: String, operatorName: String, words: String, bare: String, rank: Int) {
    (self.sql, self.operatorName, self.words, self.bare) = (sql, operatorName, words, bare)
    self.rank = rank
  }
}

/// What operators know besides the statement.
package struct OperatorContext: Sendable {
  package struct Column: Sendable, Hashable {
    package var name: String
    package var isNumeric: Bool
    package var isKey: Bool
    /// Declared as text.
    package var collectsTexts: Bool
    package var values: ColumnValues

    package init(
      name: String, isNumeric: Bool = false, isKey: Bool = false, collectsTexts: Bool = false,
      values: ColumnValues = ColumnValues()
    ) {
      (self.name, self.isNumeric, self.isKey) = (name, isNumeric, isKey)
      (self.collectsTexts, self.values) = (collectsTexts, values)
    }

    /// True where one can be taken for the other.
    func holdsLike(_ other: Column) -> Bool {
      isNumeric == other.isNumeric && collectsTexts == other.collectsTexts
        && values.holdsMoments == other.values.holdsMoments
    }
  }

  /// Columns by table in lower case.
  package var tables: [String: [Column]] {
    didSet { facts = StatementFacts(statements, tables) }
  }
  /// The test's statements by first run, including schema changes.
  package var statements: [String] {
    didSet { facts = StatementFacts(statements, tables) }
  }
  /// By statement, of those that changed rows.
  package var changedRows: [String: ChangedRows] = [:]
  private(set) var facts: StatementFacts

  package init(tables: [String: [Column]] = [:], statements: [String] = []) {
    (self.tables, self.statements) = (tables, statements)
    facts = StatementFacts(statements, tables)
  }

  /// - Parameter table: In lower case.
  func column(_ name: String, of table: String) -> Column? {
    let folded = name.lowercased()
    return tables[table]?.first { $0.name.lowercased() == folded }
  }

  /// Tables and columns in lower case; other double-quoted tokens are texts.
  var names: Set<String> {
    Set(tables.keys).union(tables.values.joined().map { $0.name.lowercased() })
  }
}
