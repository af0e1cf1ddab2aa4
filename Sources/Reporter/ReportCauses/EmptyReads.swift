import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// A read that found nothing where one was expected, and the one condition that kept rows from it.
extension Causes {
  var emptyReads: [Explanation] {
    guard disagreement.isOfNothing, let read = disagreement.reads.first, read.recorded.rows == 0,
      let hindrance = Hindrance(to: read.asked, of: read, but: nil, told, files)
    else { return [] }
    var words: Explanation.Words = """
      \(read.pieces) found nothing in \(step: read.number)\(hindrance.words("kept rows from it"))
      """
    if let writer = hindrance.writer(in: told, before: read) {
      words += "; the row was written last in \(step: writer.number)\(" by ", place: writer.place)"
    }
    words += "."
    return [
      Explanation(
        .likely, words, rows: hindrance.rows, weight: Weight.certain + Weight.touchesRead,
        about: [read.number])
    ]
  }
}

/// The one condition of a query without which it would find rows, and these.
struct Hindrance {
  private(set) var condition: String
  private(set) var rows: RelatedRows?

  /// The condition and its effect, as a part of a sentence.
  func words(_ effect: String) -> [Explanation.Piece] {
    let bare = StatementText.withoutLiterals(condition, names: [])
    return [.values("; only “\(condition)” \(effect)", without: "; only “\(bare)” \(effect)")]
  }

  private static let mostRows = 5

  /// - Parameter value: A value that is meant, so that a condition that names it is kept.
  /// - Returns: `nil` where the query finds rows, and where no condition or more than one keeps them from it.
  init?(
    to select: String, of step: ToldSteps.Step, but value: Story.Value?, _ told: ToldSteps,
    _ files: CapturedDatabases
  ) {
    guard let database = files.queries(for: step, told), database.query(select, most: 1)?.rows.isEmpty == true
    else {
      return nil
    }
    let meant = value?.literal
    // A condition on keys says which rows are meant.
    let keys = files.flatMap { $0.schema.tables.values.flatMap(\.keyColumns) }
    let found = QueryVariant.withoutConditions(of: select).filter { variant in
      guard let condition = variant.condition, !(meant.map(condition.contains) ?? false) else { return false }
      let names = SQLToken.all(in: condition).compactMap { $0.isName ? $0.name?.lowercased() : nil }
      return !names.contains { name in keys.contains { $0.lowercased() == name } }
        && !database.rows(variant.sql, most: 1).rows.isEmpty
    }
    guard found.count == 1, let variant = found.first, let condition = variant.condition else { return nil }
    self.condition = condition
    let tokens = SQLToken.all(in: variant.sql)
    guard let from = tokens.firstIndex(where: { $0.folded == "FROM" }),
      let table = tokens[safe: from + 1]?.name
    else { return }
    let all = database.rows("SELECT * \(variant.sql[tokens[from].text.startIndex...])", most: Self.mostRows)
    if !all.rows.isEmpty {
      rows = RelatedRows(
        table: StoryTable(database: step.database, name: table),
        title: "\(table): kept out by “\(condition)”",
        columns: all.columns, rows: all.rows)
    }
  }

  /// The last step that wrote the only row.
  func writer(in told: ToldSteps, before read: ToldSteps.Step) -> ToldSteps.Step? {
    guard let rows, rows.rows.count == 1, let row = rows.rows.first else { return nil }
    return told.steps.last { step in
      step.number < read.number && !step.isSetUp
        && step.changes.contains { $0.table == rows.table && $0.told.new.map { $0 ?? .null } == row }
    }
  }
}
