/// One line of a log: everything it says is in it, so that any line can be read alone.
///
/// The wire format is artifacts format 1.1, described in `docs/artifacts-format.md`.
package struct LogRecord: Sendable, Equatable {
  /// Seconds since 1970, to the microsecond.
  package var time: Double
  /// The test the record speaks of; `nil` for the process itself and for what no test owns.
  package var test: TestCaseID?
  /// What happened.
  package var event: Event

  /// What a record can say; the coding key `kind` names the case.
  ///
  /// This file has the one list of the kinds. Each payload has a file in `Records`, with its reading and writing.
  package enum Event: Sendable, Equatable {
    case process(ProcessHeader)
    case testStarted(TestStart)
    case issue(RecordedIssue)
    case databaseOpened(OpenedDatabase)
    case databaseAttached(OpenedDatabase)
    case fixtureUsed(UsedFixture)
    case databaseUsed(DatabaseConnection)
    case databaseClosed(DatabaseConnection)
    case tablesExcluded(ExcludedTables)
    case evidence(CapturedEvidence)
    case captureFailed(CaptureFailure)
    case testFinished(TestEnd)
    case processFinished(ProcessEnd)
  }

  package init(time: Double, test: TestCaseID? = nil, event: Event) {
    self.time = time
    self.test = test
    self.event = event
  }
}

// MARK: - Reading and writing

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

  /// Writes what is said; the members of the payload in the order of its declaration.
  func write(to text: inout JSONText) {
    switch self {
    case .process(let payload): payload.write(to: &text)
    case .testStarted(let payload): payload.write(to: &text)
    case .issue(let payload): payload.write(to: &text)
    case .databaseOpened(let payload), .databaseAttached(let payload): payload.write(to: &text)
    case .fixtureUsed(let payload): payload.write(to: &text)
    case .databaseUsed(let payload), .databaseClosed(let payload): payload.write(to: &text)
    case .tablesExcluded(let payload): payload.write(to: &text)
    case .evidence(let payload): payload.write(to: &text)
    case .captureFailed(let payload): payload.write(to: &text)
    case .testFinished(let payload): payload.write(to: &text)
    case .processFinished(let payload): payload.write(to: &text)
    }
  }
}
