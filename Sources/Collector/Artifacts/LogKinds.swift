import Foundation

/// The kinds of records that a reader of logs decodes; it skips all others.
package struct LogKinds: Sendable {
  private let payloads: [String: any LogPayload.Type]

  /// - Parameter payloads: Kinds beside the starts and ends of processes and tests.
  package init(_ payloads: [any LogPayload.Type]) {
    let ends: [any LogPayload.Type] = [ProcessHeader.self, TestStart.self, TestEnd.self, ProcessEnd.self]
    self.payloads = Dictionary((ends + payloads).map { ($0.kind, $0) }) { $1 }
  }

  package struct UnknownKind: Error, Equatable {
    package var kind: String
  }

  fileprivate func payload(of kind: String) throws(UnknownKind) -> any LogPayload.Type {
    guard let payload = payloads[kind] else { throw UnknownKind(kind: kind) }
    return payload
  }
}

/// A line is `{"kind":…,"time":…,"test":…,"payload":{…}}`.
extension LogRecord: DecodableWithConfiguration {
  private enum Key: String, CodingKey {
    case kind, time, test, payload
  }

  package init(from decoder: any Decoder, configuration kinds: LogKinds) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let kind = try kinds.payload(of: try container.decode(String.self, forKey: .kind))
    func payload(_ kind: (some LogPayload).Type) throws -> any LogPayload {
      try container.decode(kind, forKey: .payload)
    }
    let said = try payload(kind)
    self.init(
      time: try container.decode(Double.self, forKey: .time),
      test: try container.decodeIfPresent(TestCaseID.self, forKey: .test), said)
  }
}
