import Collector

/// A test's story as far as it is written.
struct WrittenStory: Sendable {
  var path: String
  var run: RunFolder
  var evidence: CapturedEvidence
  var end: StoryLines.End
  /// Steps missing at its beginning.
  var missing: UInt64
  var databases: [RecordedStory.Database]
  /// A loss of steps is recorded.
  var isDamageTold: Bool
}
