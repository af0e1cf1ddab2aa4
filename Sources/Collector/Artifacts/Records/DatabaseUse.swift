/// A test first used a connection that it had not opened.
package struct DatabaseUse: LogPayload {
  package static let kind = "databaseUsed"

  package var connection: Int

  package init(connection: Int) {
    self.connection = connection
  }

  package func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}
