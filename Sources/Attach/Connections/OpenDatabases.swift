import Collector
import ExhibitSystem

/// The open databases during one capture, which waits for each connection once.
final class OpenDatabases: Sendable {
  private let connections: ConnectionRegistry
  private let selection: DatabaseSelection
  private let deadline: CaptureDeadline
  private let answers = Locked<[Answer]>([])

  private struct Answer: Sendable {
    var connection: Int
    var databases: [OpenDatabase]?
  }

  init(_ connections: ConnectionRegistry, of selection: DatabaseSelection, until deadline: CaptureDeadline) {
    self.connections = connections
    self.selection = selection
    self.deadline = deadline
  }

  var own: [OpenDatabase] { all.filter { $0.uses.contains(where: \.isOwn) } }

  var all: [OpenDatabase] { group(connections.all.flatMap { databases(of: $0) }) }

  func database(_ storage: OpenDatabase.Storage) -> OpenDatabase? { all.first { $0.storage == storage } }

  func file(at path: String) -> DatabaseFile? {
    guard let storage = OpenDatabase.Storage(path: path) else { return nil }
    return database(storage).map { $0.file(at: $0.path ?? path) }
  }

  func source(at path: String) -> DatabaseSource { .file(file(at: path) ?? DatabaseFile(path: path)) }

  private func databases(of connection: AppConnection) -> [OpenDatabase] {
    let earlier = answers.withLock { $0.first { $0.connection == connection.number } }
    if let databases = earlier?.databases { return databases }
    let databases = deadline.wait {
      selection.databases(of: connection, until: earlier == nil ? deadline.instant : .now)
    }
    let isAnswered = !databases.contains(where: \.isUnasked)
    answers.withLock { answers in
      answers.removeAll { $0.connection == connection.number }
      answers.append(Answer(connection: connection.number, databases: isAnswered ? databases : nil))
    }
    return databases
  }

  private func group(_ databases: [OpenDatabase]) -> [OpenDatabase] {
    var grouped: [OpenDatabase] = []
    var positions: [OpenDatabase.Storage: Int] = [:]
    for database in databases {
      if let position = positions[database.storage] {
        grouped[position].uses.append(contentsOf: database.uses)
        grouped[position].preferSafer(vfs: database.vfs)
      } else {
        positions[database.storage] = grouped.count
        grouped.append(database)
      }
    }
    return grouped
  }
}
