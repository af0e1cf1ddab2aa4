/// A test ran its first statement on a connection that it had not opened itself.
package struct DatabaseUse: LogPayload {
  package static let kind = "databaseUsed"

  /// The number of the connection in its process, from 1.
  package var connection: Int

  package init(connection: Int) {
    self.connection = connection
  }

  package func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}
