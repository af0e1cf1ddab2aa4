import Collector

struct WrittenStory: Sendable {
  var path: String
  var run: RunFolder
  var evidence: CapturedEvidence
  var end: StoryLines.End
  var missing: UInt64
  var databases: [RecordedStory.Database]
  var isDamageTold: Bool
}
