/// A connection that was logged when it was opened.
package struct DatabaseConnection: Sendable, Equatable, Codable {
  /// Its number in its process, from 1.
  package var connection: Int

  package init(_ connection: Int) {
    self.connection = connection
  }

  func write(to text: inout JSONText) {
    text.member("connection", connection)
  }
}
