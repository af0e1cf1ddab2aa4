/// The bytes of one record: JSON without a line break inside, and one at its end.
///
/// Decoding it with `JSONDecoder` gives the record back; keys stand in the order of the types' declarations.
package enum LogLine {
  package static func encode(_ record: LogRecord) -> [UInt8] {
    text(of: record.event, test: record.test, time: record.time).withBytes { Array($0.dropFirst()) }
  }

  /// The line of a record that is not made: copying what is in it takes as long as writing it.
  ///
  /// It begins with the line break that a record needs behind half of another one.
  static func text(of event: LogRecord.Event, test: TestCaseID?, time: Double) -> JSONText {
    var text = JSONText()
    text.endLine()
    text.object { text in
      text.member("kind", event.kind.rawValue)
      text.member("time", time)
      if let test { text.object("test") { test.write(to: &$0) } }
      text.object("payload") { event.write(to: &$0) }
    }
    text.endLine()
    return text
  }
}

extension TestCaseID {
  fileprivate func write(to text: inout JSONText) {
    text.member("module", module)
    text.array("suite", suite) { $0.element($1) }
    text.member("name", name)
    guard let argument else { return }
    text.object("argument") { text in
      text.member("ordinal", argument.ordinal)
      text.member("description", argument.description)
    }
  }
}

extension LogRecord.Event {
  fileprivate func write(to text: inout JSONText) {
    switch self {
    case .process(let payload): payload.write(to: &text)
    case .testStarted(let payload): payload.write(to: &text)
    case .issue(let payload): payload.write(to: &text)
    case .databaseOpened(let payload), .databaseAttached(let payload): payload.write(to: &text)
    case .fixtureUsed(let payload): payload.write(to: &text)
    case .databaseUsed(let payload), .databaseClosed(let payload): payload.write(to: &text)
    case .tablesExcluded(let payload): text.array("tables", payload.tables) { $0.element($1) }
    case .evidence(let payload): payload.write(to: &text)
    case .captureFailed(let payload): payload.write(to: &text)
    case .testFinished(let payload): payload.write(to: &text)
    case .processFinished(let payload): payload.write(to: &text)
    }
  }
}

extension ProcessHeader {
  fileprivate func write(to text: inout JSONText) {
    text.member("format", format)
    text.member("pid", pid)
    text.member("startTicks", startTicks)
    text.member("executable", executable)
    text.member("boot", boot)
  }
}

extension TestStart {
  fileprivate func write(to text: inout JSONText) {
    text.member("framework", framework.rawValue)
    text.member("displayName", displayName)
    text.member("file", file)
    text.member("line", line)
  }
}

extension RecordedIssue {
  fileprivate func write(to text: inout JSONText) {
    text.member("severity", severity.rawValue)
    text.member("known", known)
    text.member("message", message)
    text.member("file", file)
    text.member("line", line)
  }
}

extension OpenedDatabase {
  fileprivate func write(to text: inout JSONText) {
    text.member("connection", connection)
    text.member("path", path)
    text.member("device", device)
    text.member("inode", inode)
  }
}

extension DatabaseConnection {
  fileprivate func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}

extension UsedFixture {
  fileprivate func write(to text: inout JSONText) {
    text.member("folder", folder)
    text.member("file", file)
    text.member("version", version)
    text.array("listed", listed) { $0.element($1) }
    text.member("sameAs", sameAs)
  }
}

extension TestEnd {
  fileprivate func write(to text: inout JSONText) {
    text.member("outcome", outcome.rawValue)
    text.member("duration", duration)
  }
}

extension ProcessEnd {
  fileprivate func write(to text: inout JSONText) {
    text.member("tests", tests)
    text.member("failed", failed)
  }
}
