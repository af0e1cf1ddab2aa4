/// The bytes of one record: JSON without a line break inside, and one at its end.
///
/// Decoding it with `JSONDecoder` gives the record back; keys stand in the order of the types' declarations.
package enum LogLine {
  package static func encode(_ record: LogRecord) -> [UInt8] {
    text(of: record.payload, test: record.test, time: record.time).withBytes { Array($0.dropFirst()) }
  }

  /// The line of a record that is not made: copying what is in it takes as long as writing it.
  ///
  /// It begins with the line break that a record needs behind half of another one.
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
  func write(to text: inout JSONText) {
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
