import Collector

/// What was written of a test's story so far.
struct WrittenStory: Sendable {
  var path: String
  var run: RunFolder
  /// As it is in the log.
  var evidence: CapturedEvidence
  /// The number of the last step in it.
  var last: UInt64
  /// Steps that are missing at its beginning.
  var missing: UInt64
  /// What its connections had open at the failure.
  var databases: [StoryLines.Database]
  /// Whether it is recorded that steps may be missing in it.
  var isDamageTold: Bool
}
