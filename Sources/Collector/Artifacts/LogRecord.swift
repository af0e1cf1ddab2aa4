/// One line of a log, complete in itself, so that any line can be read alone.
///
/// The wire format is described in `docs/artifacts-format.md`.
package struct LogRecord: Sendable {
  /// Seconds since 1970, to the microsecond.
  package var time: Double
  /// The record's test; `nil` for a record of the process or of something without a test.
  package var test: TestCaseID?
  /// The content, of a type for each kind.
  package var payload: any LogPayload

  package init(time: Double, test: TestCaseID? = nil, _ payload: any LogPayload) {
    self.time = time
    self.test = test
    self.payload = payload
  }

  /// The name of its kind in a log.
  package var kind: String { type(of: payload).kind }

  /// True for a record of this kind; it compares two addresses only.
  package func isOf(_ kind: any LogPayload.Type) -> Bool { type(of: payload) == kind }
}

/// The content of a record of one kind; each kind has a type of its own, in `Records`.
///
/// No list has all kinds. Writers of records write these types, and a reader of a log names the kinds that it needs
/// (`LogMeanings`).
package protocol LogPayload: Sendable, Equatable, Decodable {
  /// The name of the kind in a log.
  static var kind: String { get }

  /// Writes the members in the order of their declaration.
  func write(to text: inout JSONText)
}

extension LogRecord: Equatable {
  package static func == (one: LogRecord, other: LogRecord) -> Bool {
    one.time == other.time && one.test == other.test && one.payload.isEqual(to: other.payload)
  }
}

extension LogPayload {
  fileprivate func isEqual(to other: any LogPayload) -> Bool { other as? Self == self }
}
