import Collector
import ReportModel
import ReportPlaces
import ReportStory

/// The steps of one statement at one place in the code.
struct StepFamily {
  var sql: String
  /// `nil` where no place is known.
  var place: Place?
  /// In their order.
  var members: [ToldSteps.Step] = []

  /// `INSERT INTO movement(item_id, …) in post(_:) Stock.swift:52`.
  var pieces: [Explanation.Piece] {
    [.statement(sql)] + (place.map { [.text(" in "), .place($0)] } ?? [])
  }
}

/// What the members of a family have in common.
private struct FamilyKey: Hashable {
  var sql: String
  var file: String?
  var line: Int?
}

extension [ToldSteps.Step] {
  /// The families of these steps, in the order of their first members.
  var families: [StepFamily] {
    filter { !$0.text.isHousekeeping && !$0.recorded.isWithheld }
      .groups { FamilyKey(sql: $0.sql, file: $0.place?.file, line: $0.place?.line) }
      .map { StepFamily(sql: $0[0].sql, place: $0[0].place, members: $0) }
  }
}

extension ToldSteps.Step {
  /// Its statement and the place where it was run.
  var pieces: [Explanation.Piece] { StepFamily(sql: sql, place: place).pieces }

  /// The place where it was run, or a text in its stead.
  func placeOr(_ text: String) -> [Explanation.Piece] { place.map { [.place($0)] } ?? [.text(text)] }

  /// The step from which on others see what it wrote.
  var visibleAt: Int { committedAt ?? number }

  /// Its statement with the values that it was given, as far as they are known.
  package var asked: String { recorded.expanded ?? sql }
}

extension ToldSteps {
  /// The name of a column.
  func name(of column: Int, in table: StoryTable) -> String {
    (columns[table] ?? []).columnName(column)
  }
}
