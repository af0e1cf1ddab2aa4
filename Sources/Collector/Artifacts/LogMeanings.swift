/// What the records of a log mean to one reader: the kinds that say something to it, each with what it makes of one.
package struct LogMeanings<Reader>: Sendable {
  /// The kinds that have a meaning here.
  package let kinds: LogKinds
  private let meanings: [ObjectIdentifier: LogMeaning<Reader>]

  package init(_ meanings: [LogMeaning<Reader>]) {
    kinds = LogKinds(meanings.map(\.kind))
    self.meanings = Dictionary(meanings.map { (ObjectIdentifier($0.kind), $0) }) { $1 }
  }

  /// Has a reader take a record; one whose kind means nothing to it is passed over.
  package func tell(_ record: LogRecord, to reader: inout Reader) {
    meanings[ObjectIdentifier(type(of: record.payload))]?.tell(record, &reader)
  }
}

/// What a record of one kind means.
package struct LogMeaning<Reader>: Sendable {
  fileprivate let kind: any LogPayload.Type
  fileprivate let tell: @Sendable (LogRecord, inout Reader) -> Void

  /// - Parameter meaning: What a reader does with what a record says, and with the record: its test and time.
  package init<Payload: LogPayload>(
    _ kind: Payload.Type, _ meaning: @escaping @Sendable (inout Reader, Payload, LogRecord) -> Void
  ) {
    self.kind = kind
    tell = { record, reader in
      if let payload = record.payload as? Payload { meaning(&reader, payload, record) }
    }
  }
}
