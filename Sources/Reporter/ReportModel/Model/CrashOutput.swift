/// What a process printed as it died.
package struct CrashOutput: Sendable, Equatable {
  package var lastLines: [String]
  package var backtrace: [String]
  /// What it said of its end, such as `Fatal error: Index out of range`.
  package var message: String?
  /// Where that was in the package's code.
  package var place: SourceReference?
  /// The package's own functions on the crashed thread's stack, innermost first.
  package var frames: [Frame]

  package struct Frame: Sendable, Equatable {
    package var function: String
    package var place: SourceReference

    package init(function: String, place: SourceReference) {
      self.function = function
      self.place = place
    }
  }

  package init(
    lastLines: [String], backtrace: [String], message: String? = nil, place: SourceReference? = nil,
    frames: [Frame] = []
  ) {
    (self.lastLines, self.backtrace) = (lastLines, backtrace)
    (self.message, self.place, self.frames) = (message, place, frames)
  }

  mutating func mapLocations(_ change: (SourceReference) -> SourceReference) {
    place = place.map(change)
    for index in frames.indices { frames[index].place = change(frames[index].place) }
  }
}
