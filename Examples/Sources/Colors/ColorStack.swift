import Foundation
import GRDB

/// The app's database: one side writes in the background, the other observes.
package final class ColorStack: Sendable {
  /// Where the colors are kept.
  package enum Store: Sendable {
    case onDisk(URL)
    case inMemory
  }

  /// Writes, in the background.
  package let writer: any DatabaseWriter
  /// Reads and observes; it sees what the writer committed.
  package let observer: any DatabaseReader

  private init(writer: any DatabaseWriter) {
    self.writer = writer
    observer = writer
  }

  /// Opens the app's stack, and makes its schema where it is new.
  package static func make(_ store: Store = .onDisk(defaultURL)) async throws -> ColorStack {
    let stack = ColorStack(writer: try open(store))
    try await stack.writer.write(createSchema)
    return stack
  }

  /// A stack in memory, ready at once.
  package static func setUpForTesting() throws -> ColorStack {
    let stack = ColorStack(writer: try open(.inMemory))
    try stack.writer.write(createSchema)
    return stack
  }

  package static var defaultURL: URL {
    FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent("Colors.sqlite")
  }

  private static func open(_ store: Store) throws -> any DatabaseWriter {
    switch store {
    case .onDisk(let url): try DatabasePool(path: url.path, configuration: configuration)
    case .inMemory: try DatabaseQueue(configuration: configuration)
    }
  }

  /// How each connection is set up.
  package static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "Colors"
    configuration.maximumReaderCount = 2
    return configuration
  }

  /// Makes the schema of an empty database.
  package static func createSchema(_ db: Database) throws {
    try db.create(table: "color", options: .ifNotExists) { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("name", .text).notNull()
      table.column("hex", .text).notNull()
    }
  }
}
