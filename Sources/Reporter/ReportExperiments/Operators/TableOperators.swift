/// Operators on table definitions.
enum TableOperators {
  /// Only for connections with several databases.
  static let otherDatabase = "other database"

  static let all = [
    StatementOperator(
      "constraint less", "a UNIQUE, NOT NULL, CHECK, DEFAULT or foreign key less", most: 40,
      changes: constraints),
    StatementOperator(
      "action of key", "ON DELETE and ON UPDATE in each other form", source: .library, most: 40,
      changes: actions),
    StatementOperator(
      "collation of column", "COLLATE NOCASE more and less at a column", most: 24, changes: collations),
    StatementOperator(
      "type of column", "another type of a column", likelihood: .rare, most: 40, changes: types),
    StatementOperator(
      "columns of constraint", "a column less or more in a UNIQUE or PRIMARY KEY of several", most: 16,
      changes: lists),
    StatementOperator(
      "table option", "without WITHOUT ROWID, without STRICT, AUTOINCREMENT more and less", source: .library,
      likelihood: .rare,
      changes: options),
    StatementOperator(
      otherDatabase, "a table's name with that of a database that is attached, or of the main one",
      likelihood: .usual, most: 12, changes: schemas),
  ]

  private static func schemas(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    guard !context.facts.attached.isEmpty, statement.verb != .trigger else { return [] }
    return statement.tables.filter { statement.text($0.index - 1) != "." }.flatMap { table in
      (context.facts.attached + ["main"]).map { schema in
        let name = "\(SQLWords.name(schema)).\(statement.text(table.index))"
        return Change(
          Edit(table.index, name), rank: 0,
          "With \(code: name) for \(table.index..<table.index + 1) in \(near: table.index)")
      }
    }
  }

  /// Column and constraint definitions of CREATE or ALTER TABLE.
  private static func definitions(_ statement: ParsedStatement) -> [Range<Int>] {
    switch statement.verb {
    case .table:
      guard statement.clauses.isEmpty,
        let open = statement.level(0..<statement.tokens.count).first(where: { statement.text($0) == "(" }),
        statement.word(open - 1) != "AS", let close = statement.partner(open)
      else { return [] }
      return statement.list(open + 1..<close)
    case .alter:
      guard let add = statement.tokens.prefix(6).indices.first(where: { statement.word($0) == "ADD" }) else {
        return []
      }
      let start = statement.word(add + 1) == "COLUMN" ? add + 2 : add + 1
      return start < statement.tokens.count ? [start..<statement.tokens.count] : []
    default: return []
    }
  }

  private static let tableConstraints: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  private static func isColumn(_ definition: Range<Int>, _ statement: ParsedStatement) -> Bool {
    !tableConstraints.contains(statement.word(definition.lowerBound))
  }

  private static let starts: Set = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
    "FOREIGN",
  ]

  /// Parts like `NOT NULL`, `DEFAULT 0`, `REFERENCES …`.
  private static func parts(_ definition: Range<Int>, _ statement: ParsedStatement) -> [Range<Int>] {
    var borders: [Int] = []
    for index in statement.level(definition)
    where index > definition.lowerBound || !isColumn(definition, statement) {
      let word = statement.word(index), before = statement.word(index - 1)
      let isInside =
        before == "SET" || before == "CONSTRAINT" || word == "NULL" && before == "NOT"
        || word == "NULL" && before == "DEFAULT" || before == "NOT" && word != "NULL"
        || word == "REFERENCES" && statement.word(definition.lowerBound) == "FOREIGN"
        || word == "NOT" && statement.word(index + 1) == "DEFERRABLE" || word == "DEFAULT" && before == "SET"
        || borders.last == index - 2 && before != "" && statement.word(index - 2) == "CONSTRAINT"
        || word == "AS" && statement.word(index - 1) == "ALWAYS"
      if starts.contains(word), !isInside { borders.append(index) }
    }
    return zip(borders, borders.dropFirst() + [definition.upperBound]).map { $0..<$1 }
  }

  /// The keyword, after `CONSTRAINT name`.
  private static func keyword(_ part: Range<Int>, _ statement: ParsedStatement) -> String {
    statement.word(statement.word(part.lowerBound) == "CONSTRAINT" ? part.lowerBound + 2 : part.lowerBound)
  }

  private static func constraints(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let all = definitions(statement)
    return all.flatMap { definition -> [Change] in
      guard isColumn(definition, statement) else {
        guard keyword(definition, statement) != "PRIMARY", definition.lowerBound > 0 else { return [] }
        return [
          Change(
            Edit(definition.lowerBound - 1..<definition.upperBound, ""), rank: 3, "Without \(definition)")
        ]
      }
      let column = definition.lowerBound..<definition.lowerBound + 1
      return parts(definition, statement).filter {
        ["UNIQUE", "NOT", "CHECK", "DEFAULT", "REFERENCES"].contains(keyword($0, statement))
      }.map { Change(Edit($0, ""), rank: 3, "Without \($0) at \(column)") }
    }
  }

  // MARK: - Foreign keys

  private static let forms = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]

  private static func actions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    definitions(statement).flatMap { definition -> [Change] in
      guard let start = definition.first(where: { statement.word($0) == "REFERENCES" }) else { return [] }
      let end = parts(definition, statement).first { $0.contains(start) }?.upperBound ?? definition.upperBound
      let place = start..<end
      return ["DELETE", "UPDATE"].flatMap { action(of: $0, place, statement) }
    }
  }

  private static func action(of event: String, _ place: Range<Int>, _ statement: ParsedStatement) -> [Change]
  {
    let on = place.first { statement.word($0) == "ON" && statement.word($0 + 1) == event }
    guard let on else {
      guard event == "DELETE" else { return [] }
      var end = place.lowerBound + 2
      if statement.text(end) == "(", let close = statement.partner(end) { end = close + 1 }
      return forms.prefix(2).map { form in
        Change(.insert(behind: end - 1, " ON DELETE \(form)"), rank: 3, "With ON DELETE \(form) in \(place)")
      }
    }
    let isLong = ["SET", "NO"].contains(statement.word(on + 2))
    let old = on + 2..<min(on + (isLong ? 4 : 3), place.upperBound)
    let now = statement.text(old).uppercased()
    return forms.filter { $0 != now && $0 != "SET DEFAULT" }.map { form in
      Change(Edit(old, form), rank: 3, "With ON \(event) \(form) for \(old) in \(place)")
    }
  }

  // MARK: - Columns

  private static func type(_ definition: Range<Int>, _ statement: ParsedStatement) -> Range<Int> {
    let end = parts(definition, statement).first?.lowerBound ?? definition.upperBound
    return definition.lowerBound + 1..<max(end, definition.lowerBound + 1)
  }

  private static func collations(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    definitions(statement).filter { isColumn($0, statement) }.flatMap { definition -> [Change] in
      let column = definition.lowerBound..<definition.lowerBound + 1
      let collations = parts(definition, statement).filter { keyword($0, statement) == "COLLATE" }
      if !collations.isEmpty {
        return collations.map { Change(Edit($0, ""), rank: 3, "Without \($0) at \(column)") }
      }
      let type = type(definition, statement)
      guard
        statement.text(type).uppercased().contains("TEXT")
          || statement.text(type).uppercased().contains("CHAR")
      else {
        return []
      }
      return [
        Change(
          .insert(behind: type.upperBound - 1, " COLLATE NOCASE"), rank: 3, "With COLLATE NOCASE at \(column)"
        )
      ]
    }
  }

  private static func types(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    definitions(statement).filter { isColumn($0, statement) }.flatMap { definition -> [Change] in
      let column = definition.lowerBound..<definition.lowerBound + 1
      let type = type(definition, statement)
      let isKey = parts(definition, statement).contains { keyword($0, statement) == "PRIMARY" }
      let now = statement.text(type).uppercased()
      guard !isKey else { return [] }
      return ["INTEGER", "TEXT", "REAL", ""].filter { $0 != now }.map { new in
        let edit = type.isEmpty ? Edit.insert(behind: definition.lowerBound, " \(new)") : Edit(type, new)
        let words: Words = new.isEmpty ? "With \(column) without a type" : "With \(column) as \(new)"
        return Change(edit, rank: 3, words)
      }
    }
  }

  private static func lists(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let definitions = definitions(statement)
    let columns = definitions.filter { isColumn($0, statement) }.map { $0.lowerBound..<$0.lowerBound + 1 }
    return definitions.flatMap { definition -> [Change] in
      guard !isColumn(definition, statement), ["UNIQUE", "PRIMARY"].contains(keyword(definition, statement)),
        let open = definition.first(where: { statement.text($0) == "(" }), let close = statement.partner(open)
      else { return [] }
      let used = Set((open..<close).map { statement.tokens[$0].name.lowercased() })
      let more = columns.filter { !used.contains(statement.tokens[$0.lowerBound].name.lowercased()) }.map {
        Change(
          .insert(behind: close - 1, ", \(statement.text($0))"), rank: 3, "With \($0) in \(definition) too")
      }
      return statement.withoutEach(of: statement.list(open + 1..<close), rank: 3) {
        "With \(definition) without \($0)"
      } + more
    }
  }

  private static func options(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let definitions = definitions(statement)
    guard let last = definitions.last, statement.verb == .table else { return [] }
    let options = statement.list(min(last.upperBound + 1, statement.tokens.count)..<statement.tokens.count)
    let tail = options.map { option in
      let isSole = options.count == 1
      let isLast = option.upperBound == statement.tokens.count
      let place =
        isSole
        ? option
        : isLast ? option.lowerBound - 1..<option.upperBound : option.lowerBound..<option.upperBound + 1
      return Change(Edit(place, ""), rank: 3, "Without \(option)")
    }
    return tail + definitions.flatMap { increments($0, statement) }
  }

  private static func increments(_ definition: Range<Int>, _ statement: ParsedStatement) -> [Change] {
    if let index = definition.first(where: { statement.word($0) == "AUTOINCREMENT" }) {
      return [Change(Edit(index, ""), rank: 3, "Without AUTOINCREMENT")]
    }
    guard let key = definition.first(where: { statement.word($0) == "PRIMARY" }),
      statement.word(key + 1) == "KEY", isColumn(definition, statement),
      statement.text(type(definition, statement)).uppercased() == "INTEGER"
    else { return [] }
    return [Change(.insert(behind: key + 1, " AUTOINCREMENT"), rank: 3, "With AUTOINCREMENT")]
  }
}
