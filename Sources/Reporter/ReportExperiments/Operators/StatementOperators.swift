/// All operators and their variants of a statement.
package enum StatementOperators {
  package static let all: [StatementOperator] =
    [
      BoundOperators.all, NullOperators.all, NegationOperators.all, SetOperators.all, JoinOperators.all,
      ConditionOperators.all, AggregateOperators.all, WindowOperators.all, OrderOperators.all,
      LimitOperators.all,
      TextOperators.all, NumberOperators.all, TimeOperators.all, ParameterOperators.all, JSONOperators.all,
      UpdateOperators.all,
      InsertOperators.all, ConflictOperators.all, FilterOperators.all, IndexOperators.all,
      NameOperators.all, TriggerOperators.all, TableOperators.all, SkipOperators.all,
    ].flatMap { $0 }

  /// The most variants of a statement, which operators share.
  static let most = 150

  /// Distinct variants of a statement, smallest change first, always the same.
  package static func variants(of sql: String, in context: OperatorContext) -> [StatementVariant] {
    let statement = ParsedStatement(sql, names: context.names)
    guard !statement.tokens.isEmpty, !statement.asksForSchema else { return [] }
    var seen: Set<String> = [statement.sql]
    let families = all.map { named in
      named.make(statement, context).filter { seen.insert($0.sql).inserted }
    }
    return sorted(chosen(families))
  }

  /// Variants with two changes.
  ///
  /// The second may undo the first, which the caller must check.
  package static func seconds(of variant: StatementVariant, in context: OperatorContext) -> [StatementVariant]
  {
    variants(of: variant.sql, in: context).map { second in
      var both = second
      both.operatorName = "\(variant.operatorName), \(second.operatorName)"
      both.words = "\(variant.words) and \(second.words.loweredFirst)"
      both.bare = "\(variant.bare) and \(second.bare.loweredFirst)"
      both.rank = max(variant.rank, second.rank)
      both.likelihood = ofSeveral * variant.likelihood * second.likelihood
      return both
    }
  }

  /// The lower likelihood of each of two changes.
  private static let ofSeveral = 0.09

  private static func chosen(_ families: [[StatementVariant]]) -> [[StatementVariant]] {
    var room = most
    var counts = Array(repeating: 0, count: families.count)
    while room > 0 {
      let before = room
      for index in families.indices where counts[index] < families[index].count && room > 0 {
        counts[index] += 1
        room -= 1
      }
      if room == before { break }
    }
    return zip(families, counts).map { Array($0.prefix($1)) }
  }

  private static func sorted(_ families: [[StatementVariant]]) -> [StatementVariant] {
    let variants = Array(families.joined())
    return variants.indices.sorted { (variants[$0].rank, $0) < (variants[$1].rank, $1) }.map { variants[$0] }
  }
}

extension String {
  fileprivate var loweredFirst: String { prefix(1).lowercased() + dropFirst() }
}
