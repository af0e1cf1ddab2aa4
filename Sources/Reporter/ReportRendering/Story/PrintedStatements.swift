import Collector
import ExhibitSQLite
import ReportModel
import ReportPlaces
import ReportStory

/// Each distinct statement at each place in the code once, for documents that have no room for all steps.
extension PrintedStory {
  /// Scalars of the row below a statement: fewer where there is little room, at last none.
  private static let longestRows = [180, 90, 0]
  /// Scalars of what is left out in all, and of one statement in it.
  private static let (longestOmitted, longestOfOne) = (300, 40)

  /// Those that failed first, the others in the order in which they first ran; where there is no room for all, those whose
  /// runs differ, then those that wrote and reads of nothing, then reads of several rows, and of these the last ones.
  ///
  /// - Parameter origins: The reads that are told above.
  /// - Returns: The lines, and by statement the step that tells it.
  func statements(bytes: Int, besides origins: [StoryStep]) -> (lines: [TerminalLine], known: [String: Int]) {
    let title = TerminalLine("Each statement at each place once, with one of its runs:", .strong)
    let named = Set(story.tellingNumbers)
    func rank(_ runs: StatementRuns) -> Int {
      if runs.failed > 0 { return 0 }
      if named.contains(runs.example.number) || runs.isUnlike { return 1 }
      // A look-up of one row tells the least.
      let isEmptyRead = runs.example.isReadOnly && runs.rows == 0
      return runs.changed > 0 || isEmptyRead ? 2 : runs.isMixed || runs.rows > runs.times ? 3 : 4
    }
    let all = story.statements.filter { runs in
      !origins.contains { $0.sql == runs.example.sql && $0.placeText == runs.example.placeText }
    }
    let order = all.indices.sorted { (rank(all[$0]), -$0) < (rank(all[$1]), -$1) }
    var shown: [Int: [TerminalLine]] = [:]
    for longest in Self.longestRows where shown.count < all.count {
      var room = bytes - title.text.utf8.count - Self.longestOmitted
      shown = [:]
      for index in order {
        let isTelling = all[index].failed > 0 || named.contains(all[index].example.number)
        let lines = lines(of: all[index], row: isTelling ? Self.longestRows[0] : longest)
        let size = lines.reduce(0) { $0 + $1.text.utf8.count + 1 }
        guard size <= room else { continue }
        room -= size
        shown[index] = lines
      }
    }
    let told = shown.keys.sorted { (all[$0].failed == 0 ? 1 : 0, $0) < (all[$1].failed == 0 ? 1 : 0, $1) }
    let left = all.count - told.count
    let rest =
      left + story.omittedStatements > 0
      ? [TerminalLine(text(ofOmitted: all.indices.filter { shown[$0] == nil }.map { all[$0] }), .soft)]
      : []
    return (
      [title] + headed(told.map { (all[$0].example.database, shown[$0] ?? []) }) + rest,
      Dictionary(
        told.map { (all[$0].example.statement, all[$0].example.number) },
        uniquingKeysWith: { first, _ in first })
    )
  }

  /// `… 3 more statements: 27 times SELECT id FROM visit WHERE …, SELECT …`.
  private func text(ofOmitted all: [StatementRuns]) -> String {
    let names = all.map { runs in
      (runs.times > 1 ? "\(grouped(runs.times)) times " : "")
        + shortened(Self.onOneLine(runs.example.sql), to: Self.longestOfOne)
    }
    return shortened(
      "  … \(counted(all.count + story.omittedStatements, "more statement"))\(names.isEmpty ? "" : ": ")\(names.joined(separator: "; "))",
      to: Self.longestOmitted)
  }

  /// The lines of statements below the names of their databases, each where another one was named before.
  private func headed(_ statements: [(database: Int, lines: [TerminalLine])]) -> [TerminalLine] {
    guard story.databases.count > 1 else { return statements.flatMap(\.lines) }
    var last: Int?
    return statements.flatMap { database, lines in
      defer { last = database }
      return (database == last ? [] : [TerminalLine("  in \(story.name(ofDatabase: database)):", .soft)])
        + lines
    }
  }

  /// - Parameter longest: Scalars of the row.
  private func lines(of runs: StatementRuns, row longest: Int) -> [TerminalLine] {
    let step = runs.example
    let isIdle = step.error == nil && step.changed == 0 && step.changes.isEmpty
    let facts = [
      runs.times > 1 ? "\(grouped(runs.times)) times" : nil,
      totalsText(rows: runs.rows, changed: runs.changed) ?? (runs.failed == runs.times ? nil : "no rows"),
      runs.isMixed ? "none in \(grouped(runs.idle))\(isIdle ? ", as in this one" : "")" : nil,
      runs.times > 1 && runs.undone > 0 ? "\(grouped(runs.undone)) of these rolled back" : nil,
      runs.failed > 0 ? "failed\(runs.failed < runs.times ? " in \(grouped(runs.failed))" : "")" : nil,
      step.undone == .failed || runs.times > 1 ? nil : step.undoneText,
      step.placeText,
    ]
    // The values of one run of many tell little, unless it is the odd one.
    let text = runs.times > 1 && runs.failed == 0 && !runs.isUnlike ? step.sql : step.statement
    let statement = Self.shortStatement(text, to: 360, query: 600)
    var lines = [
      TerminalLine(
        "  \(padded(step.label, to: 4, with: " "))  \(statement)  → \(joined(facts, by: ", ") ?? "")",
        runs.failed > 0 ? .odd : step.isReadOnly ? .soft : .plain)
    ]
    lines += rare[step].prefix(1).map { TerminalLine("        ! it \(story.text(of: $0))", .odd) }
    lines += step.remarks.prefix(1).map { TerminalLine("        ! \(shortened($0, to: 200))", .odd) }
    if longest > 0, let changes = step.changes.first ?? step.consequences.first {
      lines += self.lines(of: changes, step, in: step.database, indent: "        ").prefix(1)
    } else if longest > 0, let row = step.results.first {
      let cells = row.prefix(8).enumerated().map { column, value in
        printedValue(value) + Self.signs(marks.values(inStep: step.number, row: 0, column: column))
      }
      lines.append(TerminalLine("        " + cells.joined(separator: " | ")))
    }
    return [lines[0]]
      + lines.dropFirst().map { TerminalLine(shortened($0.text, to: max(longest, 90)), $0.style) }
  }
}
