import Collector
import ReportInspection
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

struct StepFamilies {
  private(set) var all: [StepFamily] = []
  /// By number of a step, the one that follows it on its connection and the one before it.
  private(set) var next: [Int: ToldSteps.Step] = [:]
  private(set) var previous: [Int: ToldSteps.Step] = [:]

  /// - Parameter steps: The test's steps behind its set-up, in their order.
  init(_ steps: [ToldSteps.Step]) {
    struct Key: Hashable {
      var sql: String
      var file: String?
      var line: Int?
    }
    let told = steps.filter { !$0.text.isHousekeeping && !$0.recorded.isWithheld }
    var last: [Int: ToldSteps.Step] = [:]
    for step in told {
      if let before = last[step.recorded.connection] {
        next[before.number] = step
        previous[step.number] = before
      }
      last[step.recorded.connection] = step
    }
    all = told.groups { Key(sql: $0.sql, file: $0.place?.file, line: $0.place?.line) }.map {
      StepFamily(sql: $0[0].sql, place: $0[0].place, members: $0)
    }
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

/// A change, with the step that made it.
typealias Write = (step: ToldSteps.Step, change: ToldSteps.Change)

/// A row of a table, by what tells it from others.
struct TableRow: Hashable {
  var table: StoryTable
  var key: RowKey
}

/// A column of such a row.
struct CellKey: Hashable {
  var table: StoryTable
  var key: RowKey
  var column: Int
}

extension ToldSteps {
  /// The name of a column.
  func name(of column: Int, in table: StoryTable) -> String {
    (columns[table] ?? []).columnName(column)
  }
}
