import Collector

/// What a process that died left of the tests that ran, and that can be captured.
struct ProcessRemains {
  var databases: [LeftDatabase] = []
  var stories: [LeftStory] = []
  /// In which the steps of the stories are.
  var ring: LeftRing?

  /// Whether there are steps.
  var hasRing: Bool { !stories.isEmpty && ring?.exists == true }
  var isEmpty: Bool { databases.isEmpty && !hasRing }

  /// Captures all of it that the place has room for.
  ///
  /// - Throws: `SystemError` when nothing can be written where evidence belongs.
  func capture(into capture: inout PostMortemCapture) throws {
    for database in databases { try capture.add(database) }
    if let ring { try capture.add(stories, from: ring) }
  }

  /// Records that none of it was captured.
  func failure(_ error: CaptureError) -> [LogRecord] {
    databases.flatMap { $0.failure(error) } + (hasRing ? stories.map { $0.failure(error) } : [])
  }

  // MARK: - What is tried again

  /// What of it earlier reports could not capture for a reason that may have passed.
  ///
  /// - Parameter records: What those reports recorded.
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

/// What a record of a recovery is about.
enum RecoveredSubject: Hashable {
  case story(TestCaseID?)
  /// Of a test, given by its path.
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
