import Collector
import Foundation
package import ReportInspection
import ReportModel

/// A story for readers who may not see what is in the rows.
extension Story {
  /// Counts and names stay.
  ///
  /// - Parameter names: Of tables and columns, in lower case: no values although they stand in quotes.
  package mutating func removeValues(names: Set<String>) {
    changeSteps { $0.removeValues(names) }
    for index in statements.indices { statements[index].example.removeValues(names) }
    changes.removeValues()
    lastChanges?.removeValues()
    for index in lines.indices {
      lines[index].notes = []
      for write in lines[index].writes.indices {
        let sql = lines[index].writes[write].sql
        lines[index].writes[write].sql = StatementText.withoutLiterals(sql, names: names)
      }
      lines[index].failures?.removeValues(names)
      for called in lines[index].called.indices { lines[index].called[called].failures?.removeValues(names) }
    }
    (messageValues, valuePlaces) = ([], [])
    ending = ending.compactMap(\.withoutValues)
    highlights = highlights.map(\.withoutValues)
    explanations = explanations.map { $0.withoutValues(names) }
    comparison?.removeValues(names)
    for index in states.indices {
      for table in states[index].changes.tables.indices { states[index].changes.tables[table].rows = [] }
      states[index].changes.removeLiterals(names: names)
    }
  }
}

extension ChangeSummary {
  fileprivate mutating func removeValues() {
    for table in tables.indices {
      (tables[table].columnNotes, tables[table].marked) = ([], [])
      for group in tables[table].groups.indices { tables[table].groups[group].rows = [] }
    }
  }
}

extension TestLine.Failures {
  fileprivate mutating func removeValues(_ names: Set<String>) { most = most.withoutValues(names) }
}

extension StoryHighlight {
  fileprivate var withoutValues: StoryHighlight {
    var highlight = self
    highlight.changes.removeValues()
    (highlight.related, highlight.names) = ([], ReferenceNames())
    return highlight
  }
}

extension StoryStep {
  fileprivate mutating func removeValues(_ names: Set<String>) {
    change { told in
      (told.sql, told.expanded) = (StatementText.withoutLiterals(told.sql, names: names), nil)
      // A column of an expression is called as it is written.
      told.columns = []
      told.error = told.error?.withoutValues(names)
    }
    (results, rejection) = ([], nil)
    for index in changes.indices { changes[index].removeValues() }
    for index in consequences.indices { consequences[index].removeValues() }
    let statements = commit?.statements.map { StatementText.withoutLiterals($0, names: names) }
    commit?.statements = statements ?? []
  }
}

extension StoryTableChanges {
  fileprivate mutating func removeValues() {
    for index in changes.indices {
      (changes[index].old, changes[index].new) = ([], [])
      // A rowid may be the primary key.
      (changes[index].key, changes[index].newKey) = (nil, nil)
    }
  }
}

extension RecordedStory.Failure {
  private static let constraint = 19
  /// A CHECK without a name is told by its expression.
  private static let check = 275
  /// Their messages have names alone.
  private static let ofNames: Set = [constraint, 787, 1299, 1555, 2067, 2579, 3091]
  private static let locks: Set = [5, 6]

  /// Most messages may quote a statement or a value.
  fileprivate func withoutValues(_ names: Set<String>) -> RecordedStory.Failure {
    var failure = self
    if code == Self.check {
      failure.message = StatementText.withoutLiterals(message, names: names)
    } else if !Self.locks.contains(code & 0xFF), !Self.ofNames.contains(code) {
      failure.message = "SQLite error \(code)"
    }
    return failure
  }
}

/// Schemas for readers who may not see values: names and types stay.

extension DatabaseInspection {
  package var names: Set<String> {
    ReportStory.names(of: objects).union(tables.flatMap(\.columns).map { $0.lowercased() })
  }

  package mutating func removeLiterals(names: Set<String>) {
    for index in tables.indices {
      tables[index].withheld = tables[index].sql?.hashValue
      tables[index].sql = tables[index].sql.map { StatementText.withoutLiterals($0, names: names) }
      tables[index].problem = tables[index].problem.map(withoutQuotedSQL)
    }
    for index in otherSchema.indices {
      otherSchema[index].withheld = otherSchema[index].sql?.hashValue
      otherSchema[index].sql = otherSchema[index].sql.map { StatementText.withoutLiterals($0, names: names) }
    }
    check = withoutQuotedSQL(check)
    problems = problems.map(withoutQuotedSQL)
    foreignKeys.problems = foreignKeys.problems.map(withoutQuotedSQL)
  }
}

/// Of objects and their columns, in lower case.
package func names(of schema: [DatabaseInspection.SchemaEntry]) -> Set<String> {
  Set(
    schema.flatMap { entry in
      [entry.name, entry.table] + (entry.sql.map { StatementText($0).columns } ?? [])
    }.map { $0.lowercased() })
}

extension [SchemaChange] {
  package mutating func removeLiterals(names: Set<String>) {
    for index in indices {
      self[index].before = self[index].before.map { StatementText.withoutLiterals($0, names: names) }
      self[index].after = self[index].after.map { StatementText.withoutLiterals($0, names: names) }
    }
  }
}

extension DatabaseChanges {
  package mutating func removeLiterals(names: Set<String>) {
    schema.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
    for index in tables.indices { tables[index].problem = tables[index].problem.map(withoutQuotedSQL) }
  }
}

extension DatabaseFindings {
  package mutating func removeLiterals() {
    unexamined = unexamined.map(withoutQuotedSQL)
  }
}

extension WALHistory {
  package mutating func removeLiterals(names: Set<String>) {
    for index in transactions.indices { transactions[index].removeLiterals(names: names) }
    net.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
  }
}

extension WALHistory.Transaction {
  fileprivate mutating func removeLiterals(names: Set<String>) {
    for index in tables.indices {
      tables[index].sql = tables[index].sql.map { StatementText.withoutLiterals($0, names: names) }
      tables[index].problem = tables[index].problem.map(withoutQuotedSQL)
    }
    declarations.removeLiterals(names: names)
  }
}

/// SQLite quotes what it cannot parse.
package func withoutQuotedSQL(_ sentence: String) -> String {
  ["near ", "unrecognized token: ", "no such column: "].reduce(sentence) { text, words in
    guard let start = text.range(of: words + "\"")?.upperBound else { return text }
    let end = text[start...].lastIndex(of: "\"") ?? text.endIndex
    return text[..<start] + "?" + text[end...]
  }
}
