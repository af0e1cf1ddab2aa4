/// Operators on conflicts of an INSERT.
enum ConflictOperators {
  static let all = [
    StatementOperator(
      "or replace", "INSERT and UPDATE with OR REPLACE, with OR IGNORE and without", source: .library,
      likelihood: .usual,
      changes: resolutions),
    StatementOperator(
      "on conflict", "ON CONFLICT DO UPDATE, DO NOTHING and none in each other's place", source: .library,
      likelihood: .usual,
      most: 24,
      changes: conflicts),
    StatementOperator(
      "upsert", "the SET of an upsert with a column more, with the old value and with the new one", most: 40,
      changes: sets),
    StatementOperator(
      "newer row", "an upsert of rows only that are larger in a column", likelihood: .usual, most: 12,
      changes: newer),
  ]

  private static func resolutions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.clauses.filter { $0.kind == .insert || $0.kind == .update }.flatMap { clause -> [Change] in
      let verb = clause.kind == .insert ? "INSERT" : "UPDATE"
      let into = clause.kind == .insert ? " INTO" : ""
      let words = clause.keyword.map(statement.word)
      let now =
        words.first == "REPLACE" ? "REPLACE" : words.contains("OR") ? words.dropFirst(2).first ?? "" : ""
      return ["", "REPLACE", "IGNORE"].filter { $0 != now }.map { other in
        let new = other.isEmpty ? verb : "\(verb) OR \(other)"
        let old = words.filter { $0 != "INTO" }.joined(separator: " ")
        return Change(Edit(clause.keyword, new + into), rank: 2, "With “\(new)” for “\(old)”")
      }
    }
  }

  // MARK: - ON CONFLICT

  private static func conflicts(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.insertions.flatMap { insertion -> [Change] in
      guard let conflict = insertion.conflicts.first, insertion.conflicts.count == 1 else {
        return insertion.conflicts.isEmpty && !insertion.sources.isEmpty
          ? added(insertion, statement, context) : []
      }
      return others(conflict, insertion, statement, context)
    }
  }

  /// SET of all inserted columns, optionally keeping old values for NULL.
  private static func setForms(
    _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [(text: String, words: String)] {
    let columns = settable(insertion, statement, context).map { SQLWords.name($0) }
    guard !columns.isEmpty else { return [] }
    let all = columns.map { "\($0) = excluded.\($0)" }
    let kept = columns.map { "\($0) = coalesce(excluded.\($0), \(insertion.table.called).\($0))" }
    return [
      ("DO UPDATE SET \(all.joined(separator: ", "))", "With DO UPDATE of all columns"),
      ("DO UPDATE SET \(kept.joined(separator: ", "))", "With DO UPDATE of all columns that are not NULL"),
    ]
  }

  /// Replaces DO NOTHING by an update if the row is newer.
  ///
  /// - Parameter update: The SET without condition.
  private static func newerForms(
    of update: String, _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [(text: String, words: String)] {
    let versions = settable(insertion, statement, context).filter { name in
      context.column(name, of: insertion.table.key).map { $0.isNumeric || $0.values.holdsMoments } ?? false
    }.map { SQLWords.name($0) }
    return versions.prefix(4).map { version in
      (
        "\(update) WHERE excluded.\(version) > \(insertion.table.called).\(version)",
        "With DO UPDATE of all columns by rows that are larger in “\(version)”"
      )
    }
  }

  private static func settable(
    _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [String] {
    let keys = Set((context.tables[insertion.table.key] ?? []).filter(\.isKey).map { $0.name.lowercased() })
    let targets = insertion.conflicts.first?.clauses.first.map { clause in
      Set(clause.body.map { statement.tokens[$0].name.lowercased() })
    }
    let names = statement.columnNames(of: insertion, context)
    let apart = targets.map { $0.isEmpty ? keys : $0 } ?? keys
    let others = names.filter { !apart.contains($0.lowercased()) }
    return others.isEmpty ? names : others
  }

  /// Adds ON CONFLICT and removes OR REPLACE and the like.
  private static func added(
    _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [Change] {
    let verb = Edit(insertion.query.clauses[0].keyword, "INSERT INTO")
    let nothing = ("DO NOTHING", "With ON CONFLICT DO NOTHING")
    return (setForms(insertion, statement, context) + [nothing]).map { text, words in
      let gap = needsCondition(insertion) ? " WHERE 1" : ""
      return Change(
        [verb, .insert(behind: insertion.last, "\(gap) ON CONFLICT \(text)")], rank: 3,
        "\(words) in \(insertion.query.clauses[0].range)")
    }
  }

  /// After a join, ON would belong to it.
  private static func needsCondition(_ insertion: Insertion) -> Bool {
    guard let last = insertion.sources.last, last.verb == .select,
      let kind = last.clauses.last(where: { $0.kind != .returning })?.kind
    else { return false }
    return [.from, .join, .on, .using].contains(kind)
  }

  private static func others(
    _ conflict: Query, _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [Change] {
    guard let action = conflict.clauses.first(where: { $0.kind == .nothing || $0.kind == .act }) else {
      return []
    }
    let end = insertion.last + 1
    let place = action.keyword.lowerBound..<end
    let clause = conflict.range.lowerBound..<end
    let verb = insertion.query.clauses[0].keyword
    let keepers = keeping(clause, insertion, statement)
    var changes = [
      Change(keepers + [Edit(clause, "")], rank: 3, "Without \(clause)"),
      Change(
        keepers + [Edit(verb, "INSERT OR REPLACE INTO"), Edit(clause, "")], rank: 3,
        "With OR REPLACE for \(clause)"),
    ]
    if action.kind == .act {
      let text = nothing(place, settable(insertion, statement, context), statement)
      changes.append(Change(Edit(place, text), rank: 3, "With DO NOTHING for \(place)"))
    }
    var forms = setForms(insertion, statement, context)
    if action.kind == .nothing, let update = forms.first?.text {
      forms += newerForms(of: update, insertion, statement, context)
    }
    changes += forms.map { text, words in
      Change(keepers + [Edit(place, text)], rank: 3, "\(words) for \(place)")
    }
    return changes
  }

  /// DO NOTHING, or an update of no row that keeps removed parameters.
  private static func nothing(
    _ place: Range<Int>, _ columns: [String], _ statement: ParsedStatement
  ) -> String {
    guard !statement.kept(place).isEmpty, let own = columns.first.map(SQLWords.name) else {
      return "DO NOTHING"
    }
    return "DO UPDATE SET \(own) = excluded.\(own) WHERE \(statement.falsity(place))"
  }

  /// Keeps removed parameters in the first row's last value.
  private static func keeping(
    _ part: Range<Int>, _ insertion: Insertion, _ statement: ParsedStatement
  ) -> [Edit] {
    guard !statement.kept(part).isEmpty, let value = insertion.rows.first?.last else { return [] }
    return [Edit(value, statement.value(statement.text(value), keeping: part))]
  }

  // MARK: - DO UPDATE

  private static func sets(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.insertions.flatMap { insertion -> [Change] in
      statement.assignmentLists.filter { list in
        insertion.conflicts.contains { $0.number == list.query.number }
      }
      .flatMap { list in more(list, insertion, statement, context) + turned(list, insertion, statement) }
    }
  }

  private static func more(
    _ list: AssignmentList, _ insertion: Insertion, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [Change] {
    let used = Set(list.assignments.map { $0.column.lowercased() })
    return settable(insertion, statement, context).filter { !used.contains($0.lowercased()) }.map { column in
      let text = "\(SQLWords.name(column)) = excluded.\(SQLWords.name(column))"
      return Change(
        .insert(behind: list.clause.body.upperBound - 1, ", \(text)"), rank: 1,
        "With \(code: text) more in \(list.clause.range)")
    }
  }

  /// Swaps `excluded.c` and `c`.
  private static func turned(
    _ list: AssignmentList, _ insertion: Insertion, _ statement: ParsedStatement
  ) -> [Change] {
    list.query.clauses.filter { $0.kind == .set || $0.kind == .filter }.flatMap(\.body).compactMap { index in
      guard let operand = statement.operand(startingAt: index), statement.isColumn(operand),
        statement.text(index - 1) != ".", !list.assignments.contains(where: { $0.target == operand }),
        list.clause.query == list.query.number
      else { return nil }
      let name = statement.text(operand.upperBound - 1..<operand.upperBound)
      let isNew = operand.count == 3 && statement.tokens[index].name.lowercased() == "excluded"
      let text = isNew ? "\(insertion.table.called).\(name)" : "excluded.\(name)"
      return Change(Edit(operand, text), rank: 1, "With \(code: text) for \(operand) in \(near: index)")
    }
  }

  private static func newer(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.insertions.flatMap { insertion -> [Change] in
      statement.assignmentLists.filter { list in
        insertion.conflicts.contains { $0.number == list.query.number }
          && list.query.clauses.last { $0.kind == .filter }.map {
            $0.keyword.lowerBound < list.clause.keyword.lowerBound
          } ?? true
      }.flatMap { list in
        settable(insertion, statement, context).prefix(6).flatMap { column in
          [">", ">="].map { sign in
            let name = SQLWords.name(column)
            let text = "excluded.\(name) \(sign) \(insertion.table.called).\(name)"
            return Change(
              .insert(behind: list.clause.body.upperBound - 1, " WHERE \(text)"), rank: 1,
              "With the condition \(code: text) for \(list.clause.range)")
          }
        }
      }
    }
  }
}
