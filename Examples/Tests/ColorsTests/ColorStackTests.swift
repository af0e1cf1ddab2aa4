import AttachGRDB
import Colors
import Foundation
import GRDB
import Testing

/// The production stack, on disk and in memory.
@Suite struct ColorStackTests {
  @Test func isMadeOnDisk() async throws {
    let store = try GRDBStore(.onDisk)
    let url = store.folder.appendingPathComponent("Colors.sqlite")
    let stack = try await ColorStack.make(.onDisk(url))
    #expect(FileManager.default.fileExists(atPath: url.path))
    #expect(try await stack.writer.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    try stack.writer.close()
    try store.destroy()
  }

  @Test func isMadeInMemory() async throws {
    let stack = try await ColorStack.make(.inMemory)
    let path = try await stack.writer.read {
      try String.fetchOne($0, sql: "SELECT file FROM pragma_database_list")
    }
    #expect(path == "")
    #expect(try await stack.writer.read { try $0.tableExists("color") })
  }

  @Test func isOnDiskUnlessToldOtherwise() {
    #expect(ColorStack.defaultURL.isFileURL && ColorStack.defaultURL.lastPathComponent == "Colors.sqlite")
  }

  @Test func isReadyAtOnceForTests() throws {
    let stack = try ColorStack.setUpForTesting()
    #expect(try stack.observer.read(Color.fetchCount) == 0)
  }

  @Test func bothSidesAreSetUpAlike() throws {
    let stack = try ColorStack.setUpForTesting()
    #expect(stack.writer.configuration.label == "Colors")
    #expect(stack.observer.configuration.maximumReaderCount == 2)
    #expect(try stack.observer.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
  }

  @Test func stacksInMemoryShareNothing() throws {
    let stacks = try (0..<10).map { _ in try ColorStack.setUpForTesting() }
    _ = try ColorManager(stacks[0].writer).create("Teal", hex: "008080")
    let counts = try stacks.map { try $0.observer.read(Color.fetchCount) }
    #expect(counts == [1] + Array(repeating: 0, count: 9))
  }
}
