/// One line of a log: everything it says is in it, so that any line can be read alone.
///
/// The wire format is artifacts format 1.2, described in `docs/artifacts-format.md`.
package struct LogRecord: Sendable {
  /// Seconds since 1970, to the microsecond.
  package var time: Double
  /// The test the record speaks of; `nil` for the process itself and for what no test owns.
  package var test: TestCaseID?
  /// What happened.
  package var payload: any LogPayload

  package init(time: Double, test: TestCaseID? = nil, _ payload: any LogPayload) {
    self.time = time
    self.test = test
    self.payload = payload
  }

  /// The name of its kind, as it stands in a log.
  package var kind: String { type(of: payload).kind }

  /// Whether it is of a kind, at the cost of comparing two addresses.
  package func isOf(_ kind: any LogPayload.Type) -> Bool { type(of: payload) == kind }
}

/// What a record of one kind says: each kind has a type of its own, in `Records`.
///
/// Nothing lists the kinds. Who writes records writes these types, and who reads a log names the kinds that say something
/// to it (`LogMeanings`).
package protocol LogPayload: Sendable, Equatable, Decodable {
  /// The name of the kind, as it stands in a log.
  static var kind: String { get }

  /// Writes the members, in the order of their declaration.
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
