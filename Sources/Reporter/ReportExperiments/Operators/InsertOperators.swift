/// Operators on the rows of an INSERT.
enum InsertOperators {
  static let all = [
    StatementOperator(
      "columns by name", "an INSERT from a query with the columns of one name on both sides",
      likelihood: .usual, changes: byName),
    StatementOperator(
      "column left out", "an INSERT that leaves a column to its default", likelihood: .rare, most: 16,
      changes: less),
    StatementOperator(
      "column more", "a column that an INSERT or UPDATE leaves out, with what other statements write there",
      most: 16, changes: more),
  ]

  private static func byName(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.insertions.compactMap { insertion in
      guard insertion.sources.count == 1, let source = insertion.sources.first, source.verb == .select,
        let select = source[.select]
      else { return nil }
      let all = (context.tables[insertion.table.key] ?? []).map(\.name)
      let columns = statement.columns(of: select)
      if columns.count == 1, statement.text(columns[0].upperBound - 1) == "*" {
        return everything(insertion, source, columns[0], all, statement, context)
      }
      let names = columns.map { statement.isColumn($0) ? statement.tokens[$0.upperBound - 1].name : "" }
      let known = Set(
        (insertion.columns.isEmpty ? all : statement.columnNames(of: insertion, context)).map {
          $0.lowercased()
        })
      guard names.allSatisfy({ known.contains($0.lowercased()) }), Set(names).count == names.count else {
        return nil
      }
      return listed(names, insertion, statement)
    }
  }

  private static func listed(
    _ names: [String], _ insertion: Insertion, _ statement: ParsedStatement
  ) -> Change {
    let text = names.map(SQLWords.name).joined(separator: ", ")
    let edit =
      insertion.list.map { Edit($0, text) }
      ?? .insert(behind: insertion.query.range.upperBound - 1, " (\(text))")
    return Change(edit, rank: 2, "With columns by name in \(insertion.query.range)")
  }

  /// For `SELECT *` from one table.
  private static func everything(
    _ insertion: Insertion, _ source: Query, _ star: Range<Int>, _ all: [String],
    _ statement: ParsedStatement,
    _ context: OperatorContext
  ) -> Change? {
    let tables = statement.tables.filter { $0.query == source.number }
    guard tables.count == 1, let columns = context.tables[tables[0].key] else { return nil }
    let others = Set(columns.map { $0.name.lowercased() })
    let targets = insertion.columns.isEmpty ? all : statement.columnNames(of: insertion, context)
    let common = targets.filter { others.contains($0.lowercased()) }
    guard !common.isEmpty else { return nil }
    var change = listed(common, insertion, statement)
    change.edits.append(Edit(star, common.map(SQLWords.name).joined(separator: ", ")))
    return change
  }

  // MARK: - Columns

  private static func less(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.insertions.flatMap { insertion -> [Change] in
      let count = insertion.columns.count
      guard count > 1, !insertion.rows.isEmpty, insertion.rows.allSatisfy({ $0.count == count }) else {
        return []
      }
      return (0..<count).map { index in
        let edits = insertion.rows.flatMap { without(index, of: $0, statement) }
        return Change(
          [Edit(listPlace(index, insertion.columns), "")] + edits, rank: 1,
          "With \(insertion.columns[index]) left to its default in \(insertion.query.range)")
      }
    }
  }

  /// A list's part with its comma.
  private static func listPlace(_ index: Int, _ parts: [Range<Int>]) -> Range<Int> {
    index + 1 < parts.count
      ? parts[index].lowerBound..<parts[index + 1].lowerBound
      : parts[index].lowerBound - 1..<parts[index].upperBound
  }

  /// The neighbour keeps parameters of a removed value.
  private static func without(
    _ index: Int, of row: [Range<Int>], _ statement: ParsedStatement
  ) -> [Edit] {
    guard !statement.kept(row[index]).isEmpty else { return [Edit(listPlace(index, row), "")] }
    let isLast = index + 1 == row.count
    let (first, second) = isLast ? (row[index - 1], row[index]) : (row[index], row[index + 1])
    let value = statement.text(isLast ? first : second)
    return [
      Edit(first.lowerBound..<second.upperBound, statement.value(value, keeping: row[index]))
    ]
  }

  private static func more(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let inserted = statement.insertions.flatMap { insertion -> [Change] in
      guard let last = insertion.columns.last else { return [] }
      let used = Set(statement.columnNames(of: insertion, context).map { $0.lowercased() })
      let ends = insertion.rows.isEmpty ? selectEnds(insertion, statement) : insertion.rows.compactMap(\.last)
      guard !ends.isEmpty else { return [] }
      return context.facts.literals(of: insertion.table.key, except: used).map { column, literal in
        let edits = ends.map { Edit.insert(behind: $0.upperBound - 1, ", \(literal)") }
        return Change(
          [.insert(behind: last.upperBound - 1, ", \(SQLWords.name(column))")] + edits, rank: 1,
          "With \(code: literal) in \(insertion.table.bareName).\(column)")
      }
    }
    return inserted + assigned(statement, context)
  }

  private static func selectEnds(_ insertion: Insertion, _ statement: ParsedStatement) -> [Range<Int>] {
    insertion.sources.compactMap { $0[.select]?.body }
  }

  private static func assigned(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.assignmentLists.flatMap { list -> [Change] in
      let used = Set(list.assignments.map { $0.column.lowercased() })
      return context.facts.literals(of: list.table.key, except: used).map { column, literal in
        Change(
          .insert(behind: list.clause.body.upperBound - 1, ", \(SQLWords.name(column)) = \(literal)"),
          rank: 1,
          "With \(code: "\(SQLWords.name(column)) = \(literal)") more in \(list.clause.range)")
      }
    }
  }
}
