import TestSupport

/// A program of which one statement was changed, and which one.
struct MutatedProgram {
  enum Kind: String, CaseIterable {
    case text, value, rows, order, absence
  }

  var actions: [Action]
  /// The tags of what was changed.
  var changed: Set<Int>
  /// What was done, for a message.
  var words: String

  /// All changes of a kind, in an order at random.
  static func all(_ kind: Kind, of program: ShopProgram, _ random: inout SeededGenerator) -> [MutatedProgram]
  {
    var program = program
    let actions = program.actions
    // The last read is the one that fails.
    let own = Array(actions.dropLast()).flatMap { [$0] + $0.each }.filter {
      !$0.sql.hasPrefix("CREATE") && !$0.sql.hasPrefix("PRAGMA") && !$0.controlsTransaction
    }
    let found: [MutatedProgram] =
      switch kind {
      case .text: own.flatMap { texts(of: $0, in: actions) }
      case .value: own.flatMap { values(of: $0, in: actions, &random) }
      case .rows: own.filter { $0.sql.contains("offered(") }.flatMap { rows(of: $0, in: actions) }
      case .order: orders(of: actions)
      case .absence:
        own.map { removed($0, from: actions) } + added(program.more(), to: actions, &random)
          + own.prefix(9).flatMap { added([copy(of: $0)], to: actions, &random) }
      }
    return found.shuffled(using: &random)
  }

  private static func changed(
    _ tag: Int, in actions: [Action], _ change: (inout Action) -> Void
  ) -> [Action] {
    actions.map { action in
      var action = action
      if action.tag == tag { change(&action) }
      if case .each(let others) = action.use { action.use = .each(changed(tag, in: others, change)) }
      return action
    }
  }

  // MARK: - The kinds

  /// Parts of statements and what may stand in their place by a slip.
  private static let slips = [
    (" + ?", " - ?"), (" - ?", " + ?"), (" < ?", " <= ?"), (" < ?", " > ?"), (" > ?", " < ?"),
    (" > ?", " >= ?"), (" <> ?", " = ?"),
    ("* 2", "* 3"), ("ORDER BY price", "ORDER BY price DESC"), ("sum(points)", "max(points)"),
    ("SET price", "SET stock"), ("SET stock", "SET price"), ("WHERE code = ?", "WHERE code <> ?"),
    ("WHERE id = ?", "WHERE id <> ?"),
    ("SELECT price", "SELECT stock"), ("id, price", "id, stock"), ("id, stock", "id, price"),
    ("count, price", "price, count"),
    ("DELETE FROM line", "DELETE FROM purchase"), (" AND offered(code)", ""),
    ("WHERE city = ?", "WHERE city >= ?"), ("'open'", "'paid'"), ("price, stock", "stock, price"),
    ("INSERT INTO line", "INSERT OR IGNORE INTO line"),
    (" GROUP BY city", ""), ("city, points", "points, city"), ("LIMIT 1", "LIMIT 1 OFFSET 1"),
  ]

  private static func texts(of action: Action, in actions: [Action]) -> [MutatedProgram] {
    slips.compactMap { from, to in
      let sql = action.sql.replacing(from, with: to, maxReplacements: 1)
      guard sql != action.sql, sql.count(where: { $0 == "?" }) == action.given.count,
        !sql.contains("DELETE FROM purchase WHERE count")
      else { return nil }
      return MutatedProgram(
        actions: changed(action.tag, in: actions) { $0.sql = sql }, changed: [action.tag],
        words: "\(action.sql) → \(sql)")
    }
  }

  private static func values(of action: Action, in actions: [Action], _ random: inout SeededGenerator)
    -> [MutatedProgram]
  {
    let names = actions.prefix { $0.tag != action.tag }.compactMap(\.keeps)
    return action.given.indices.compactMap { place in
      let given = action.given[place]
      let other: Given?
      switch given {
      case .number(let number): other = .number(number + Int.random(in: 1...30, using: &random))
      case .text(let text):
        let alike =
          [ShopProgram.cities, ShopProgram.states, ShopProgram.names].first { $0.contains(text) } ?? [
            text + "0"
          ]
        other = alike.filter { $0 != text }.randomElement(using: &random).map { .text($0) }
      case .known(let name):
        other = names.filter { $0 != name && $0.first == name.first && $0.first != "r" }.randomElement(
          using: &random
        ).map { .known($0) }
      case .identifier(let name):
        other = ["c0", "c1", "c2"].filter { $0 != name }.randomElement(using: &random).map { .identifier($0) }
      case .moment(let seconds): other = .moment(seconds + (random.next() % 2 == 0 ? 36_000 : -36_000))
      case .clock: other = nil
      }
      guard let other, action.word != "INSERT" || !isOwnKey(place, of: action) else { return nil }
      return MutatedProgram(
        actions: changed(action.tag, in: actions) { $0.given[place] = other }, changed: [action.tag],
        words: "\(action.sql): \(given) → \(other)")
    }
  }

  /// True for the UUID of a new customer: with another one it is another program.
  private static func isOwnKey(_ place: Int, of action: Action) -> Bool {
    place == 0 && action.sql.hasPrefix("INSERT INTO customer")
  }

  private static func rows(of action: Action, in actions: [Action]) -> [MutatedProgram] {
    let names = action.sql.contains("label") ? (1...9).map { "P-\($0)" } : (1...9).map { "A-\($0)" }
    return names.map { name in
      MutatedProgram(
        actions: changed(action.tag, in: actions) { $0.hidden = name }, changed: [action.tag],
        words: "\(action.sql) without \(name)")
    }
  }

  private static func orders(of actions: [Action]) -> [MutatedProgram] {
    actions.indices.dropLast().flatMap { first in
      (first + 1..<min(first + 6, actions.count - 1)).compactMap { second -> MutatedProgram? in
        let (one, two, between) = (actions[first], actions[second], actions[first + 1..<second])
        guard !one.tables.isDisjoint(with: two.tables), !one.sql.hasPrefix("CREATE"), one.word != "PRAGMA",
          !actions[first...second].contains(where: \.controlsTransaction), one.isFree(of: two),
          between.allSatisfy({ $0.isIndependent(of: one) && $0.isIndependent(of: two) })
        else { return nil }
        var swapped = actions
        swapped.swapAt(first, second)
        return MutatedProgram(
          actions: swapped, changed: one.tags.union(two.tags), words: "\(one.sql) ↔︎ \(two.sql)")
      }
    }
  }

  private static func removed(_ action: Action, from actions: [Action]) -> MutatedProgram {
    func without(_ actions: [Action]) -> [Action] {
      actions.filter { $0.tag != action.tag }.map { other in
        var other = other
        if case .each(let inner) = other.use { other.use = .each(without(inner)) }
        return other
      }
    }
    return MutatedProgram(actions: without(actions), changed: action.tags, words: "without \(action.sql)")
  }

  private static func copy(of action: Action) -> Action {
    var copy = action
    copy.tag += 5000
    if case .each(let others) = action.use { copy.use = .each(others.map(Self.copy)) }
    return copy
  }

  private static func added(_ more: [Action], to actions: [Action], _ random: inout SeededGenerator)
    -> [MutatedProgram]
  {
    let needs = more.reduce(into: Set<String>()) { $0.formUnion($1.needs) }
    let known = actions.lastIndex {
      $0.keeps.map { name in needs.contains { $0 == name || $0.hasPrefix(name + ".") } } ?? false
    }
    let least = max(
      known.map { $0 + 1 } ?? 0, actions.firstIndex { $0.sql.hasPrefix("INSERT INTO line") } ?? 0)
    return (0..<3).compactMap { _ in
      let place = Int.random(in: least..<actions.count, using: &random)
      // Within a transaction that is rolled back it would do nothing.
      guard least < actions.count - 1, more.count == 1 else { return nil }
      return MutatedProgram(
        actions: actions[..<place] + more + actions[place...],
        changed: more.reduce(into: []) { $0.formUnion($1.tags) }, words: "with \(more.map(\.sql))")
    }
  }
}
