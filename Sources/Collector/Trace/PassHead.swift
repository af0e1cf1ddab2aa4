/// What a passes file says of a test before its part of the ring.
package struct PassHead: Sendable, Equatable {
  package var test: TestCaseID
  package var serial: Int
  package var stepsBefore: UInt64
  package var began: Double?
  package var withoutChanges: String?
  package var ownConnections: [Int] = []
  package var sharedConnections: [Int] = []
  package var databases: [RecordedStory.Database] = []

  package init(
    test: TestCaseID, serial: Int, stepsBefore: UInt64, began: Double?, withoutChanges: String? = nil
  ) {
    (self.test, self.serial, self.stepsBefore) = (test, serial, stepsBefore)
    (self.began, self.withoutChanges) = (began, withoutChanges)
  }

  /// Its line, which spaces pad to a multiple of 8 bytes.
  package func withLine<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = JSONText()
    text.object { text in
      text.object("test") { test.write(to: &$0) }
      text.member("serial", serial)
      text.member("stepsBefore", Int(clamping: stepsBefore))
      text.member("began", began)
      text.member("withoutChanges", withoutChanges)
      text.array("own", ownConnections) { $0.element($1) }
      text.array("shared", sharedConnections) { $0.element($1) }
      text.array("databases", databases) { text, database in
        text.object { text in
          text.member("connection", database.connection)
          text.member("path", database.path)
        }
      }
    }
    while text.count % 8 != 7 { text.append(" ") }
    text.endLine()
    return text.withBytes(body)
  }

  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let json = JSONValue(line), let test = json["test"].flatMap({ TestCaseID(json: $0) }),
      let serial = json["serial"]?.integer, let before = json["stepsBefore"]?.integer, before >= 0
    else { return nil }
    self.init(
      test: test, serial: serial, stepsBefore: UInt64(before), began: json["began"]?.number,
      withoutChanges: json["withoutChanges"]?.string)
    ownConnections = (json["own"]?.array ?? []).compactMap(\.integer)
    sharedConnections = (json["shared"]?.array ?? []).compactMap(\.integer)
    databases = (json["databases"]?.array ?? []).compactMap { json in
      json["connection"]?.integer.map { RecordedStory.Database(connection: $0, path: json["path"]?.string) }
    }
  }

  var story: TestStory {
    TestStory(
      test,
      subject: TestSteps.Subject(
        test: serial, ownConnections: Set(ownConnections), sharedConnections: Set(sharedConnections),
        stepsBefore: stepsBefore),
      withoutChanges: withoutChanges, isWhole: true)
  }
}
