/// One line of a log (docs/artifacts-format.md).
package struct LogRecord: Sendable {
  /// Seconds since 1970, to the microsecond.
  package var time: Double
  package var test: TestCaseID?
  package var payload: any LogPayload

  package init(time: Double, test: TestCaseID? = nil, _ payload: any LogPayload) {
    self.time = time
    self.test = test
    self.payload = payload
  }

  package var kind: String { type(of: payload).kind }

  package func isOf(_ kind: any LogPayload.Type) -> Bool { type(of: payload) == kind }
}

/// A record's content; each kind has a type in `Records`, and each reader names those it needs.
package protocol LogPayload: Sendable, Equatable, Decodable {
  static var kind: String { get }

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
