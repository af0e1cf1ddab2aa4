import Collector
import ReportInspection
import ReportModel

/// A story for readers who may not see what is in the rows.
extension Story {
  /// Takes out literals, values, results and rows, and what was made of them; counts and names stay.
  ///
  /// - Parameter names: Of tables and columns, in lower case: no values although they stand in quotes.
  package mutating func removeValues(names: Set<String>) {
    changeSteps { $0.removeValues(names) }
    changes.removeValues()
    lastChanges?.removeValues()
    for index in lines.indices { lines[index].notes = [] }
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
    sql = StatementText.withoutLiterals(sql, names: names)
    expanded = nil
    // The column of an expression is called as it is written.
    (results, columns) = ([], [])
    error = error?.withoutValues(names)
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
      // A rowid is a value of the row where it is its primary key.
      (changes[index].key, changes[index].newKey) = (nil, nil)
    }
  }
}

extension RecordedStory.Failure {
  private static let constraint = 19
  /// A constraint CHECK that has no name is told by its expression.
  private static let check = 275
  /// Other constraints whose messages have names alone: of foreign keys, NOT NULL, keys, UNIQUE, rowids and types.
  private static let ofNames: Set = [constraint, 787, 1299, 1555, 2067, 2579, 3091]
  private static let locks: Set = [5, 6]

  /// Most messages may quote a part of the statement, or a value.
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
