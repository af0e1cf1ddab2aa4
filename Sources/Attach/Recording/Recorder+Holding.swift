import Collector
import ExhibitCSQLite
import ExhibitSystem

extension Recorder {
  /// Holds the databases of a connection that is about to be closed, for the tests that may still fail or are being
  /// captured.
  func connectionClosing(_ connection: Connection, _ db: OpaquePointer) {
    let serials = testsThatMayNeed(connection)
    guard !serials.isEmpty else { return }
    OwnWork.run { hold(schemaNames(of: db), of: connection, db, for: serials) }
  }

  private func hold(_ schemas: [String], of connection: Connection, _ db: OpaquePointer, for serials: [Int]) {
    for schema in schemas where !isEmptyTemporary(schema, on: db) {
      switch HeldDatabase.hold(schema, on: db, closing: connection, in: connections) {
      case .held(let content):
        held.hold(
          HeldDatabase(connection: connection.number, schema: schema, content: content), for: serials)
      case .refused(let reason):
        held.refuse(connection.number, at: filePath(of: schema, on: db), for: serials, because: reason)
      case .nothing: break
      }
    }
  }

  /// Running tests that opened or used the connection and whose evidence is not captured yet.
  private func testsThatMayNeed(_ connection: Connection) -> [Int] {
    let ownership = connection.ownership(isClosing: true)
    return runningTests.compactMap { scope in
      let isOwn = ownership.isOwned(by: scope.owner, isAlone: isAlone(scope))
      return isOwn && scope.state.withLock({ !$0.isCaptureOver }) ? scope.serial : nil
    }
  }
}
