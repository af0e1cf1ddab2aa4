/// A story for readers who may not see what is in the rows.
extension Story {
  /// Takes out literals, values, results and rows, and what was made of them; counts and names stay.
  ///
  /// - Parameter names: Of tables and columns, in lower case: no values although they stand in quotes.
  mutating func removeValues(names: Set<String>) {
    setUp = setUp.map { $0.withoutValues(names) }
    items = items.map { $0.withoutValues(names) }
    afterFailure = afterFailure.map { $0.withoutValues(names) }
    changes.removeValues()
    lastChanges?.removeValues()
    (messageValues, valuePlaces) = ([], [])
    ending = ending.compactMap(\.withoutValues)
    highlights = highlights.map(\.withoutValues)
    for index in states.indices {
      for table in states[index].changes.tables.indices { states[index].changes.tables[table].rows = [] }
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

extension StoryItem {
  fileprivate func withoutValues(_ names: Set<String>) -> StoryItem {
    switch self {
    case .group(let group): return .group(group.withoutValues(names))
    case .repeated(var repeated):
      repeated.first = repeated.first.map { $0.withoutValues(names) }
      repeated.last = repeated.last.map { $0.withoutValues(names) }
      return .repeated(repeated)
    case .issue: return self
    }
  }
}

extension StoryGroup {
  fileprivate func withoutValues(_ names: Set<String>) -> StoryGroup {
    var group = self
    group.entries = entries.map { entry in
      switch entry {
      case .step(let step): return .step(step.withoutValues(names))
      case .repeated(var repeated):
        repeated.first = repeated.first.map { $0.withoutValues(names) }
        repeated.last = repeated.last.map { $0.withoutValues(names) }
        return .repeated(repeated)
      case .issue: return entry
      }
    }
    return group
  }
}

extension StoryStep {
  fileprivate func withoutValues(_ names: Set<String>) -> StoryStep {
    var step = self
    step.sql = StatementText.withoutLiterals(sql, names: names)
    step.expanded = nil
    step.results = []
    if let error { step.error = error.withoutValues }
    step.changes = changes.map(\.withoutValues)
    step.consequences = consequences.map(\.withoutValues)
    step.nested = nested.map { $0.withoutValues(names) }
    return step
  }
}

extension StoryTableChanges {
  fileprivate var withoutValues: StoryTableChanges {
    var table = self
    for index in changes.indices {
      (table.changes[index].old, table.changes[index].new) = ([], [])
      // A rowid is a value of the row where it is its primary key.
      (table.changes[index].key, table.changes[index].newKey) = (nil, nil)
    }
    return table
  }
}

extension RecordedStory.Failure {
  /// Constraints and locks are told by names alone; other messages may quote a part of the statement or a value.
  fileprivate var withoutValues: RecordedStory.Failure {
    let isOfNames = [5, 6].contains(code & 0xFF) || code & 0xFF == 19 && code != 1811
    return isOfNames ? self : RecordedStory.Failure(code: code, message: "SQLite error \(code)")
  }
}
