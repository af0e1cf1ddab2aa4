/// `{"kind":…,"time":…,"test":…,"payload":{…}}`, the form of every line of a log; `LogLine` writes it.
extension LogRecord: Decodable {
  private enum Key: String, CodingKey {
    case kind, time, test, payload
  }

  /// The names of record kinds, as they stand in a log.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case process, testStarted, issue, databaseOpened, databaseAttached, databaseUsed, databaseClosed,
      tablesExcluded,
      fixtureUsed, evidence, captureFailed, testFinished, processFinished
  }

  /// What a reader throws for a kind it does not know, so that it can skip the line.
  package struct UnknownKind: Error, Equatable {
    package var kind: String
  }

  package var kind: Kind { event.kind }

  /// - Throws: `UnknownKind` for a record that a newer version wrote, else `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: name) else { throw UnknownKind(kind: name) }
    func payload<T: Decodable>(_ type: T.Type) throws -> T { try container.decode(T.self, forKey: .payload) }
    let event: Event =
      switch kind {
      case .process: .process(try payload(ProcessHeader.self))
      case .testStarted: .testStarted(try payload(TestStart.self))
      case .issue: .issue(try payload(RecordedIssue.self))
      case .databaseOpened: .databaseOpened(try payload(OpenedDatabase.self))
      case .databaseAttached: .databaseAttached(try payload(OpenedDatabase.self))
      case .fixtureUsed: .fixtureUsed(try payload(UsedFixture.self))
      case .databaseUsed: .databaseUsed(try payload(DatabaseConnection.self))
      case .databaseClosed: .databaseClosed(try payload(DatabaseConnection.self))
      case .tablesExcluded: .tablesExcluded(try payload(ExcludedTables.self))
      case .evidence: .evidence(try payload(CapturedEvidence.self))
      case .captureFailed: .captureFailed(try payload(CaptureFailure.self))
      case .testFinished: .testFinished(try payload(TestEnd.self))
      case .processFinished: .processFinished(try payload(ProcessEnd.self))
      }
    self.init(
      time: try container.decode(Double.self, forKey: .time),
      test: try container.decodeIfPresent(TestCaseID.self, forKey: .test), event: event)
  }
}

extension LogRecord.Event {
  var kind: LogRecord.Kind {
    switch self {
    case .process: .process
    case .testStarted: .testStarted
    case .issue: .issue
    case .databaseOpened: .databaseOpened
    case .databaseAttached: .databaseAttached
    case .fixtureUsed: .fixtureUsed
    case .databaseUsed: .databaseUsed
    case .databaseClosed: .databaseClosed
    case .tablesExcluded: .tablesExcluded
    case .evidence: .evidence
    case .captureFailed: .captureFailed
    case .testFinished: .testFinished
    case .processFinished: .processFinished
    }
  }
}
