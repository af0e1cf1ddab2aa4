package struct DatabaseClosing: LogPayload {
  package static let kind = "databaseClosed"

  package var connection: Int

  package init(connection: Int) {
    self.connection = connection
  }

  package func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}
