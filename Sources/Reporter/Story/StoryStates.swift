/// Two states of one database, told apart where there is no trace.
struct StoryStates: Sendable, Equatable {
  var source: Story.Source
  /// As a reader calls the database.
  var name: String
  /// The later state: the evidence's path in the report's folder.
  var path: String
  var changes: DatabaseChanges
  /// As of a trace: `+1 order, 3 orders changed`.
  var sentence: String
}
