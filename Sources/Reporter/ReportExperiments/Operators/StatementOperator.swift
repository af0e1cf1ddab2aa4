/// Undoes one kind of slip in SQL.
package struct StatementOperator: Sendable {
  package var name: String
  /// Its row of the table in docs/explain.md, which a test compares.
  package var summary: String
  /// The literature or reason.
  package var source: String
  package var likelihood: Likelihood
  package var make: @Sendable (ParsedStatement, OperatorContext) -> [StatementVariant]

  /// - Parameter most: The most changes of a statement by this operator.
  init(
    _ name: String, _ summary: String, source: Source = .slip,
    likelihood: Likelihood = .possible, most: Int = 24,
    changes: @escaping @Sendable (ParsedStatement, OperatorContext) -> [Change]
  ) {
    (self.name, self.summary, self.source) = (name, summary, source.rawValue)
    self.likelihood = likelihood
    make = { statement, context in
      changes(statement, context).prefix(most).compactMap { change in
        var variant = statement.variant(change, name)
        variant?.likelihood = likelihood.rawValue
        return variant
      }
    }
  }

  /// How common a slip is, which decides the order of runs.
  package enum Likelihood: Double, Sendable {
    /// Most developers have made it.
    case usual = 1
    case possible = 0.35
    /// It needs an odd schema.
    case rare = 0.1
  }

  enum Source: String, Sendable {
    /// Suárez-Cabal, Tuya, de la Riva: Mutating database queries.
    ///
    /// SC: clauses, OR: operators, NL: NULL, IR: identifiers.
    case clauses = "Tuya and others 2007, SC"
    case replacement = "Tuya and others 2007, OR"
    case null = "Tuya and others 2007, NL"
    case identifiers = "Tuya and others 2007, IR"
    case slip = "the reverse of a usual slip"
    case library = "the other forms that SQLite has"
  }
}
