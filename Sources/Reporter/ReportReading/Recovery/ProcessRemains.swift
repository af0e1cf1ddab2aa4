import Collector

/// What can be captured of a dead process for its running tests.
struct ProcessRemains {
  var databases: [LeftDatabase] = []
  var stories: [LeftStory] = []
  var ring: LeftRing?

  var hasRing: Bool { !stories.isEmpty && ring?.exists == true }
  var isEmpty: Bool { databases.isEmpty && !hasRing }

  func capture(into capture: inout PostMortemCapture) throws {
    for database in databases { try capture.add(database) }
    if let ring { try capture.add(stories, from: ring) }
  }

  func failure(_ error: CaptureError) -> [LogRecord] {
    databases.flatMap { $0.failure(error) } + (hasRing ? stories.map { $0.failure(error) } : [])
  }

  // MARK: - Another attempt

  /// What earlier reports did not capture for a reason that may have passed.
  func remaining(after records: [LogRecord]) -> ProcessRemains {
    var captured: Set<RecoveredSubject> = []
    var failures: [RecoveredSubject: CaptureFailure] = [:]
    for record in records {
      let subject = RecoveredSubject(record)
      if record.isOf(CapturedEvidence.self) { captured.insert(subject) }
      if let failure = record.payload as? CaptureFailure, failure.reason.mayPass {
        failures[subject] = failure
      }
    }
    func failure(of subjects: [RecoveredSubject]) -> CaptureFailure? {
      guard captured.isDisjoint(with: subjects) else { return nil }
      return subjects.lazy.compactMap { failures[$0] }.first
    }
    var remaining = ProcessRemains(ring: ring)
    remaining.databases = databases.compactMap { database in
      var database = database
      guard let failure = failure(of: database.tests.map { .database(database.path, $0) }) else { return nil }
      (database.isTriedAgain, database.noted) = (true, failure.files)
      return database
    }
    remaining.stories = stories.filter { failure(of: [.story($0.test)]) != nil }
    return remaining
  }
}

enum RecoveredSubject: Hashable {
  case story(TestCaseID?)
  case database(String?, TestCaseID?)

  init(_ record: LogRecord) {
    switch record.payload {
    case let evidence as CapturedEvidence:
      self = evidence.kind == .story ? .story(record.test) : .database(evidence.source, record.test)
    case let failure as CaptureFailure:
      self = failure.kind == .story ? .story(record.test) : .database(failure.source, record.test)
    default: self = .database(nil, record.test)
    }
  }
}
