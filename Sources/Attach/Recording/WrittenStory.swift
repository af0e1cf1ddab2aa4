import Collector

/// The part of a test's story that is written.
struct WrittenStory: Sendable {
  var path: String
  var run: RunFolder
  /// The evidence as the log has it.
  var evidence: CapturedEvidence
  /// The last step in it.
  var end: StoryLines.End
  /// The number of steps that are missing at its beginning.
  var missing: UInt64
  /// The databases that its connections had open at the failure.
  var databases: [RecordedStory.Database]
  /// True when it is recorded that steps may be missing.
  var isDamageTold: Bool
}
