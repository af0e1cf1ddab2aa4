struct ConnectionIndex: Sendable {
  private var byAddress: [UInt: AppConnection] = [:]
  private var counts: [AppConnection.SharedDatabase: Int] = [:]

  init(_ connections: [AppConnection]) {
    for connection in connections { add(connection) }
  }

  func connection(at address: UInt) -> AppConnection? { byAddress[address] }

  func isLast(_ connection: AppConnection, at place: AppConnection.SharedDatabase) -> Bool {
    let isCounted = byAddress[connection.address] === connection && connection.place == place
    return counts[place, default: 0] == (isCounted ? 1 : 0)
  }

  mutating func add(_ connection: AppConnection) {
    byAddress[connection.address] = connection
    if let place = connection.place { counts[place, default: 0] += 1 }
  }

  mutating func remove(_ connection: AppConnection) {
    if byAddress[connection.address] === connection { byAddress[connection.address] = nil }
    if let place = connection.place, let count = counts[place] {
      counts[place] = count > 1 ? count - 1 : nil
    }
  }
}
