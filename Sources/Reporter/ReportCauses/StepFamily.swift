import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// The steps that ran one statement at one place in the code.
struct StepFamily {
  var sql: String
  var place: Place?
  var members: [ToldSteps.Step] = []

  /// `INSERT INTO movement(item_id, …) in post(_:) Stock.swift:52`.
  var pieces: [Explanation.Piece] {
    [.statement(sql)] + (place.map { [.text(" in "), .place($0)] } ?? [])
  }
}

private struct FamilyKey: Hashable {
  var sql: String
  var file: String?
  var line: Int?
}

extension [ToldSteps.Step] {
  var families: [StepFamily] {
    filter { !$0.text.isHousekeeping && !$0.recorded.isWithheld }
      .groups { FamilyKey(sql: $0.sql, file: $0.place?.file, line: $0.place?.line) }
      .map { StepFamily(sql: $0[0].sql, place: $0[0].place, members: $0) }
  }
}

extension ToldSteps.Step {
  var pieces: [Explanation.Piece] { StepFamily(sql: sql, place: place).pieces }

  func placeOr(_ text: String) -> [Explanation.Piece] { place.map { [.place($0)] } ?? [.text(text)] }

  /// The step from which other connections see its writes.
  var visibleAt: Int { committedAt ?? number }

  /// Its statement with values, if known.
  package var asked: String { recorded.expanded ?? sql }
}

extension ToldSteps {
  func name(of column: Int, in table: StoryTable) -> String {
    (columns[table] ?? []).columnName(column)
  }
}
