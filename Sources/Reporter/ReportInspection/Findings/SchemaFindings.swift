import ExhibitSQLite
import ReportModel

extension Examination {
  /// Finds triggers of one event with conflicting writes, whose result depends on their order.
  ///
  /// SQLite leaves the order undefined: https://www.sqlite.org/lang_createtrigger.html.
  func conflictingTriggers(_ unexamined: inout [String]) -> [Finding] {
    let triggers = schema.triggers.prefix(limits.schemaObjects).map {
      ($0, TriggerProgram($0.sql)) as Program
    }
    if schema.triggers.count > triggers.count {
      unexamined.append("Only the first \(counted(triggers.count, "trigger")) were looked at.")
    }
    if let failure = schema.triggersFailure {
      unexamined.append("The triggers were not looked at: \(failure.message).")
    }
    var findings: [Finding] = []
    for (index, one) in triggers.enumerated() {
      for two in triggers[(index + 1)...]
      where two.trigger.table.lowercased() == one.trigger.table.lowercased() {
        guard findings.count < Finding.mostRows, let conflict = one.program.conflict(with: two.program) else {
          continue
        }
        findings.append(finding(one, two, conflict))
      }
    }
    return findings
  }

  private typealias Program = (trigger: DatabaseSchema.Trigger, program: TriggerProgram)

  private func finding(
    _ one: Program, _ two: Program, _ conflict: (table: String, columns: Set<String>)
  ) -> Finding {
    let table = one.trigger.table
    let written = shownName(conflict.table)
    let columns = conflict.columns.sorted().map { "\(written).\(shownName($0))" }.joined(separator: ", ")
    return Finding(
      kind: .conflictingTriggers, table: table, triggers: [one.trigger.name, two.trigger.name],
      detail: conflict.table,
      sentence:
        "The triggers \(shownName(one.trigger.name)) and \(shownName(two.trigger.name)) both run \(one.program.time) \(one.program.event) on \(shownName(table)) and write \(columns.isEmpty ? written : columns).",
      remedy: "SQLite does not define which runs first: make one trigger of both.")
  }
}

extension TriggerProgram {
  /// The table and columns of conflicting writes, if any.
  ///
  /// Triggers with conditions may exclude each other, and inserts do not conflict.
  fileprivate func conflict(with other: TriggerProgram) -> (table: String, columns: Set<String>)? {
    guard time == other.time, event == other.event, !event.isEmpty, !isConditional, !other.isConditional,
      watched.isEmpty || other.watched.isEmpty || !watched.isDisjoint(with: other.watched)
    else { return nil }
    for one in writes {
      let table = one.table.lowercased()
      for two in other.writes where table == two.table.lowercased() {
        switch (one.operation, two.operation) {
        case (.update, .update):
          let both = one.columns.intersection(two.columns)
          if !both.isEmpty { return (table, both) }
        case (.delete, .insert), (.insert, .delete), (.delete, .update), (.update, .delete):
          return (table, [])
        case (.insert, _), (_, .insert), (.delete, .delete): continue
        }
      }
    }
    return nil
  }
}
