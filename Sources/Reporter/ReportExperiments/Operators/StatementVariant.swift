/// A statement's text with one thing changed.
package struct StatementVariant: Sendable, Hashable {
  /// The whole statement, without the semicolon at its end.
  package var sql: String
  /// The name of the operator that made it.
  package var operatorName: String
  /// The change, as the beginning of a sentence: `With “<=” for “<” in “starts_at < ?”`.
  package var words: String
  /// The same with a `?` in the place of every literal, for readers who may not see values.
  package var bare: String
  /// The size of the change.
  ///
  /// 0 is a sign or a keyword, 1 a condition, 2 an order or an aggregate, 3 a clause, 4 the whole statement.
  package var rank: Int
  /// How usual the slip is that it undoes, 1 for the most usual ones.
  package var likelihood = 1.0

  package init(sql: String, operatorName: String, words: String, bare: String, rank: Int) {
    (self.sql, self.operatorName, self.words, self.bare) = (sql, operatorName, words, bare)
    self.rank = rank
  }
}

/// What is known beside a statement's text.
package struct OperatorContext: Sendable {
  /// A column as its table declares it.
  package struct Column: Sendable, Hashable {
    package var name: String
    package var isNumeric: Bool
    /// True of a column of the primary key.
    package var isKey: Bool
    /// True of a column that is declared as text.
    package var collectsTexts: Bool
    package var values: ColumnValues

    package init(
      name: String, isNumeric: Bool = false, isKey: Bool = false, collectsTexts: Bool = false,
      values: ColumnValues = ColumnValues()
    ) {
      (self.name, self.isNumeric, self.isKey) = (name, isNumeric, isKey)
      (self.collectsTexts, self.values) = (collectsTexts, values)
    }
  }

  /// The columns of the tables in their order, by the tables' names in lower case.
  package var tables: [String: [Column]] {
    didSet { facts = StatementFacts(statements, tables) }
  }
  /// All statements of the test in the order of their first run, those that make the schema too.
  package var statements: [String] {
    didSet { facts = StatementFacts(statements, tables) }
  }
  /// What the statements ask of the tables and write to them.
  private(set) var facts: StatementFacts

  package init(tables: [String: [Column]] = [:], statements: [String] = []) {
    (self.tables, self.statements) = (tables, statements)
    facts = StatementFacts(statements, tables)
  }

  /// The names of tables and columns in lower case: a token in double quotes that is none of them is a text.
  var names: Set<String> {
    Set(tables.keys).union(tables.values.joined().map { $0.name.lowercased() })
  }
}
