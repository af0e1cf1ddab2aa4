import Foundation

/// The kinds of records that a reader of logs understands; those of other kinds are skipped.
package struct LogKinds: Sendable {
  private let payloads: [String: any LogPayload.Type]

  /// - Parameter payloads: In addition to those by which the beginning and the end of processes and tests are known.
  package init(_ payloads: [any LogPayload.Type]) {
    let ends: [any LogPayload.Type] = [ProcessHeader.self, TestStart.self, TestEnd.self, ProcessEnd.self]
    self.payloads = Dictionary((ends + payloads).map { ($0.kind, $0) }) { $1 }
  }

  /// What a reader throws for a kind it does not know, so that it can skip the line.
  package struct UnknownKind: Error, Equatable {
    package var kind: String
  }

  /// - Throws: `UnknownKind`.
  fileprivate func payload(of kind: String) throws(UnknownKind) -> any LogPayload.Type {
    guard let payload = payloads[kind] else { throw UnknownKind(kind: kind) }
    return payload
  }
}

/// `{"kind":…,"time":…,"test":…,"payload":{…}}`, the form of every line of a log; `LogLine` writes it.
extension LogRecord: DecodableWithConfiguration {
  private enum Key: String, CodingKey {
    case kind, time, test, payload
  }

  /// - Throws: `UnknownKind` for a record of none of the kinds, else `DecodingError`.
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
