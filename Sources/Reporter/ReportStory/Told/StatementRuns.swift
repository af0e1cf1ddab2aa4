import Collector
import ReportModel
import ReportPlaces

/// The runs of one statement at one place in the code, between the set-up and the first failure.
package struct StatementRuns: Sendable, Equatable {
  package var times = 0
  /// Rows that they returned and changed in all.
  package var rows = 0
  package var changed = 0
  /// Runs that failed.
  package var failed = 0
  /// Others whose changes were taken back.
  package var undone = 0
  /// Others that returned and changed no row.
  package var idle = 0
  /// The one that tells most: it failed, or what a reader needs names it, or it changed no row where most did, or it met
  /// rows; the last one of those.
  package var example: StoryStep
  /// True where not all of three or more changed as many rows.
  package var isUnlike = false
  /// The number of the first one.
  package var first: Int

  /// True where some met no row and others did.
  package var isMixed: Bool { idle > 0 && idle + failed < times }
}
