/// One of the slips that authors of statements make, undone.
package struct StatementOperator: Sendable {
  package var name: String
  /// What it changes, for a table of all operators.
  package var summary: String
  /// Where it is from.
  package var source: String
  package var likelihood: Likelihood
  package var make: @Sendable (ParsedStatement, OperatorContext) -> [StatementVariant]

  /// - Parameter most: So many variants of a statement at most.
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

  /// How often authors make the slip that it undoes, among all that they make.
  package enum Likelihood: Double, Sendable {
    case usual = 1
    case possible = 0.35
    case rare = 0.1
  }

  /// Where operators are from.
  enum Source: String, Sendable {
    /// Suárez-Cabal, Tuya, de la Riva: Mutating database queries; clauses.
    case clauses = "Tuya and others 2007, SC"
    /// Operators.
    case replacement = "Tuya and others 2007, OR"
    /// NULL.
    case null = "Tuya and others 2007, NL"
    /// Identifiers.
    case identifiers = "Tuya and others 2007, IR"
    case slip = "the reverse of a usual slip"
    case library = "the other forms that SQLite has"
  }
}
