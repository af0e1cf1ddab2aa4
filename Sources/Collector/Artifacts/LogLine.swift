package enum LogLine {
  package static func encode(_ record: LogRecord) -> [UInt8] {
    text(of: record.payload, test: record.test, time: record.time).withBytes { Array($0.dropFirst()) }
  }

  /// The line break at its start ends an incomplete record.
  static func text<Payload: LogPayload>(of payload: Payload, test: TestCaseID?, time: Double) -> JSONText {
    var text = JSONText()
    text.endLine()
    text.object { text in
      text.member("kind", Payload.kind)
      text.member("time", time)
      if let test { text.object("test") { test.write(to: &$0) } }
      text.object("payload") { payload.write(to: &$0) }
    }
    text.endLine()
    return text
  }
}

extension TestCaseID {
  package func write(to text: inout JSONText) {
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
