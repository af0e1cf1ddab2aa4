import Collector
import ExhibitSQLite
import ReportInspection
package import ReportModel
import ReportPlaces
import ReportStory

/// The output of `reporter show --json`; docs/report-json.md describes it.
///
/// The test itself is told as in report.json, beside it what a page has and report.json leaves out.
package struct ShownDocument {
  private let test: TestResult
  private let contents: ReportContents
  private let story: Story?

  package init(_ test: TestResult, _ contents: ReportContents) {
    (self.test, self.contents) = (test, contents)
    story = contents.stories[test.id]
  }

  /// One line.
  package var bytes: [UInt8] {
    let report = contents.report
    return JSONText.printed { json in
      json.object("failing", of: story?.failingStep) { json, step in
        json.member("kind", step.kind.rawValue)
        json.member("place", step.place.text)
        json.member("step", step.number)
      }
      json.objects("faults", report.faults) { $0.write($1) }
      json.member("format", Report.format)
      json.objects("last", story?.highlights ?? []) { json, highlight in
        json.member("changes", highlight.changes.sentence)
        json.member("connection", highlight.connection)
        json.member("first", highlight.first)
        json.member("kind", highlight.kind.rawValue)
        json.member("last", highlight.last)
      }
      json.objects("notices", report.notices) { $0.write($1) }
      json.objects("schema", schema) { json, statement in
        json.member("database", statement.database)
        json.member("sql", statement.sql)
      }
      json.objects("sources", excerpts) { json, told in
        json.member("file", told.file)
        json.member("firstLine", told.excerpt.firstLine)
        json.array("lines", told.excerpt.lines) { $0.element($1) }
        json.member("markedLine", told.excerpt.markedLine)
      }
      json.object("states", of: contents.answer) { write($1, &$0) }
      json.array("telling", story?.tellingNumbers ?? []) { $0.element($1) }
      json.write("test", test, contents, page: nil, steps: .max)
    }
  }

  private var schema: [(database: String, sql: String)] {
    story.map { TouchedSchema(shownOf: test, $0, contents, isShort: false).named } ?? []
  }

  // MARK: - Places

  /// The lines around the places of issues, each place once.
  private var excerpts: [(file: String, excerpt: SourceExcerpt)] {
    var seen: Set<SourceReference> = []
    return test.issuesOfFailure.compactMap { issue in
      guard let place = issue.location, seen.insert(place).inserted, let excerpt = contents.sources[place]
      else { return nil }
      return (place.file, excerpt)
    }
  }

  // MARK: - States

  private func write(_ answer: StateAnswer, _ json: inout JSONText) {
    json.objects("databases", answer.databases) { write($1, &$0) }
    switch answer.question {
    case .step(let step):
      json.member("row", nil as String?)
      json.member("step", step)
    case .row(let table, let key):
      json.object("row") { json in
        json.array("key", key) { $0.element($1) }
        json.member("table", table)
      }
      json.member("step", nil as Int?)
    }
    json.member("statement", answer.statement)
  }

  private func write(_ database: StateAnswer.Database, _ json: inout JSONText) {
    json.array("columns", database.columns) { $0.element($1) }
    json.member("name", database.name)
    json.object("past", of: database.past) { json, past in
      json.objects("entries", past.entries) { write($1, &$0) }
      json.member("omitted", past.omitted)
      json.member("origin", past.origin.sentence)
    }
    json.objects("tables", database.tables) { write($1, &$0) }
    json.member("uncommitted", database.isUncommitted)
  }

  private func write(_ entry: RowPast.Entry, _ json: inout JSONText) {
    json.member("depth", entry.depth)
    json.values("new", told(entry.new))
    json.values("old", told(entry.old))
    json.member("operation", entry.operation.rawValue)
    json.member("place", entry.place?.text)
    json.member("replaced", entry.isReplacement)
    json.member("step", entry.step)
  }

  private func write(_ table: StateAnswer.Table, _ json: inout JSONText) {
    json.member("changed", table.changed)
    json.array("columns", table.columns) { $0.element($1) }
    json.member("exists", table.exists)
    json.member("hasMore", table.hasMore)
    json.member("leftOut", table.leftOut)
    json.member("name", table.name)
    json.member("omitted", table.omitted)
    json.member("problem", table.bound?.sentence)
    json.objects("rows", includesRows ? table.rows : []) { json, row in
      json.values("key", row.key.keyValues)
      json.member("leftOut", row.leftOut)
      json.values("new", row.values)
      json.values("old", row.old)
      json.member("operation", row.operation?.rawValue)
    }
  }

  private var includesRows: Bool { contents.answer?.includesRows ?? false }

  private func told(_ values: [DatabaseValue?]) -> [DatabaseValue?] { includesRows ? values : [] }
}

extension RowKey {
  fileprivate var keyValues: [DatabaseValue?] {
    switch self {
    case .rowid(let number): [.integer(number)]
    case .values(let values): values
    }
  }
}
