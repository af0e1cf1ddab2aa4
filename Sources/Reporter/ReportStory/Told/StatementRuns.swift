import Collector
import ReportModel
import ReportPlaces

/// The runs of one statement at one place in the code, between set-up and failure.
package struct StatementRuns: Sendable, Equatable {
  package var times = 0
  package var rows = 0
  package var changed = 0
  package var failed = 0
  /// Runs whose changes were taken back.
  package var undone = 0
  /// Runs that met no row.
  package var idle = 0
  /// The run that tells most: one that failed, is named, or changed no row where most did.
  package var example: StoryStep
  /// True where runs changed other numbers of rows than others.
  package var isUnlike = false
  package var first: Int

  /// True where some met no row and others did.
  package var isMixed: Bool { idle > 0 && idle + failed < times }
}
