import Foundation
import Testing

@testable import ReportHistory

/// A history on a server.
struct ServedHistory {
  let server: PostgreSQLServer
  let database: String
  var store: HistoryServer

  init(server: PostgreSQLServer, database: String, store: HistoryServer) {
    (self.server, self.database, self.store) = (server, database, store)
  }

  /// One in a new database of the server that tests share.
  init() throws {
    server = try PostgreSQLServer.shared.get()
    database = UUID().uuidString
    store = HistoryServer(try server.makeDatabase(database))
  }

  /// What PostgreSQL's own program reads there.
  @discardableResult func value(_ sql: String) throws -> String {
    try server.sql("SET search_path = exhibit; " + sql, in: database)
  }

  func address(_ query: String = "", user: String = PostgreSQLServer.user) -> String {
    server.address(of: database, query, user: user)
  }
}

extension SilentServer {
  /// Why a history cannot be asked there, and after what time that is known.
  func problem(_ query: String) throws -> (HistoryError, Duration) {
    let start = ContinuousClock.now
    let store = HistoryServer(address(query))
    let error = try #require(throws: HistoryError.self) { try store.identities() }
    return (error, .now - start)
  }
}
