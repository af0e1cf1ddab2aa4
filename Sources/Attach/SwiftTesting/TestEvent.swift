import Collector

/// An event of Swift Testing, scanned from its JSON: swift-testing, `Documentation/ABI/JSON.md`.
enum TestEvent {
  /// `nil` for a suite.
  case planned(PlannedFunction?)
  case began(PlannedFunction.Key)
  case skipped(PlannedFunction.Key)
  case cancelled(PlannedFunction.Key)
  case caseCancelled
  case ended(PlannedFunction.Key)
  case issue(RecordedIssue, of: PlannedFunction.Key)
  /// Posted once per configuration in use.
  case issueOutside(RecordedIssue, at: Instant)

  struct Instant: Equatable, Sendable {
    fileprivate(set) var bytes: String
  }

  init?(_ record: UnsafeRawBufferPointer) {
    var kind: JSONBytes?
    var payload: JSONBytes?
    for member in JSONMembers(of: JSONBytes(record)) {
      if member.name.isEqual(to: "kind") { kind = member.value }
      if member.name.isEqual(to: "payload") { payload = member.value }
    }
    guard let kind, let payload else { return nil }
    if kind.isEqual(to: "\"event\"") {
      self.init(event: payload)
    } else if kind.isEqual(to: "\"test\"") {
      self = .planned(PlannedFunction(payload))
    } else {
      return nil
    }
  }

  private init?(event: JSONBytes) {
    var kind: JSONBytes?
    var issue: JSONBytes?
    var messages: JSONBytes?
    var instant: JSONBytes?
    var key: PlannedFunction.Key?
    for (name, value) in JSONMembers(of: event) {
      if name.isEqual(to: "kind") {
        kind = value
      } else if name.isEqual(to: "testID") {
        key = PlannedFunction.Key(value)
      } else if name.isEqual(to: "issue") {
        issue = value
      } else if name.isEqual(to: "messages") {
        messages = value
      } else if name.isEqual(to: "instant") {
        instant = value
      }
    }
    guard let kind else { return nil }
    if kind.isEqual(to: "\"issueRecorded\""), let issue {
      let recorded = RecordedIssue(issue, messages)
      self = key.map { .issue(recorded, of: $0) } ?? .issueOutside(recorded, at: Instant(instant))
      return
    }
    if kind.isEqual(to: "\"testCaseCancelled\"") {
      self = .caseCancelled
      return
    }
    guard let key else { return nil }
    if kind.isEqual(to: "\"testStarted\"") {
      self = .began(key)
    } else if kind.isEqual(to: "\"testEnded\"") {
      self = .ended(key)
    } else if kind.isEqual(to: "\"testSkipped\"") {
      self = .skipped(key)
    } else if kind.isEqual(to: "\"testCancelled\"") {
      self = .cancelled(key)
    } else {
      return nil
    }
  }
}

extension TestEvent.Instant {
  fileprivate init(_ value: JSONBytes?) {
    let absolute = value.flatMap { JSONMembers(of: $0).first { $0.name.isEqual(to: "absolute") }?.value }
    bytes = absolute?.written ?? ""
  }
}

extension PlannedFunction.Key {
  fileprivate init(_ value: JSONBytes) {
    self.init(bytes: value.written)
  }
}

extension PlannedFunction {
  fileprivate init?(_ test: JSONBytes) {
    var (isFunction, isParameterized) = (false, false)
    var (id, name, displayName): (JSONBytes?, JSONBytes?, JSONBytes?)
    var location: SourceLocation?
    for (member, value) in JSONMembers(of: test) {
      if member.isEqual(to: "kind") {
        isFunction = value.isEqual(to: "\"function\"")
      } else if member.isEqual(to: "id") {
        id = value
      } else if member.isEqual(to: "name") {
        name = value
      } else if member.isEqual(to: "displayName") {
        displayName = value
      } else if member.isEqual(to: "isParameterized") {
        isParameterized = value.isTrue
      } else if member.isEqual(to: "sourceLocation") {
        location = SourceLocation(value)
      }
    }
    guard isFunction, let id, let text = id.text, let location,
      let test = TestCaseID(eventStreamID: text)
    else { return nil }
    self.init(
      key: Key(id), id: test,
      start: TestStart(
        framework: .swiftTesting, displayName: displayName?.text, file: location.filePath, line: location.line
      ),
      isParameterized: isParameterized,
      declaration: Declaration(
        name: name?.text ?? test.name, fileID: location.fileID ?? "", line: location.line,
        column: location.column))
  }
}

private struct SourceLocation {
  var fileID: String?
  var filePath: String?
  var line = 0
  var column = 0

  init(_ location: JSONBytes) {
    for (name, value) in JSONMembers(of: location) {
      if name.isEqual(to: "fileID") {
        fileID = value.text
      } else if name.isEqual(to: "filePath") || name.isEqual(to: "_filePath") {
        filePath = value.text
      } else if name.isEqual(to: "line") {
        line = value.integer ?? 0
      } else if name.isEqual(to: "column") {
        column = value.integer ?? 0
      }
    }
  }
}

extension RecordedIssue {
  /// - Parameter messages: What happened, then comments and details.
  fileprivate init(_ issue: JSONBytes, _ messages: JSONBytes?) {
    var (isKnown, isWarning) = (false, false)
    var location: SourceLocation?
    for (name, value) in JSONMembers(of: issue) {
      if name.isEqual(to: "isKnown") {
        isKnown = value.isTrue
      } else if name.isEqual(to: "severity") {
        isWarning = value.isEqual(to: "\"warning\"")
      } else if name.isEqual(to: "sourceLocation") {
        location = SourceLocation(value)
      }
    }
    let texts = messages.map(JSONMembers.elements)?.compactMap { message in
      JSONMembers(of: message).first { $0.name.isEqual(to: "text") }?.value.text
    }
    self.init(
      severity: isWarning ? .warning : .error, known: isKnown,
      message: texts?.joined(separator: "\n") ?? "Issue recorded",
      file: location?.filePath ?? location?.fileID, line: location?.line)
  }
}
