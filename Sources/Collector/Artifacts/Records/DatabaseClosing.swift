/// A connection was closed that the log has named.
package struct DatabaseClosing: LogPayload {
  package static let kind = "databaseClosed"

  /// The number of the connection in its process, from 1.
  package var connection: Int

  package init(connection: Int) {
    self.connection = connection
  }

  package func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}
