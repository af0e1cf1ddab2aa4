import Collector

struct WrittenStory: Sendable {
  var path: String
  var run: RunFolder
  var evidence: CapturedEvidence
  var end: StoryLines.End
  var missing: UInt64
  /// The number of steps that are told.
  var steps: Int
  var databases: [RecordedStory.Database]
  var isDamageTold: Bool
}
