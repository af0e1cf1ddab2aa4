import Collector
import ExhibitSystem
import ReportInspection
import ReportModel

/// Whether a captured database can tell what a read was made of: it must have the same rows, seen alike.
extension StoryBuilder {
  /// True when a later step before the failure changed a table of such a name.
  func hasChanged(_ names: Set<String>, in database: Int, after number: Int) -> Bool {
    steps.indices.dropFirst(steps.place { $0.number <= number }).contains { place in
      guard steps[place].number <= failure else { return false }
      return wrote(names, in: database, at: place)
        || texts[place].changesSchema && steps[place].error == nil && !steps[place].wasIdle
          && !texts[place].names.isDisjoint(with: names)
    }
  }

  /// True where a read may have seen rows of a temporary table, of its own transaction that was taken back, or not
  /// yet those of another connection.
  func sawOtherRows(_ names: Set<String>, in database: Int, at number: Int) -> Bool {
    let isTemporary = texts.contains { text in
      guard text.isTemporary, case .create(_, let name) = text.kind else { return false }
      return names.contains(name.lowercased())
    }
    let read = steps.place { $0.number < number }
    guard !isTemporary, steps[safe: read]?.number == number else { return true }
    let group = transactions.transaction(ofStepAt: read)
    let begin = group.flatMap { transactions.groups[$0].steps.first }.map { steps[$0].number } ?? number
    return steps.indices.prefix(read).contains { place in
      let end = transactions.end(ofStepAt: place) ?? steps[place].number
      let isOtherwise =
        steps[place].connection != steps[read].connection
        ? end >= begin
        : transactions.undone[place] == .rolledBack && end > number
          || (transactions.takenBackAt[place] ?? 0) > number
      return isOtherwise && wrote(names, in: database, at: place)
    }
  }

  private func wrote(_ names: Set<String>, in database: Int, at place: Int) -> Bool {
    changes(at: place, in: database, orUnknown: true).contains { names.contains($0.table.lowercased()) }
  }

  /// True when CREATE TABLE … AS may have made the table: nobody is told of its rows.
  func makesRows(of table: String) -> Bool {
    let isRenamed = texts.contains { $0.newName.map(foldedName) == foldedName(table) }
    return texts.contains { text in
      guard case .create("TABLE", let name) = text.kind else { return false }
      return text.hasRows && (isRenamed || foldedName(name) == foldedName(table))
    }
  }
}
