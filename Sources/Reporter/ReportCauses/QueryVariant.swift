import ExhibitSQLite
import ReportModel
import ReportStory

/// A SELECT that asks nearly what another one asks: one of the slips that authors of queries make, undone.
struct QueryVariant: Equatable {
  var sql: String
  /// The change, as the beginning of a sentence: `With “<=” for “<”`.
  var words: String
  /// The condition that it does without.
  var condition: String?
  /// SQLite's reading of the query as it is, which its author hardly means, and the term that it is about.
  var pitfall: String?
  var term: String?

  /// The variants about readings of SQLite that authors hardly mean.
  static func pitfalls(of sql: String) -> [QueryVariant] {
    let query = Query(sql)
    return query.ends + query.nulls.filter { $0.pitfall != nil } + query.unions
  }

  /// A query without one of its conditions.
  static func withoutConditions(of sql: String) -> [QueryVariant] { Query(sql).withoutConditions }

  private static let most = 160
  private static let mostColumns = 12

  /// - Parameter columns: The columns of a table by its name in lower case, with whether a column holds numbers.
  static func all(of sql: String, columns: (String) -> [(name: String, isNumber: Bool)]) -> [QueryVariant] {
    let query = Query(sql)
    guard !query.tokens.isEmpty else { return [] }
    var variants = query.comparisons + query.divisions + query.joins + query.ends + query.cases + query.nulls
    variants += query.unions
    variants += query.orders + query.withoutLimit + query.distinct
    for table in query.tables {
      let known = columns(table.name.lowercased()).prefix(mostColumns)
      variants += query.products(table, known.filter(\.isNumber).map(\.name))
      variants += query.filters(table, known.map { ($0.name, $0.isNumber) })
    }
    variants += query.withoutConditions
    return Array(variants.prefix(most))
  }
}

/// The tokens of a SELECT, and where its parts are.
private struct Query {
  var sql: String
  /// Without numbers.
  var tokens: [SQLToken]
  private var end: String.Index
  /// In how many parentheses each of them stands.
  private var depths: [Int] = []

  init(_ sql: String) {
    self.sql = sql
    tokens = SQLToken.all(in: sql)
    if tokens.contains(where: { $0.text == "?" }) { tokens = [] }
    end = sql.endIndex
    if let last = tokens.firstIndex(where: { $0.text == ";" }) {
      end = tokens[last].text.startIndex
      tokens = Array(tokens[..<last])
    }
    var depth = 0
    for token in tokens {
      depths.append(depth)
      depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0
    }
  }

  private func word(_ index: Int) -> String { tokens[safe: index]?.folded ?? "" }

  private func text(_ index: Int) -> Substring { tokens[safe: index]?.text ?? "" }

  /// The statement with a part of it replaced, without what stands behind its end.
  private func replacing(
    _ first: Int, through last: Int? = nil, with text: String, _ words: String
  ) -> QueryVariant {
    replacing(tokens[first].text.startIndex..<tokens[last ?? first].text.endIndex, with: text, words)
  }

  private func replacing(_ part: Range<String.Index>, with text: String, _ words: String) -> QueryVariant {
    QueryVariant(sql: sql[..<part.lowerBound] + text + sql[part.upperBound..<end], words: words)
  }

  private func inserting(behind index: Int, _ text: String, _ words: String) -> QueryVariant {
    replacing(index, with: tokens[index].text + text, words)
  }

  /// True when a token begins right behind the one before it.
  private func isJoined(_ index: Int) -> Bool {
    index > 0 && tokens.indices.contains(index)
      && tokens[index - 1].text.endIndex == tokens[index].text.startIndex
  }

  /// The text around a token, up to the next AND, comma or parenthesis.
  private func term(_ index: Int) -> String {
    let borders: Set = ["AND", "OR", "WHERE", "ON", "SELECT", "HAVING", "GROUP", "ORDER", "LIMIT", "NOT"]
    func isBorder(_ place: Int) -> Bool {
      [",", "(", ")"].contains(text(place)) || borders.contains(word(place))
    }
    var (first, last) = (index, index)
    while first > 0, index - first < 8,
      !isBorder(first - 1) || word(first - 1) == "AND" && word(first - 3) == "BETWEEN"
    {
      first -= 1
    }
    while last + 1 < tokens.count, last - index < 8, !isBorder(last + 1) { last += 1 }
    let stop = tokens[safe: last + 1]?.text.startIndex ?? end
    return Explanation.cut(String(sql[tokens[first].text.startIndex..<stop]).trimmed)
  }

  // MARK: - Operators

  /// With the bound, and without it.
  var comparisons: [QueryVariant] {
    tokens.indices.flatMap { index -> [QueryVariant] in
      let sign = text(index)
      guard sign == "<" || sign == ">", text(index - 1) != "-" || !isJoined(index) else { return [] }
      if text(index + 1) == "=", isJoined(index + 1) {
        return [
          replacing(
            index, through: index + 1, with: "\(sign)", "With “\(sign)” for “\(sign)=” in “\(term(index))”")
        ]
      }
      if sign == ">", text(index - 1) == "<", isJoined(index) { return [] }
      if text(index + 1) == ">" || text(index + 1) == sign || text(index - 1) == sign { return [] }
      return [replacing(index, with: "\(sign)=", "With “\(sign)=” for “\(sign)” in “\(term(index))”")]
    }
  }

  /// Whole numbers that are divided lose the fraction.
  var divisions: [QueryVariant] {
    tokens.indices.filter { text($0) == "/" }.map {
      replacing($0, with: "* 1.0 /", "With a division that keeps the fraction")
    }
  }

  var joins: [QueryVariant] {
    tokens.indices.filter { word($0) == "JOIN" }.compactMap { index in
      switch word(index - 1) {
      case "LEFT":
        return replacing(index - 1, through: index, with: "JOIN", "With JOIN for LEFT JOIN")
      case "OUTER":
        guard index >= 2, word(index - 2) == "LEFT" else { return nil }
        return replacing(index - 2, through: index, with: "JOIN", "With JOIN for LEFT JOIN")
      case "CROSS", "NATURAL": return nil
      case "INNER": return replacing(index - 1, through: index, with: "LEFT JOIN", "With LEFT JOIN for JOIN")
      default: return replacing(index, with: "LEFT JOIN", "With LEFT JOIN for JOIN")
      }
    }
  }

  /// A day without a time stands before all of its times.
  var ends: [QueryVariant] {
    tokens.indices.compactMap { index in
      let day = text(index)
      guard day.utf8.count == 12, day.first == "'", day.split(separator: "-").count == 3,
        day.dropFirst().dropLast().allSatisfy({ $0.isNumber || $0 == "-" }),
        word(index - 1) == "AND" && word(index - 3) == "BETWEEN"
          || text(index - 1) == "=" && text(index - 2) == "<"
      else { return nil }
      var variant = replacing(index, with: "(\(day) || '~')", "With all of the last day")
      variant.pitfall = "a day without a time stands before all times of that day"
      variant.term = term(index)
      return variant
    }
  }

  /// Equal but for the case of letters.
  var cases: [QueryVariant] {
    tokens.indices.compactMap { index in
      guard text(index) == "=", tokens[safe: index + 1]?.isQuoted == true, text(index + 1).first == "'",
        !["<", ">", "!", "="].contains(text(index - 1))
      else { return nil }
      return inserting(
        behind: index + 1, " COLLATE NOCASE", "Without regard to the case of letters in “\(term(index))”")
    }
  }

  /// NULL equals nothing, and is other than nothing.
  var nulls: [QueryVariant] {
    tokens.indices.compactMap { index in
      if text(index) == "<" && text(index + 1) == ">" || text(index) == "!" && text(index + 1) == "=" {
        return replacing(
          index, through: index + 1, with: " IS NOT ", "With rows for which “\(term(index))” is NULL")
      }
      guard word(index) == "NOT", word(index + 1) == "IN", text(index + 2) == "(",
        word(index + 3) == "SELECT",
        let end = closing(index + 2)
      else { return nil }
      let inner = sql[tokens[index + 3].text.startIndex..<tokens[end].text.startIndex]
      var variant = replacing(
        index + 2, through: end,
        with: "(SELECT v FROM (SELECT NULL AS v WHERE 0 UNION ALL \(inner)) WHERE v IS NOT NULL)",
        "Without NULL in what NOT IN asks for")
      variant.pitfall = "NOT IN holds for no row where there is a NULL in its list"
      variant.term =
        "\(term(index - 1)) \(Explanation.cut(String(sql[tokens[index].text.startIndex..<tokens[end].text.endIndex])))"
      return variant
    }
  }

  /// UNION drops rows that are alike.
  var unions: [QueryVariant] {
    guard tokens.contains(where: { $0.folded == "UNION" }) else { return [] }
    var (all, place) = ("", sql.startIndex)
    for index in tokens.indices where word(index) == "UNION" && word(index + 1) != "ALL" {
      let end = tokens[index].text.endIndex
      all += sql[place..<end] + " ALL"
      place = end
    }
    guard place > sql.startIndex else { return [] }
    return [
      QueryVariant(
        sql: all + sql[place..<end], words: "With UNION ALL for UNION",
        pitfall: "UNION drops rows that are alike")
    ]
  }

  // MARK: - Order

  var orders: [QueryVariant] {
    tokens.indices.flatMap { index -> [QueryVariant] in
      if isOrderTerm(index) {
        return [
          inserting(behind: index, " DESC", "With “\(text(index)) DESC” in its order"),
          inserting(behind: index, " COLLATE NOCASE", "Without regard to the case of letters in its order"),
        ]
      }
      switch word(index) {
      case "DESC": return [replacing(index, with: "ASC", "With ASC for DESC")]
      case "ASC": return [replacing(index, with: "DESC", "With DESC for ASC")]
      case "MIN" where text(index + 1) == "(":
        return [replacing(index, with: "max", "With max() for min()")]
      case "MAX" where text(index + 1) == "(":
        return [replacing(index, with: "min", "With min() for max()")]
      default: return []
      }
    }
  }

  /// True when a token ends a term of ORDER BY that says no direction.
  private func isOrderTerm(_ index: Int) -> Bool {
    guard let order = tokens.lastIndex(where: { $0.folded == "ORDER" }), index > order + 1,
      tokens[index].isName,
      depths[index] == depths[order], !Self.words.contains(word(index)),
      !["ASC", "DESC", "COLLATE", "NOCASE", "NULLS", "FIRST", "LAST"].contains(word(index))
    else { return false }
    return index + 1 == tokens.count || text(index + 1) == ","
      || ["LIMIT", ")"].contains(tokens[index + 1].text.uppercased())
  }

  /// Each row once, and each as often as it is there.
  var distinct: [QueryVariant] {
    tokens.indices.compactMap { index in
      switch word(index) {
      case "DISTINCT": replacing(index, with: "", "Without DISTINCT")
      case "SELECT" where index == 0 && word(1) != "DISTINCT":
        inserting(behind: 0, " DISTINCT", "With SELECT DISTINCT")
      case "COUNT"
      where text(index + 1) == "(" && tokens[safe: index + 2]?.isName == true && word(index + 2) != "DISTINCT":
        inserting(behind: index + 1, "DISTINCT ", "With count(DISTINCT …)")
      default: nil
      }
    }
  }

  var withoutLimit: [QueryVariant] {
    guard let index = tokens.lastIndex(where: { $0.folded == "LIMIT" }), depths[index] == 0 else {
      return []
    }
    return [replacing(index, through: tokens.count - 1, with: "", "Without its LIMIT")]
  }

  // MARK: - Tables and columns

  struct Table {
    var name: String
    /// Its alias, or its name.
    var called: String
    /// Index of the token of its name.
    var index: Int
  }

  /// The tables behind FROM and JOIN, outside of parentheses.
  var tables: [Table] {
    tokens.indices.compactMap { index in
      guard word(index) == "FROM" || word(index) == "JOIN", depths[index] == 0 else { return nil }
      var place = index + 1
      if text(place + 1) == "." { place += 2 }
      guard let token = tokens[safe: place], token.isName, let name = token.name else { return nil }
      let alias = word(place + 1) == "AS" ? place + 2 : place + 1
      let isAlias = tokens[safe: alias]?.isName == true && !Self.words.contains(word(alias))
      return Table(name: name, called: String(isAlias ? text(alias) : text(place)), index: place)
    }
  }

  private static let words: Set = [
    "WHERE", "JOIN", "LEFT", "INNER", "CROSS", "NATURAL", "RIGHT", "FULL", "OUTER", "ON", "USING", "GROUP",
    "ORDER", "LIMIT", "HAVING", "UNION", "INTERSECT", "EXCEPT", "WINDOW", "INDEXED", "NOT",
  ]

  /// The sum of a column times another one.
  func products(_ table: Table, _ columns: [String]) -> [QueryVariant] {
    tokens.indices.flatMap { index -> [QueryVariant] in
      guard word(index) == "SUM", text(index + 1) == "(", let end = closing(index + 1), end > index + 2 else {
        return []
      }
      let names = Set(tokens[(index + 2)..<end].compactMap { $0.name?.lowercased() })
      return columns.filter { !names.contains($0.lowercased()) }.map { column in
        inserting(
          behind: index + 1, "\(table.called).\(SQLText.name(column)) * ",
          "With \(table.name).\(column) as a factor of the sum")
      }
    }
  }

  /// With a condition more: a column is NULL, or is not.
  func filters(_ table: Table, _ columns: [(name: String, isNumber: Bool)]) -> [QueryVariant] {
    guard let place = conditionsPlace else { return [] }
    return columns.flatMap { column, isNumber in
      let tests =
        [("NULL", "is NULL"), ("NOT NULL", "is not NULL")] + (isNumber ? [("0", "is 0"), ("1", "is 1")] : [])
      return tests.map { test, words in
        inserting(
          behind: place.index,
          "\(place.before) \(table.called).\(SQLText.name(column)) IS \(test)\(place.behind)",
          "With only those rows whose \(table.name).\(column) \(words)")
      }
    }
  }

  /// Behind which token a condition can be said, and what stands around it.
  private var conditionsPlace: (index: Int, before: String, behind: String)? {
    if let filter = tokens.indices.first(where: { word($0) == "WHERE" && depths[$0] == 0 }) {
      let isSimple = !tokens.indices.contains { $0 > filter && word($0) == "OR" && depths[$0] == 0 }
      return isSimple ? (filter, "", " AND ") : nil
    }
    let end = tokens.indices.first {
      depths[$0] == 0
        && ["GROUP", "ORDER", "LIMIT", "HAVING", "UNION", "EXCEPT", "INTERSECT"].contains(word($0))
    }
    guard let last = end.map({ $0 - 1 }) ?? tokens.indices.last, last >= 0,
      tokens.contains(where: { $0.folded == "FROM" })
    else { return nil }
    return (last, " WHERE", " ")
  }

  /// Without one of the conditions that AND joins.
  var withoutConditions: [QueryVariant] {
    tokens.indices.filter { word($0) == "WHERE" || word($0) == "ON" }.flatMap { index -> [QueryVariant] in
      let level = depths[index]
      let behind = tokens.indices.suffix(from: index + 1)
      let end =
        behind.first { place in
          depths[place] < level
            || depths[place] == level
              && (Self.words.subtracting(["NOT", "ON"]).contains(word(place)) || word(place) == "OR"
                || text(place) == ")")
        } ?? tokens.count
      guard end > index + 1, word(end) != "OR" else { return [] }
      var (start, isBetween, parts): (Int, Bool, [Range<Int>]) = (index + 1, false, [])
      for place in (index + 1)..<end where depths[place] == level {
        if word(place) == "BETWEEN" { isBetween = true }
        guard word(place) == "AND" else { continue }
        if isBetween {
          isBetween = false
        } else if place > start {
          parts.append(start..<place)
          start = place + 1
        }
      }
      if start < end { parts.append(start..<end) }
      return parts.map { part in
        // A number at its edge is no token.
        let place =
          tokens[part.lowerBound - 1].text
          .endIndex..<(tokens[safe: part.upperBound]?.text.startIndex ?? self.end)
        let condition = Explanation.cut(String(sql[place]).trimmed)
        var variant = replacing(place, with: " TRUE ", "Without “\(condition)”")
        variant.condition = condition
        return variant
      }
    }
  }

  // MARK: - Parentheses

  private func closing(_ open: Int) -> Int? {
    tokens.indices.suffix(from: open).first { text($0) == ")" && depths[$0] == depths[open] + 1 }
  }
}
