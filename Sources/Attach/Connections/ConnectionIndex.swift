/// Finds one of thousands of connections quickly, as when as many tests have some open.
struct ConnectionIndex: Sendable {
  private var byAddress: [UInt: AppConnection] = [:]
  /// The number of connections that have a file open, by its path.
  private var files: [String: Int] = [:]
  /// The number of connections to an in-memory database that is shared by name.
  private var memories: [String: Int] = [:]

  init(_ connections: [AppConnection]) {
    for connection in connections { add(connection) }
  }

  func connection(at address: UInt) -> AppConnection? { byAddress[address] }

  func isLast(_ connection: AppConnection, at path: String) -> Bool {
    files[path, default: 0] == (contains(connection) && connection.path == path ? 1 : 0)
  }

  func isLast(_ connection: AppConnection, inMemory name: String) -> Bool {
    memories[name, default: 0] == (contains(connection) && connection.sharedMemory == name ? 1 : 0)
  }

  private func contains(_ connection: AppConnection) -> Bool {
    byAddress[connection.address] === connection
  }

  mutating func add(_ connection: AppConnection) {
    byAddress[connection.address] = connection
    if let path = connection.path { files[path, default: 0] += 1 }
    if let name = connection.sharedMemory { memories[name, default: 0] += 1 }
  }

  mutating func remove(_ connection: AppConnection) {
    if byAddress[connection.address] === connection { byAddress[connection.address] = nil }
    if let path = connection.path { Self.countDown(path, in: &files) }
    if let name = connection.sharedMemory { Self.countDown(name, in: &memories) }
  }

  private static func countDown(_ key: String, in counts: inout [String: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }
}
