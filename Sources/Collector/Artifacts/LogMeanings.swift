package struct LogMeanings<Reader>: Sendable {
  package let kinds: LogKinds
  private let meanings: [ObjectIdentifier: LogMeaning<Reader>]

  package init(_ meanings: [LogMeaning<Reader>]) {
    kinds = LogKinds(meanings.map(\.kind))
    self.meanings = Dictionary(meanings.map { (ObjectIdentifier($0.kind), $0) }) { $1 }
  }

  package func tell(_ record: LogRecord, to reader: inout Reader) {
    meanings[ObjectIdentifier(type(of: record.payload))]?.tell(record, &reader)
  }
}

package struct LogMeaning<Reader>: Sendable {
  fileprivate let kind: any LogPayload.Type
  fileprivate let tell: @Sendable (LogRecord, inout Reader) -> Void

  package init<Payload: LogPayload>(
    _ kind: Payload.Type, _ meaning: @escaping @Sendable (inout Reader, Payload, LogRecord) -> Void
  ) {
    self.kind = kind
    tell = { record, reader in
      if let payload = record.payload as? Payload { meaning(&reader, payload, record) }
    }
  }
}
